import Glibc

/// A TCP connection that never blocks; it is closed when the object is released.
package final class TCPConnection {
    /// The socket's descriptor, for waiting.
    package let descriptor: Int32
    /// Whether the connection is established; before that, only `finishConnecting` makes sense.
    package private(set) var isConnected = false
    /// Bytes that the system has not accepted yet.
    private var unsent: ArraySlice<UInt8> = []

    /// Starts to connect.
    package init(to address: NumericAddress) throws(SystemError) {
        let descriptor = try TCPConnection.open(address)
        self.descriptor = descriptor
    }

    /// Creates a connection from an accepted descriptor.
    package init(accepted descriptor: Int32) {
        self.descriptor = descriptor
        isConnected = true
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        TCPConnection.sendAtOnce(descriptor)
    }

    deinit { Glibc.close(descriptor) }

    /// Disables the delay of small segments.
    private static func sendAtOnce(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func open(_ address: NumericAddress) throws(SystemError) -> Int32 {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw SystemError("socket") }
        sendAtOnce(descriptor)
        let result = address.withSocketAddress { connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            let error = SystemError("connect")
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whether the poll loop should wait until the socket is writable.
    package var wantsToWrite: Bool { !isConnected || !unsent.isEmpty }

    /// Checks without waiting whether connecting is done; `true` in the call that finds it done.
    package func finishConnecting() throws(SystemError) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard !isConnected, poll(&state, 1, 0) > 0 else { return false }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
            throw SystemError("getsockopt")
        }
        guard code == 0 else { throw SystemError("connect", code: code) }
        isConnected = true
        return true
    }

    /// Sends bytes; keeps those that the system does not accept now.
    package func send(_ bytes: [UInt8]) throws(SystemError) {
        unsent += bytes
        try flush()
    }

    /// Sends kept bytes, as far as the system accepts them.
    package func flush() throws(SystemError) {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw SystemError("send")
            }
        }
    }

    /// The result of a read.
    package enum Reading {
        case bytes([UInt8]), nothing, end
    }

    /// Reads the available bytes, at most 64 KiB.
    package func receive() throws(SystemError) -> Reading {
        let capacity = 65_536
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, capacity, 0)
            failure = received < 0 ? errno : 0
            count = max(0, received)
        }
        if failure == EAGAIN || failure == EINTR { return .nothing }
        guard failure == 0 else { throw SystemError("recv", code: failure) }
        return bytes.isEmpty ? .end : .bytes(bytes)
    }

    /// Sends kept bytes if the system accepts them, and reads the available bytes.
    ///
    /// The peer then sees the end of the stream and not a reset.
    package func prepareToClose() {
        guard isConnected else { return }
        try? flush()
        while case .bytes? = try? receive() {}
    }
}
