import Glibc

/// TCP ports that are open in this network, as the kernel tells, without touching them.
public enum ListeningPorts {
    /// Whether something listens on the port.
    public static func contains(_ port: UInt16) -> Bool {
        ["/proc/self/net/tcp", "/proc/self/net/tcp6"].contains { path in
            lines(of: path).contains { isListening($0, port) }
        }
    }

    /// A line is `slot: address:port remote:port state ...` in hexadecimal; state 0A is LISTEN.
    private static func isListening(_ line: Substring, _ port: UInt16) -> Bool {
        let fields = line.split(separator: " ", maxSplits: 4)
        guard fields.count > 3, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":") else {
            return false
        }
        return UInt16(fields[1][colon...].dropFirst(), radix: 16) == port
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
