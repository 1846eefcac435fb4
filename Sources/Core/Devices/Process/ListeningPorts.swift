import Glibc

/// Ports that are open in this network, as the kernel reports them, without connecting to them.
public enum ListeningPorts {
    /// Whether a socket for UDP datagrams is bound to the port.
    public static func containsDatagram(_ port: UInt16) -> Bool {
        ["/proc/self/net/udp", "/proc/self/net/udp6"].contains { path in
            lines(of: path).contains { Self.port(of: $0) == port }
        }
    }

    /// Whether something listens on the TCP port.
    public static func contains(_ port: UInt16) -> Bool {
        ["/proc/self/net/tcp", "/proc/self/net/tcp6"].contains { path in
            lines(of: path).contains { isListening($0, port) }
        }
    }

    /// Parses a line `slot: address:port remote:port state ...` in hexadecimal; state 0A is LISTEN.
    private static func isListening(_ line: Substring, _ port: UInt16) -> Bool {
        let fields = line.split(separator: " ", maxSplits: 4)
        return fields.count > 3 && fields[3] == "0A" && Self.port(of: line) == port
    }

    private static func port(of line: Substring) -> UInt16? {
        let fields = line.split(separator: " ", maxSplits: 2)
        guard fields.count > 1, let colon = fields[1].lastIndex(of: ":") else { return nil }
        return UInt16(fields[1][colon...].dropFirst(), radix: 16)
    }

    private static func lines(of path: String) -> [Substring] {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return [] }
        let file = Descriptor(number)
        var bytes: [UInt8] = []
        while case .bytes(let chunk) = file.read(upTo: 64 << 10) { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
