import Glibc

/// A port of the loopback on which a test stands in for a server.
///
/// Its calls wait for at most five seconds.
package final class LoopbackListener {
    /// An error of the listener.
    package struct Failure: Error {
        /// The description.
        package let text: String

        /// Creates a failure.
        package init(text: String) { self.text = text }
    }

    /// The port, which the system has chosen.
    package let port: UInt16
    private let descriptor: Int32

    /// Binds a port; connections are refused until `open`.
    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw Failure(text: "bind") }
        Self.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    private static func limitWaiting(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Starts to accept connections.
    package func open() { listen(descriptor, 8) }

    /// Accepts the next connection, which the caller must close; it sends each write at once.
    package func accept() throws -> Int32 {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { throw Failure(text: "nobody connects") }
        Self.limitWaiting(connection)
        var on: Int32 = 1
        setsockopt(
            connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return connection
    }

    /// Reads one line from a connection, and no byte after it.
    package static func line(of connection: Int32) throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            var byte: UInt8 = 0
            guard recv(connection, &byte, 1, 0) == 1 else { throw Failure(text: "no line") }
            line.append(byte)
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
