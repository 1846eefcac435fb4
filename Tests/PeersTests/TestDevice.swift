import Glibc
import PeerKit
import Wire

/// The device's end of a loopback connection, with blocking calls that give up after two seconds.
final class TestDevice {
    private var descriptor: Int32
    let localPort: UInt16

    init?(port: UInt16, isIPv6: Bool = false) {
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        let status = isIPv6 ? Self.connect6(descriptor, port) : Self.connect4(descriptor, port)
        var own = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &own) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        // The port has the same offset in both address structures.
        localPort = UInt16(bigEndian: own.sin6_port)
        self.descriptor = descriptor
        if status != 0 { return nil }
    }

    deinit { close() }

    private static func connect4(_ descriptor: Int32, _ port: UInt16) -> Int32 {
        var form = sockaddr_in()
        form.sin_family = sa_family_t(AF_INET)
        form.sin_port = port.bigEndian
        form.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func connect6(_ descriptor: Int32, _ port: UInt16) -> Int32 {
        var form = sockaddr_in6()
        form.sin6_family = sa_family_t(AF_INET6)
        form.sin6_port = port.bigEndian
        form.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// The connection as the listener names it.
    var connection: PeerConnection { PeerConnection(address: .loopback, port: localPort) }

    /// The result of a read.
    enum Received: Equatable {
        case bytes([UInt8])
        case end
        case error(Int32)
    }

    func receive(atMost count: Int = 1 << 20) -> Received {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, 0)
        if received < 0 { return .error(errno) }
        return received == 0 ? .end : .bytes([UInt8](buffer.prefix(received)))
    }

    /// Sends bytes and returns how many the kernel accepted, or the negated error number.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return sent < 0 ? -Int(errno) : sent
    }

    func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }
}

extension PeerListener {
    /// Polls and handles events for as long as something happens within `patience`.
    func turn(patience milliseconds: Int32 = 20, atMost turns: Int = 1000) {
        for _ in 0..<turns {
            var watched = pollDescriptors.map {
                pollfd(fd: $0.fd, events: $0.events, revents: 0)
            }
            guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return }
            for entry in watched where entry.revents != 0 { handle(entry.fd, entry.revents) }
        }
    }
}
