import ExternalAccessory
import Glibc
import System

/// The phone's side of the accessory bus on non-blocking TCP sockets.
///
/// The owner waits for `descriptors`, for example with `poll`, together with its other descriptors,
/// and calls `advance` when one is ready. The client must not be used by several threads at a time.
/// All sockets close when it is deinitialized.
public final class BusClient {
    /// A socket to wait for.
    public struct Descriptor: Sendable, Hashable {
        /// The system's number.
        public let number: Int32
        /// Whether to wait for writability as well as for readability.
        public let wantsToWrite: Bool
    }

    private let address: NumericAddress
    private var phone = PhoneSide()
    private var sockets: [PhoneSide.Connection: TCPConnection] = [:]
    /// The events that `advance` has not returned yet.
    private var events: [BusEvent] = []

    /// Creates a client without connections.
    ///
    /// Returns `nil` unless `host` is a numeric IPv4 or IPv6 address, or `localhost`.
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

    /// Opens the control connection if there is none.
    ///
    /// Call it again after `BusEvent.lost`.
    public func start() { perform(phone.start()) }

    /// Requests a session; events about it carry the number that is returned.
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

    /// Sends bytes in an open session; does nothing if the session is not open.
    ///
    /// Bytes that the system does not accept at once are sent by later calls of `advance`.
    public func send(_ bytes: [UInt8], in session: SessionNumber) {
        perform(phone.send(bytes, in: session))
    }

    /// Ends a session, or abandons one that has not opened; no more events are reported for it.
    public func close(_ session: SessionNumber) { perform(phone.close(session)) }

    // MARK: Waiting

    /// The sockets to wait for.
    public var descriptors: [Descriptor] {
        sockets.values.map {
            Descriptor(number: $0.descriptor, wantsToWrite: $0.wantsToWrite)
        }
    }

    /// Whether `advance` has events to return although no socket is ready.
    public var hasEvents: Bool { !events.isEmpty }

    /// Does what can be done without waiting, and returns the events that have occurred.
    public func advance() -> [BusEvent] {
        // Events about accessories come before events about their sessions.
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
