import Glibc
import TCPIP

/// The connections that a peer opens to the device: the counterpart of `PeerListener`.
///
/// It calls from an address of its own, which tells in a trace that this peer called, and from
/// ports that the kernel chooses.
public final class PeerDialer: PeerPort {
    /// The address that it calls from.
    public let address: IPAddress
    /// The address of the device.
    public let deviceAddress: IPAddress
    /// The port on which the device listens.
    public let devicePort: UInt16
    /// Why it could not call, if it could not.
    public private(set) var fault: PeerError?
    private var table = PeerSockets()

    /// Makes a caller; nothing is opened.
    ///
    /// - Parameters:
    ///   - address: A local address, of the same family as the device's.
    ///   - deviceAddress: Where the device listens.
    ///   - devicePort: On which port.
    public init(address: IPAddress, deviceAddress: IPAddress, devicePort: UInt16) {
        self.address = address
        self.deviceAddress = deviceAddress
        self.devicePort = devicePort
    }

    deinit { table.closeDescriptors() }

    /// The peer's ends of the connections that are open, oldest descriptor first.
    public var connections: [PeerConnection] { table.connections }

    /// Whether what arrives is kept for `takeReceived`.
    public var keepsReceived: Bool {
        get { table.keepsReceived }
        set { table.keepsReceived = newValue }
    }

    /// What has arrived and was kept, in operation; it is not handed out again.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        table.takeReceived()
    }

    /// What the poll loop is to watch.
    public var pollDescriptors: [(fd: Int32, events: Int16)] { table.pollDescriptors }

    /// Takes what `poll` found on one descriptor; one that is not its own is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) { table.handle(fd, revents) }

    /// Does what a line orders.
    ///
    /// - Throws: `PeerError` with code `cannotCall` if no connection could be attempted; one that
    ///   the device refuses was attempted. With code `unknownAction` for what only a peer that
    ///   listens can do.
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

    /// Closes every descriptor; what still waits to be written is lost.
    public func stop() { table.stop() }

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
            // A refusal that is known at once was on the wire like one that comes later.
            close(descriptor)
        default:
            close(descriptor)
            let device = PeerConnection(address: deviceAddress, port: devicePort)
            throw PeerError(.cannotCall, "cannot call \(device): \(describeErrno(number))")
        }
    }

    /// Opens a connection on this host that no device has to do with; it may be established later.
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

    /// A port of a local address below those that the kernel gives out, free for a program to listen
    /// on.
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

    /// A port of a local address that nothing listens on, for a device to listen on.
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
