import Glibc
import TCPIP

/// The listening socket of a peer and the connections that it has accepted.
///
/// It belongs to one thread: the worker's poll loop, which watches `pollDescriptors`, passes `poll`
/// results to `handle`, and passes the peer's commands to `perform`. Nothing here blocks. Received
/// bytes are drained, and discarded unless they are kept for a link protocol over TCP; the peer
/// learns their meaning from the trace. For the same reason the device's FIN is answered by the
/// peer's `close` command, which comes after its answers to what came before the FIN, and not when
/// the kernel reports the FIN.
public final class PeerListener: PeerPort {
    /// The outcome of a command.
    public typealias Outcome = CommandOutcome

    /// The address that it listens on.
    public let address: IPAddress
    /// The port that it listens on.
    public let localPort: UInt16
    /// The error that stopped it from accepting connections, if there is one.
    public private(set) var fault: PeerError?
    /// The bound socket, while it listens; otherwise -1.
    var listening: Int32
    /// The bound socket, which keeps the port from other programs while it does not listen.
    private var bound: Int32
    var table = PeerSockets()
    /// How each connection is ended as soon as it is accepted; `nil` if it is not.
    var turnsAway: LinkImpairment.End?
    /// Whether packets from the device are discarded.
    var isDropping = false

    /// Opens the socket and starts listening.
    ///
    /// - Parameters:
    ///   - address: A local address, or the unspecified one (`0.0.0.0`, `::`) for all.
    ///   - port: The port; 0 lets the kernel choose.
    /// - Throws: `PeerError` with code `cannotListen`.
    public init(address: IPAddress, port: UInt16) throws(PeerError) {
        let descriptor = try Self.bind(address: address, port: port)
        let own = SocketAddress.read { getsockname(descriptor, $0, $1) }
        self.address = address
        localPort = own.endpoint?.port ?? port
        (bound, listening) = (descriptor, -1)
        try listen()
    }

    deinit { closeDescriptors() }

    /// The device's ends of the open connections, oldest descriptor first.
    public var connections: [PeerConnection] { table.connections }

    /// Whether received bytes are kept for `takeReceived`.
    public var keepsReceived: Bool {
        get { table.keepsReceived }
        set { table.keepsReceived = newValue }
    }

    /// What protects its connections from now on; `nil` if they carry plain bytes.
    public var channels: (any SecureChannels)? {
        get { table.channels }
        set { table.channels = newValue }
    }

    /// Returns and removes the lines of a key log of its connections.
    public func takeKeys() -> [UInt8] { table.takeKeys() }

    /// Returns what protects bytes that were written last on a connection.
    public func takeProtected(_ plain: [UInt8], on connection: PeerConnection) -> [UInt8]? {
        table.takeProtected(plain, on: connection)
    }

    /// Returns and removes the kept bytes, in order.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        table.takeReceived()
    }

    /// The descriptors and events for the poll loop.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        var watched = table.pollDescriptors
        if listening >= 0, fault == nil { watched.append((fd: listening, events: Int16(POLLIN))) }
        return watched
    }

    /// Handles the `poll` result of one descriptor; a descriptor of another owner is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) {
        guard revents != 0 else { return }
        if fd == listening {
            acceptAll()
        } else {
            table.handle(fd, revents)
        }
    }

    /// Carries out a command of the peer.
    @discardableResult
    public func perform(_ command: PeerCommand) -> Outcome {
        switch command {
        case .write(let connection, _), .writeSegments(let connection, _, _),
            .packet(let connection, _), .close(let connection), .reset(let connection):
            if !table.contains(connection) { acceptAll() }
        case .closeAll:
            acceptAll()
        case .connect:
            break
        }
        return table.perform(command)
    }

    /// Stops listening and closes every descriptor at the end of a case.
    ///
    /// Bytes that wait to be written are lost.
    public func stop() {
        table.stop()
        closeDescriptors()
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
            PeerSockets.configure(accepted.result)
            table.add(accepted.result, as: connection)
            switch turnsAway {
            case .close: perform(.close(connection))
            case .reset: perform(.reset(connection))
            case nil: break
            }
        }
    }

    private func closeDescriptors() {
        table.closeDescriptors()
        if bound >= 0 { close(bound) }
        (bound, listening) = (-1, -1)
    }

    /// What its connections have written.
    public var sent: SentTraffic {
        let own = PeerConnection(address: address, port: localPort)
        var sent = SentTraffic()
        sent.streams = table.written.map {
            .init(own: own, other: $0.connection, marks: $0.marks)
        }
        return sent
    }

    /// Starts listening at the bound port.
    func listen() throws(PeerError) {
        // Accepted connections of earlier must not prevent it.
        PeerSockets.set(bound, SOL_SOCKET, SO_REUSEADDR)
        guard Glibc.listen(bound, Self.backlog) == 0 else {
            throw Self.refusal("listen on", address, localPort)
        }
        listening = bound
    }

    /// Stops listening, so that the kernel refuses connections, and keeps the port.
    ///
    /// Nobody else can listen there: the socket stays bound and does not share its address.
    func stopListening() {
        guard listening >= 0 else { return }
        // Connections that the kernel has accepted already count as accepted before.
        acceptAll()
        PeerSockets.set(bound, SOL_SOCKET, SO_REUSEADDR, to: 0)
        shutdown(bound, Int32(SHUT_RDWR))
        listening = -1
    }
}

extension PeerListener {
    /// Opens a socket that is bound to a port.
    ///
    /// A port that the kernel chose is bound once more by its number, because the kernel gives up
    /// a port that it chose when the socket stops listening.
    private static func bind(address: IPAddress, port: UInt16) throws(PeerError) -> Int32 {
        let first = try bindOnce(address: address, port: port)
        guard port == 0 else { return first }
        defer { close(first) }
        let chosen = SocketAddress.read { getsockname(first, $0, $1) }.endpoint?.port ?? 0
        return try bindOnce(address: address, port: chosen)
    }

    private static func bindOnce(address: IPAddress, port: UInt16) throws(PeerError) -> Int32 {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw refusal("open a socket", address, port) }
        PeerSockets.set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        if address.isIPv6 { PeerSockets.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        PeerSockets.configure(descriptor)
        let bound = SocketAddress.withKernelForm(of: address, port: port) {
            Glibc.bind(descriptor, $0, $1)
        }
        guard bound == 0 else {
            let error = refusal("bind", address, port)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The limit on connections that wait to be accepted; a reconnect storm must not be refused.
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
}
