import Glibc

/// A client's TCP socket that never blocks; closed when it goes away.
final class StreamSocket {
    let descriptor: Int32
    /// Whether the connection stands.
    private(set) var isConnected = false
    /// Bytes that the system has not taken yet.
    private var unsent: ArraySlice<UInt8> = []

    /// Begins to connect.
    init(to address: SocketAddress) throws(BusError) {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, type, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw BusError("socket") }
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let result = address.withSystemAddress { connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw BusError("connect") }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Whether there is something to do as soon as the socket can be written.
    var wantsToWrite: Bool { !isConnected || !unsent.isEmpty }

    /// Looks how connecting goes, without waiting; `true` in the call that finds it done.
    func finishConnecting() throws(BusError) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard !isConnected, poll(&state, 1, 0) > 0 else { return false }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
            throw BusError("getsockopt")
        }
        guard code == 0 else { throw BusError("connect", code: code) }
        isConnected = true
        return true
    }

    /// Sends bytes, or keeps what the system does not take now.
    func send(_ bytes: [UInt8]) throws(BusError) {
        unsent += bytes
        try flush()
    }

    /// Sends what was kept, as far as the system takes it.
    func flush() throws(BusError) {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw BusError("send")
            }
        }
    }

    /// What a read brought.
    enum Reading {
        case bytes([UInt8]), nothing, end
    }

    /// Reads what is there, at most 64 KiB.
    func receive() throws(BusError) -> Reading {
        let capacity = 65_536
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, capacity, 0)
            failure = received < 0 ? errno : 0
            count = max(0, received)
        }
        if failure == EAGAIN || failure == EINTR { return .nothing }
        guard failure == 0 else { throw BusError("recv", code: failure) }
        return bytes.isEmpty ? .end : .bytes(bytes)
    }

    /// Sends what was kept if the system takes it, and reads away what is there, so that the other
    /// side sees the end of the stream and not a reset.
    func prepareToClose() {
        guard isConnected else { return }
        try? flush()
        while case .bytes? = try? receive() {}
    }
}

/// A failed system call: its name and what the system says about it.
struct BusError: Error, CustomStringConvertible {
    private let call: String
    private let code: Int32

    /// The error of a call that has just failed.
    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// `call: text`.
    var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A numeric address and port in the form that the system takes.
struct SocketAddress {
    let family: Int32
    private let bytes: [UInt8]

    /// Reads a numeric IPv4 or IPv6 address; `nil` for anything else.
    init?(host: String, port: UInt16) {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            family = AF_INET
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            family = AF_INET6
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Lends the address in the form that `connect` takes.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(bytes.count))
            }
        }
    }
}
