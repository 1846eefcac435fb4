import Glibc

/// A listening TCP socket that never blocks; it is closed when the object is released.
package final class ListeningSocket {
    /// The socket's descriptor, for waiting.
    package let descriptor: Int32

    /// The limit on connections that wait to be accepted.
    private static let backlog: Int32 = 128

    /// Opens a socket and listens on an address.
    package init(on address: NumericAddress) throws(SystemError) {
        let descriptor = socket(address.family, ListeningSocket.type, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw SystemError("socket") }
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound = address.withSocketAddress { bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, ListeningSocket.backlog) == 0 else {
            let error = SystemError(bound == 0 ? "listen" : "bind")
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    private static let type =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        | Int32(SOCK_CLOEXEC.rawValue)

    /// Returns the next waiting connection; `nil` if there is none.
    package func accept() -> TCPConnection? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 { return TCPConnection(accepted: accepted) }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }
}
