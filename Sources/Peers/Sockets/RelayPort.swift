import Glibc
import TCPIP

/// Stands between a device and a real program: it listens for the device, and for each connection
/// opens one to the program.
///
/// What the device sends goes to the program at once. What the program sends waits in `takeReceived`
/// until the peer has it written, so that faults of the line can spoil it.
public final class RelayPort: PeerPort {
    private let listener: PeerListener
    /// Where the program listens.
    private let program: PeerConnection
    private var upstream = PeerSockets()
    /// Connections whose end has been passed on, by direction.
    private var ended: (byDevice: Set<PeerConnection>, byProgram: Set<PeerConnection>) = ([], [])
    private var known: Set<PeerConnection> = []
    /// Why it cannot go on, if it cannot.
    public var fault: PeerError? { listener.fault ?? callFault }
    private var callFault: PeerError?

    /// Listens for the device.
    ///
    /// - Parameters:
    ///   - address: A local address.
    ///   - port: The port; 0 lets the kernel choose.
    ///   - program: Where the program listens.
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
    /// The device's ends of the connections that are open.
    public var connections: [PeerConnection] { listener.connections }
    /// Always: what arrives is for the program.
    public var keepsReceived: Bool {
        get { true }
        set {}
    }

    /// What the poll loop is to watch.
    public var pollDescriptors: [(fd: Int32, events: Int16)] {
        listener.pollDescriptors + upstream.pollDescriptors
    }

    /// Takes what `poll` found on one descriptor; one that is not its own is ignored.
    public func handle(_ fd: Int32, _ revents: Int16) {
        listener.handle(fd, revents)
        upstream.handle(fd, revents)
        relay()
    }

    /// What the program has sent; no bytes where it has ended a connection.
    public func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        var received = upstream.takeReceived()
        for connection in known
        where !ended.byProgram.contains(connection) && upstream.hasEnded(connection) {
            ended.byProgram.insert(connection)
            received.append((connection, []))
        }
        return received
    }

    /// Does what a line orders.
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome {
        let outcome = try listener.perform(operation)
        relay()
        return outcome
    }

    /// Closes every descriptor.
    public func stop() {
        listener.stop()
        upstream.stop()
    }

    /// Opens what is to be opened to the program, passes on what the device has sent, and ends what
    /// the device has ended.
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
