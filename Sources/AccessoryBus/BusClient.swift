import ExternalAccessory
import Glibc
import Sockets

/// The phone's side of the accessory bus on TCP sockets that never block.
///
/// The owner waits for `descriptors` with `poll` or the like, beside whatever else it waits for,
/// and calls `advance` when one is ready. Not for several threads at a time; all sockets close when
/// the client goes away.
public final class BusClient {
    /// A socket to wait for.
    public struct Descriptor: Sendable, Hashable {
        /// The system's number.
        public let number: Int32
        /// Whether to wait also until it can be written; until it can be read always.
        public let wantsToWrite: Bool
    }

    private let address: NumericAddress
    private var phone = PhoneSide()
    private var sockets: [PhoneSide.Connection: TCPConnection] = [:]
    /// What has not been handed out yet.
    private var events: [BusEvent] = []

    /// Makes a client without connections; `nil` unless `host` is a numeric IPv4 or IPv6
    /// address, or `localhost`.
    ///
    /// - Parameters:
    ///   - host: Where the accessory side listens.
    ///   - port: Its TCP port.
    public init?(host: String, port: UInt16) {
        guard let address = NumericAddress(host: host, port: port) else { return nil }
        self.address = address
    }

    /// The accessories that are connected, oldest first; complete after `BusEvent.ready`.
    public var accessories: [ExternalAccessory.Accessory] { phone.accessories }

    /// Opens the control connection, if there is none; also again after `BusEvent.lost`.
    public func start() { perform(phone.start()) }

    /// Asks for a session; what comes of it is told under the number that is returned.
    ///
    /// - Parameters:
    ///   - accessory: The id of an accessory.
    ///   - protocolString: The protocol string, without blanks and line ends.
    public func openSession(
        with accessory: UInt32, protocolString: String
    ) -> SessionNumber {
        let (session, actions) = phone.openSession(
            with: accessory, protocolString: protocolString)
        perform(actions)
        return session
    }

    /// Sends bytes in a session that is open; in any other there is nothing to do.
    ///
    /// What the system does not take at once goes out as `advance` is called.
    public func send(_ bytes: [UInt8], in session: SessionNumber) {
        perform(phone.send(bytes, in: session))
    }

    /// Ends a session, or gives up one that has not opened; no more is told of it.
    public func close(_ session: SessionNumber) { perform(phone.close(session)) }

    // MARK: Waiting

    /// The sockets to wait for.
    public var descriptors: [Descriptor] {
        sockets.values.map {
            Descriptor(number: $0.descriptor, wantsToWrite: $0.wantsToWrite)
        }
    }

    /// Whether `advance` has something to tell although no socket is ready.
    public var hasEvents: Bool { !events.isEmpty }

    /// Does what can be done without waiting, and tells what has happened.
    public func advance() -> [BusEvent] {
        // News of accessories come before what became of their sessions.
        advance(.control)
        for connection in sockets.keys where connection != .control { advance(connection) }
        defer { events = [] }
        return events
    }

    private func advance(_ connection: PhoneSide.Connection) {
        guard let socket = sockets[connection] else { return }
        do throws(SystemError) {
            if !socket.isConnected {
                guard try socket.finishConnecting() else { return }
                perform(phone.connected(connection))
            }
            try socket.flush()
            switch try socket.receive() {
            case .bytes(let bytes): perform(phone.received(bytes, on: connection))
            case .end: end(connection, "the accessory side closed the connection")
            case .nothing: break
            }
        } catch {
            end(connection, error.description)
        }
    }

    private func end(_ connection: PhoneSide.Connection, _ reason: String) {
        sockets[connection] = nil
        perform(phone.ended(connection, reason))
    }

    private func perform(_ actions: [PhoneSide.Action]) {
        for action in actions {
            switch action {
            case .report(let event): events.append(event)
            case .close(let connection):
                sockets.removeValue(forKey: connection)?.prepareToClose()
            case .connect(let connection):
                do throws(SystemError) {
                    sockets[connection] = try TCPConnection(to: address)
                } catch {
                    end(connection, error.description)
                }
            case .send(let bytes, let connection):
                do throws(SystemError) {
                    try sockets[connection]?.send(bytes)
                } catch {
                    end(connection, error.description)
                }
            }
        }
    }
}
