import Glibc
import TCPIP

/// A relay between a device and a real program.
///
/// It listens for the device, and opens a connection to the program for each connection of the
/// device. What the device sends goes to the program at once. What the program sends waits in
/// `takeReceived` until the peer writes it, so that link impairment can apply to it.
public final class RelayPort: PeerPort {
    private let listener: PeerListener
    /// The end on which the program listens.
    private let program: PeerConnection
    private var upstream = PeerSockets()
    /// Connections whose end has been passed on, by direction.
    private var ended: (byDevice: Set<PeerConnection>, byProgram: Set<PeerConnection>) = ([], [])
    private var known: Set<PeerConnection> = []
    /// The error that stopped it, if there is one.
    public var fault: PeerError? { listener.fault ?? callFault }
    private var callFault: PeerError?

    /// Creates a relay that listens for the device.
    ///
    /// - Parameters:
    ///   - address: A local address.
    ///   - port: The port; 0 lets the kernel choose.
    ///   - program: The end on which the program listens.
    /// - Throws: `PeerError` with code `cannotListen`.
    public init(
        address: IPAddress, port: UInt16, to program: PeerConnection
    ) throws(PeerError) {
        listener = try PeerListener(address: address, port: port)
        listener.keepsReceived = true
        upstream.keepsReceived = true
        self.program = program
    }

    /// The port that it listens on.
    public var localPort: UInt16 { listener.localPort }
    /// The device's ends of the open connections.
    public var connections: [PeerConnection] { listener.connections }
    /// Always `true`: received bytes are for the program.
    public var keepsReceived: Bool {
        get { true }
        set {}
    }

    /// The descriptors and events for the poll loop.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        listener.pollDescriptors + upstream.pollDescriptors
    }

    /// Handles the `poll` result of one descriptor; a descriptor of another owner is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) {
        listener.handle(fd, revents)
        upstream.handle(fd, revents)
        relay()
    }

    /// Returns what the program has sent; empty bytes where it has ended a connection.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        var received = upstream.takeReceived()
        for connection in known
        where !ended.byProgram.contains(connection) && upstream.hasEnded(connection) {
            ended.byProgram.insert(connection)
            received.append((connection, []))
        }
        return received
    }

    /// Carries out an operation of link impairment.
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome {
        let outcome = try listener.perform(operation)
        relay()
        return outcome
    }

    /// What it has written to the device.
    public var sent: SentTraffic { listener.sent }

    /// Closes every descriptor.
    public func stop() {
        listener.stop()
        upstream.stop()
    }

    /// Relays in the direction of the program.
    ///
    /// It opens the connections to the program, passes on the device's bytes, and ends the
    /// connections that the device has ended.
    private func relay() {
        for connection in listener.table.connections where known.insert(connection).inserted {
            open(connection)
        }
        for (connection, bytes) in listener.takeReceived() {
            if upstream.perform(.write(connection, bytes)) == .queueFull {
                callFault = PeerError(.noConnection, "the program does not read")
            }
        }
        for connection in known where !ended.byDevice.contains(connection) {
            guard listener.table.hasEnded(connection) else { continue }
            ended.byDevice.insert(connection)
            let isOrderly =
                listener.table.contains(connection) || ended.byProgram.contains(connection)
            _ = upstream.perform(isOrderly ? .close(connection) : .reset(connection))
        }
        let over = known.filter { !listener.table.contains($0) && !upstream.contains($0) }
        known.subtract(over)
        ended.byDevice.subtract(over)
        ended.byProgram.subtract(over)
    }

    private func open(_ connection: PeerConnection) {
        do throws(PeerError) {
            upstream.add(try PeerDialer.call(program), as: connection)
        } catch {
            callFault = callFault ?? error
        }
    }
}
