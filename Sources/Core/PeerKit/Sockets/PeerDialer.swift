import Glibc
import TCPIP

/// The connections that a peer opens to the device: the counterpart of `PeerListener`.
///
/// It connects from a separate address, which identifies the peer in a trace, and from ports that
/// the kernel chooses.
public final class PeerDialer: PeerPort {
    /// The local address.
    public let address: IPAddress
    /// The address of the device.
    public let deviceAddress: IPAddress
    /// The port on which the device listens.
    public let devicePort: UInt16
    /// The error that stopped it, if there is one.
    public private(set) var fault: PeerError?
    private var table = PeerSockets()

    /// Creates a dialer; it opens no connection.
    ///
    /// - Parameters:
    ///   - address: A local address, of the same family as the device's.
    ///   - deviceAddress: The address on which the device listens.
    ///   - devicePort: The port on which the device listens.
    public init(address: IPAddress, deviceAddress: IPAddress, devicePort: UInt16) {
        self.address = address
        self.deviceAddress = deviceAddress
        self.devicePort = devicePort
    }

    deinit { table.closeDescriptors() }

    /// The peer's ends of the open connections, oldest descriptor first.
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
    public var pollDescriptors: [(fd: Int32, events: Int16)] { table.pollDescriptors }

    /// Handles the `poll` result of one descriptor; a descriptor of another owner is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) { table.handle(fd, revents) }

    /// Carries out an operation of link impairment.
    ///
    /// - Throws: `PeerError` with code `cannotCall` if no connection could be attempted; a
    ///   connection
    ///   that the device refuses was attempted. With code `unknownAction` for an operation that
    ///   only a
    ///   listening peer supports.
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome {
        switch operation {
        case .command(.connect):
            try call()
            return .done
        case .command(let command):
            return table.perform(command)
        case .resetAll:
            for connection in connections { _ = table.perform(.reset(connection)) }
        case .setStalled(let isStalled):
            table.setStalled(isStalled)
        case .stopListening, .listen, .turnAway, .blackHole, .forgetAll:
            throw PeerError(.unknownAction, "a peer that calls the device does not listen")
        }
        return .done
    }

    /// Closes every descriptor; bytes that wait to be written are lost.
    public func stop() { table.stop() }

    /// What its connections have written.
    public var sent: SentTraffic {
        let device = PeerConnection(address: deviceAddress, port: devicePort)
        var sent = SentTraffic()
        sent.streams = table.written.map {
            .init(own: $0.connection, other: device, marks: $0.marks)
        }
        return sent
    }

    private func call() throws(PeerError) {
        let descriptor = try Self.socket(boundTo: address, port: 0)
        PeerSockets.configure(descriptor)
        let result = SocketAddress.withKernelForm(of: deviceAddress, port: devicePort) {
            connect(descriptor, $0, $1)
        }
        let number = result == 0 ? 0 : errno
        switch number {
        case 0, EINPROGRESS:
            let own = SocketAddress.read { getsockname(descriptor, $0, $1) }.endpoint
            table.add(descriptor, as: own ?? PeerConnection(address: address, port: 0))
        case ECONNREFUSED:
            // A refusal that is known at once was on the wire, like one that comes later.
            let own = SocketAddress.read { getsockname(descriptor, $0, $1) }.endpoint
            table.record(own ?? PeerConnection(address: address, port: 0))
            close(descriptor)
        default:
            close(descriptor)
            let device = PeerConnection(address: deviceAddress, port: devicePort)
            throw PeerError(.cannotCall, "cannot call \(device): \(describeErrno(number))")
        }
    }

    /// Opens a connection on this host that involves no device; it may be established later.
    ///
    /// - Throws: `PeerError` with code `cannotCall`.
    static func call(_ place: PeerConnection) throws(PeerError) -> Int32 {
        let descriptor = try socket(boundTo: place.address, port: 0)
        PeerSockets.configure(descriptor)
        let result = SocketAddress.withKernelForm(of: place.address, port: place.port) {
            connect(descriptor, $0, $1)
        }
        guard result == 0 || errno == EINPROGRESS else {
            let error = PeerError(
                .cannotCall, "cannot call \(place): \(describeErrno(errno))")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Returns a free port of a local address, on which a program can listen.
    ///
    /// The port is below the ports that the kernel assigns.
    ///
    /// - Throws: `PeerError` with code `cannotCall` if there is none.
    public static func lowFreePort(of address: IPAddress) throws(PeerError) -> UInt16 {
        for _ in 0..<lowPortTries {
            let port = UInt16.random(in: lowPorts)
            guard let descriptor = try? socket(boundTo: address, port: port) else { continue }
            close(descriptor)
            return port
        }
        throw PeerError(.cannotCall, "no port is free for a program")
    }

    private static let lowPorts: ClosedRange<UInt16> = 20_000...29_999
    private static let lowPortTries = 100

    /// Returns a port of a local address on which nothing listens, for a device to listen on.
    ///
    /// - Throws: `PeerError` with code `cannotCall` if the address is not one of this host.
    public static func freePort(of address: IPAddress) throws(PeerError) -> UInt16 {
        let descriptor = try socket(boundTo: address, port: 0)
        defer { close(descriptor) }
        return SocketAddress.read({ getsockname(descriptor, $0, $1) }).endpoint?.port ?? 0
    }

    private static func socket(
        boundTo address: IPAddress, port: UInt16
    ) throws(PeerError) -> Int32 {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else {
            throw PeerError(.cannotCall, "cannot open a socket: \(describeErrno(errno))")
        }
        let bound = SocketAddress.withKernelForm(of: address, port: port) {
            bind(descriptor, $0, $1)
        }
        guard bound == 0 else {
            let error = PeerError(
                .cannotCall, "cannot call from \(address): \(describeErrno(errno))",
                advice: "give an address of this host")
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
