import Glibc
import Protocols

/// The listening socket of a peer and the connections that it has accepted.
///
/// It belongs to one thread: the worker's poll loop, which watches `pollDescriptors`, reports what
/// `poll` found to `handle`, and passes the peer's commands to `perform`. Nothing here blocks.
/// Received bytes are drained and thrown away; what they meant, the peer learns from the trace.
/// For the same reason the device's FIN is answered by the peer's `close` command, which stands
/// behind its answers to what came before the FIN, and not when the kernel reports it.
public final class PeerListener {
    /// What became of a command.
    public enum Outcome: Sendable, Hashable {
        /// It is done; written bytes are with the kernel.
        case done
        /// The bytes wait until the device reads; `handle` goes on with them.
        case queued
        /// The connection is not there, or has ended; nothing was done.
        case noConnection
        /// More bytes would wait than are kept (64 MiB a connection); nothing was written.
        case queueFull
    }

    /// The address that it listens on.
    public let address: IPAddress
    /// The port that it listens on.
    public let localPort: UInt16
    /// Why it stopped accepting connections, if it had to.
    public private(set) var fault: PeerError?
    var listening: Int32
    var sockets: [Int32: AcceptedSocket] = [:]
    var descriptors: [PeerConnection: Int32] = [:]
    /// How each connection is ended as soon as it is accepted.
    var turnsAway: FaultLine.End?
    /// Whether packets of the device are thrown away.
    var isDropping = false
    /// Whether nothing is read or written.
    var isStalled = false
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)

    /// Opens the socket and listens.
    ///
    /// - Parameters:
    ///   - address: A local address, or the unspecified one (`0.0.0.0`, `::`) for all.
    ///   - port: The port; 0 lets the kernel choose.
    /// - Throws: `PeerError` with code `cannotListen`.
    public init(address: IPAddress, port: UInt16) throws(PeerError) {
        let descriptor = try Self.listen(address: address, port: port)
        let own = SocketAddress.read { getsockname(descriptor, $0, $1) }
        self.address = address
        localPort = own.endpoint?.port ?? port
        listening = descriptor
    }

    deinit { closeDescriptors() }

    /// The device's ends of the connections that are open, oldest descriptor first.
    public var connections: [PeerConnection] {
        sockets.values.filter { !$0.isClosing }.sorted { $0.descriptor < $1.descriptor }
            .map(\.connection)
    }

    /// Whether bytes wait to be written.
    public var hasPendingWrites: Bool { sockets.values.contains { $0.pending > 0 } }

    /// What the poll loop is to watch.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        var watched = sockets.values.map { (fd: $0.descriptor, events: $0.events) }
        if listening >= 0, fault == nil { watched.append((fd: listening, events: Int16(POLLIN))) }
        return watched
    }

    /// Takes what `poll` found on one descriptor; one that is not its own is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) {
        guard revents != 0 else { return }
        if fd == listening {
            acceptAll()
        } else if sockets[fd] != nil {
            sockets[fd]?.handle(revents, scratch: &scratch)
            forgetIfOver(fd)
        }
    }

    /// Carries out a command of the peer.
    @discardableResult
    public func perform(_ command: PeerCommand) -> Outcome {
        switch command {
        case .write(let connection, let bytes):
            return act(on: connection) { $0.write(bytes) }
        case .writeSegments(let connection, let bytes, let size):
            return act(on: connection) { $0.write(bytes, segmentSize: size) }
        case .close(let connection):
            return act(on: connection) {
                $0.close()
                return $0.pending > 0 ? .queued : .done
            }
        case .reset(let connection):
            return act(on: connection) {
                $0.reset()
                return .done
            }
        case .closeAll:
            acceptAll()
            let outcomes = connections.map { perform(.close($0)) }
            return outcomes.contains(.queued) ? .queued : .done
        }
    }

    /// Stops listening and closes every descriptor, for the end of a case.
    ///
    /// What still waits to be written is lost.
    public func stop() {
        for fd in Array(sockets.keys) { sockets[fd]?.handle(Int16(POLLIN), scratch: &scratch) }
        closeDescriptors()
    }

    private func act(
        on connection: PeerConnection, _ body: (inout AcceptedSocket) -> Outcome
    ) -> Outcome {
        if descriptors[connection] == nil { acceptAll() }
        guard let fd = descriptors[connection], var socket = sockets[fd] else {
            return .noConnection
        }
        sockets[fd] = nil
        let outcome = body(&socket)
        sockets[fd] = socket
        forgetIfOver(fd)
        return outcome
    }

    private func forgetIfOver(_ fd: Int32) {
        guard let socket = sockets[fd], socket.isOver else { return }
        sockets[fd] = nil
        if descriptors[socket.connection] == fd { descriptors[socket.connection] = nil }
        close(fd)
    }

    func acceptAll() {
        while listening >= 0, fault == nil {
            let accepted = SocketAddress.read { accept(listening, $0, $1) }
            guard accepted.result >= 0 else {
                switch errno {
                case EAGAIN: return
                case EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTUNREACH: continue
                default:
                    fault = PeerError(
                        .cannotListen, "cannot accept a connection: \(describeErrno(errno))",
                        advice: "raise the limit on open files if it is too low")
                    return
                }
            }
            guard let connection = accepted.endpoint else {
                close(accepted.result)
                continue
            }
            Self.configure(accepted.result)
            sockets[accepted.result] = AcceptedSocket(
                descriptor: accepted.result, connection: connection)
            sockets[accepted.result]?.isStalled = isStalled
            descriptors[connection] = accepted.result
            switch turnsAway {
            case .close: perform(.close(connection))
            case .reset: perform(.reset(connection))
            case nil: break
            }
        }
    }

    private func closeDescriptors() {
        for fd in sockets.keys { close(fd) }
        sockets = [:]
        descriptors = [:]
        if listening >= 0 { close(listening) }
        listening = -1
    }
}

extension PeerListener {
    static func listen(address: IPAddress, port: UInt16) throws(PeerError) -> Int32 {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw refusal("open a socket", address, port) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        configure(descriptor)
        let bound = SocketAddress.withKernelForm(of: address, port: port) {
            bind(descriptor, $0, $1)
        }
        guard bound == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let error = refusal(bound == 0 ? "listen on" : "bind", address, port)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Connections that may wait to be accepted; a reconnect storm must not be refused.
    private static let backlog: Int32 = 1024

    private static func refusal(_ verb: String, _ address: IPAddress, _ port: UInt16) -> PeerError {
        let number = errno
        let advice =
            switch number {
            case EADDRINUSE: "another program holds the port; end it, or set `port: 0`"
            case EADDRNOTAVAIL: "give an address of this host"
            case EACCES: "ports below 1024 need a privilege; choose a higher one"
            default: ""
            }
        return PeerError(
            .cannotListen,
            "cannot \(verb) \(PeerConnection(address: address, port: port)): "
                + describeErrno(number),
            advice: advice)
    }

    /// Non-blocking, closed on exec, and no waiting for full segments.
    private static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
