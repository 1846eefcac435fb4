import Glibc
import TCPIP

/// The UDP sockets of a peer: one that takes what devices send to its port, or those from which it
/// calls a device.
///
/// What arrives is drained and thrown away; the peer learns it from the trace. What is written goes
/// out as one datagram: to the end that a peer which listens names, or to the device from the peer's
/// own end. A connection whose address is that of a group, or of all, is where a datagram goes in
/// either case.
public final class DatagramPort: PeerPort {
    /// The address of its sockets.
    public let address: IPAddress
    /// The port that it is bound to; 0 for a peer that calls.
    public let localPort: UInt16
    /// Why it could not go on, if it could not.
    public private(set) var fault: PeerError?
    /// Nothing is kept: a datagram is whole in the trace.
    public var keepsReceived = false
    private let device: PeerConnection?
    /// The sockets and their own ends, the oldest first.
    private var sockets: [(descriptor: Int32, end: PeerConnection)] = []
    /// Who has sent something, the latest last; of a peer that listens.
    private var senders: [PeerConnection] = []
    private var isDropping = false
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)

    /// Senders that are remembered.
    private static let sendersMax = 64
    /// Datagrams that one call drains at most, so that a flood cannot hold the poll loop.
    private static let readsAtOnce = 256

    /// Opens a socket that takes datagrams.
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

    /// Makes a caller; nothing is opened before it calls.
    ///
    /// - Parameters:
    ///   - address: A local address, of the same family as the device's.
    ///   - device: Where the device takes datagrams.
    public init(address: IPAddress, calling device: PeerConnection) {
        self.address = address
        self.device = device
        localPort = 0
    }

    deinit { closeAll() }

    /// The ends by which flows are known: those of the caller, otherwise those of the sender.
    public var connections: [PeerConnection] { device == nil ? senders : sockets.map(\.end) }

    /// What the poll loop is to watch.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        sockets.map { (fd: $0.descriptor, events: Int16(POLLIN)) }
    }

    /// Drains a socket; one that is not its own is ignored.
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
            if device == nil, let sender = received.endpoint { note(sender) }
        }
    }

    private func note(_ sender: PeerConnection) {
        senders.removeAll { $0 == sender }
        senders.append(sender)
        if senders.count > Self.sendersMax { senders.removeFirst() }
    }

    /// Does what a line orders.
    ///
    /// - Throws: `PeerError` with code `cannotListen` if the port cannot be had again,
    ///   `cannotCall` if a datagram cannot be sent, `unknownAction` for what only connections have.
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome {
        switch operation {
        case .command(let command): return try perform(command)
        case .stopListening: closeAll()
        case .listen: try listenAgain()
        case .blackHole: try setDropping(true)
        case .resetAll: break
        case .turnAway, .forgetAll, .setStalled:
            throw PeerError(.unknownAction, "there are no connections of UDP")
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
    /// - Parameter connection: Where to, or, for a caller, from which of its ends; port 0 is the
    ///   latest of them, which is opened if there is none.
    private func send(
        _ bytes: [UInt8], _ connection: PeerConnection
    ) throws(PeerError) -> CommandOutcome {
        if device != nil, sockets.isEmpty { sockets.append(try Self.open(address, 0)) }
        guard let latest = sockets.last else { return .noConnection }
        let isShared = connection.address.cast != .unicast
        var descriptor = latest.descriptor
        if device != nil, !isShared, connection.port != 0 {
            guard let own = sockets.first(where: { $0.end == connection }) else {
                return .noConnection
            }
            descriptor = own.descriptor
        }
        let target = isShared ? connection : device ?? connection
        let sent = SocketAddress.withKernelForm(of: target.address, port: target.port) {
            address, length in
            bytes.withUnsafeBytes {
                sendto(descriptor, $0.baseAddress, $0.count, 0, address, length)
            }
        }
        guard sent < 0 else { return .done }
        switch errno {
        case EAGAIN, ENOBUFS: return .queueFull
        case let number:
            throw PeerError(
                .cannotCall,
                "cannot send \(bytes.count) bytes to \(target): "
                    + describeErrno(number))
        }
    }

    private func listenAgain() throws(PeerError) {
        if isDropping { try setDropping(false) }
        guard sockets.isEmpty, device == nil else { return }
        sockets = [try Self.open(address, localPort)]
    }

    /// Lets the kernel throw away each datagram that arrives, without a word to its sender.
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

    /// Closes every descriptor, for the end of a case.
    public func stop() { closeAll() }

    /// Nothing: see `keepsReceived`.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] { [] }

    private func closeAll() {
        for (descriptor, _) in sockets { close(descriptor) }
        sockets = []
    }

    private static func open(
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
            // Where a group is reached: by the interface that has this address.
            var interface = in_addr(s_addr: UInt32(truncatingIfNeeded: address.words.low).bigEndian)
            setsockopt(
                descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface,
                socklen_t(MemoryLayout<in_addr>.size))
        }
        let own = SocketAddress.read { getsockname(descriptor, $0, $1) }.endpoint
        return (descriptor, own ?? PeerConnection(address: address, port: port))
    }
}
