import Glibc
import TCPIP
import Wire

/// The UDP sockets of a peer.
///
/// Either one socket receives what devices send to its port, or one or more sockets send to a
/// device. What arrives is drained and discarded; the peer learns it from the trace. Each write
/// becomes one datagram: to the end that a listening peer names, or to the device from the peer's
/// own end. A connection whose address is a multicast or broadcast address is the destination of
/// the datagram in either case.
public final class DatagramPort: PeerPort {
    /// The local address of the sockets.
    public let address: IPAddress
    /// The port that it is bound to; 0 for a peer that sends to the device.
    public let localPort: UInt16
    /// The error that stopped it, if there is one.
    public private(set) var fault: PeerError?
    /// Without effect: nothing is kept, because a datagram is complete in the trace.
    public var keepsReceived = false
    private let device: PeerConnection?
    /// The sockets and their own ends, oldest first.
    private var sockets: [(descriptor: Int32, end: PeerConnection)] = []
    /// The senders of datagrams, latest last; only for a listening peer.
    private var senders: [PeerConnection] = []
    /// The socket that keeps the port from other programs while the peer does not listen.
    private var held: (descriptor: Int32, end: PeerConnection)?
    /// What was sent.
    public private(set) var sent = SentTraffic()
    private var isDropping = false
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)

    /// The limit on senders that are kept.
    private static let sendersMax = 64
    /// The most datagrams that one call drains, so that a flood cannot block the poll loop.
    private static let readsAtOnce = 256

    /// Opens a socket that receives datagrams.
    ///
    /// - Parameters:
    ///   - address: A local address.
    ///   - port: The port; 0 lets the kernel choose.
    /// - Throws: `PeerError` with code `cannotListen`.
    public init(address: IPAddress, port: UInt16) throws(PeerError) {
        let (descriptor, end) = try Self.open(address, port)
        self.address = address
        localPort = end.port
        device = nil
        sockets = [(descriptor, end)]
    }

    /// Creates a port that sends to a device; it opens no socket yet.
    ///
    /// - Parameters:
    ///   - address: A local address, of the same family as the device's.
    ///   - device: The end at which the device receives datagrams.
    public init(address: IPAddress, calling device: PeerConnection) {
        self.address = address
        self.device = device
        localPort = 0
    }

    deinit { closeAll() }

    /// The ends that identify flows: its own ends if it sends to a device, otherwise the senders'.
    public var connections: [PeerConnection] { device == nil ? senders : sockets.map(\.end) }

    /// The descriptors and events for the poll loop.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        sockets.map { (fd: $0.descriptor, events: Int16(POLLIN)) }
    }

    /// Drains a socket; a descriptor of another owner is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) {
        guard revents != 0, sockets.contains(where: { $0.descriptor == fd }) else { return }
        for _ in 0..<Self.readsAtOnce {
            let received = SocketAddress.read { address, length in
                scratch.withUnsafeMutableBytes {
                    Int32(
                        clamping: recvfrom(
                            fd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT), address,
                            length))
                }
            }
            guard received.result >= 0 else { return }
            if device == nil, let sender = received.endpoint { record(sender) }
        }
    }

    private func record(_ sender: PeerConnection) {
        senders.removeAll { $0 == sender }
        senders.append(sender)
        if senders.count > Self.sendersMax { senders.removeFirst() }
    }

    /// Carries out an operation of link impairment.
    ///
    /// - Throws: `PeerError` with code `cannotListen` if the port cannot be bound again,
    ///   `cannotCall` if a datagram cannot be sent, `unknownAction` for an operation that needs
    ///   connections.
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome {
        switch operation {
        case .command(let command): return try perform(command)
        case .stopListening: stopListening()
        case .listen: try listenAgain()
        case .blackHole: try setDropping(true)
        case .resetAll: break
        case .turnAway, .forgetAll, .setStalled:
            throw PeerError(.unknownAction, "UDP has no connections")
        }
        return .done
    }

    private func perform(_ command: PeerCommand) throws(PeerError) -> CommandOutcome {
        switch command {
        case .connect:
            guard device != nil else { return .noConnection }
            sockets.append(try Self.open(address, 0))
        case .write(let connection, let bytes), .packet(let connection, let bytes),
            .writeSegments(let connection, let bytes, _):
            return try send(bytes, connection)
        case .close(let connection), .reset(let connection):
            senders.removeAll { $0 == connection }
        case .closeAll: senders = []
        }
        return .done
    }

    /// Sends a datagram.
    ///
    /// - Parameter connection: The destination or, for a peer that sends to a device, the local
    ///   end;
    ///   port 0 means the latest end, which is opened if there is none.
    private func send(
        _ bytes: [UInt8], _ connection: PeerConnection
    ) throws(PeerError) -> CommandOutcome {
        if device != nil, sockets.isEmpty { sockets.append(try Self.open(address, 0)) }
        guard let latest = sockets.last else { return .noConnection }
        let isShared = connection.address.cast != .unicast
        var sender = latest
        if device != nil, !isShared, connection.port != 0 {
            guard let own = sockets.first(where: { $0.end == connection }) else {
                return .noConnection
            }
            sender = own
        }
        let target = isShared ? connection : device ?? connection
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let result = SocketAddress.withKernelForm(of: target.address, port: target.port) {
            address, length in
            bytes.withUnsafeBytes {
                sendto(sender.descriptor, $0.baseAddress, $0.count, 0, address, length)
            }
        }
        guard result < 0 else {
            sent.datagrams[.init(own: sender.end, other: target), default: []].append(
                .init(
                    digest: StreamDigest.value(of: bytes.span.bytes),
                    time: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)))
            return .done
        }
        switch errno {
        case EAGAIN, ENOBUFS: return .queueFull
        case let number:
            throw PeerError(
                .cannotCall,
                "cannot send \(bytes.count) bytes to \(target): "
                    + describeErrno(number))
        }
    }

    /// Stops receiving, so that the kernel reports the port as unreachable, and keeps the port.
    ///
    /// A socket that is connected to its own end receives nothing from others.
    private func stopListening() {
        guard device == nil, let socket = sockets.first else { return closeAll() }
        handle(socket.descriptor, Int16(POLLIN))
        let own = socket.end
        let result = SocketAddress.withKernelForm(of: own.address, port: own.port) {
            connect(socket.descriptor, $0, $1)
        }
        guard result == 0 else { return closeAll() }
        (held, sockets) = (socket, [])
    }

    private func listenAgain() throws(PeerError) {
        guard sockets.isEmpty, device == nil else {
            if isDropping { try setDropping(false) }
            return
        }
        var nobody = sockaddr()
        nobody.sa_family = sa_family_t(AF_UNSPEC)
        let size = socklen_t(MemoryLayout<sockaddr>.size)
        if let held, connect(held.descriptor, &nobody, size) == 0 {
            (sockets, self.held) = ([held], nil)
        } else {
            closeAll()
            sockets = [try Self.open(address, localPort)]
        }
        if isDropping { try setDropping(false) }
    }

    /// Makes the kernel discard each datagram that arrives, without notifying its sender.
    private func setDropping(_ isDropping: Bool) throws(PeerError) {
        for (descriptor, _) in sockets {
            let result = isDropping ? PacketDrop.attach(descriptor) : PacketDrop.detach(descriptor)
            guard result == 0 || (!isDropping && errno == ENOENT) else {
                throw PeerError(
                    .cannotListen, "the kernel does not drop packets: \(describeErrno(errno))")
            }
        }
        self.isDropping = isDropping
    }

    /// Closes every descriptor at the end of a case.
    public func stop() { closeAll() }

    /// Returns nothing: see `keepsReceived`.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] { [] }

    private func closeAll() {
        for (descriptor, _) in sockets + [held].compactMap(\.self) { close(descriptor) }
        (sockets, held) = ([], nil)
    }

    /// Opens a socket at a port.
    ///
    /// A port that the kernel chose is bound by its number, because the kernel otherwise gives it
    /// up when a connection of the socket is dissolved.
    private static func open(
        _ address: IPAddress, _ port: UInt16
    ) throws(PeerError) -> (descriptor: Int32, end: PeerConnection) {
        let first = try openOnce(address, port)
        guard port == 0 else { return first }
        close(first.descriptor)
        do throws(PeerError) {
            return try openOnce(address, first.end.port)
        } catch {
            return try openOnce(address, 0)
        }
    }

    private static func openOnce(
        _ address: IPAddress, _ port: UInt16
    ) throws(PeerError) -> (descriptor: Int32, end: PeerConnection) {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else {
            throw PeerError(.cannotListen, "cannot open a socket: \(describeErrno(errno))")
        }
        PeerSockets.configure(descriptor)
        PeerSockets.set(descriptor, SOL_SOCKET, SO_BROADCAST)
        let bound = SocketAddress.withKernelForm(of: address, port: port) {
            bind(descriptor, $0, $1)
        }
        guard bound == 0 else {
            let error = PeerError(
                .cannotListen,
                "cannot take datagrams at \(PeerConnection(address: address, port: port)): "
                    + describeErrno(errno),
                advice: "give a free port of this host")
            close(descriptor)
            throw error
        }
        if !address.isIPv6 {
            // A multicast group is reached through the interface that has this address.
            var interface = in_addr(s_addr: UInt32(truncatingIfNeeded: address.words.low).bigEndian)
            setsockopt(
                descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface,
                socklen_t(MemoryLayout<in_addr>.size))
        }
        let own = SocketAddress.read { getsockname(descriptor, $0, $1) }.endpoint
        return (descriptor, own ?? PeerConnection(address: address, port: port))
    }
}
