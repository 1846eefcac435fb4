import AccessoryBus
import ExternalAccessory

/// A carrier of accessories and their sessions: a state machine without clock and I/O.
///
/// `now` is the time by the device's clock.
protocol SessionCarrier: Sendable {
    /// The accessories that are connected, oldest first.
    var accessories: [ExternalAccessory.Accessory] { get }

    /// Starts to look for accessories, unless it already does.
    mutating func start() -> [CarrierAction]
    /// Requests a session; events about it carry the number that is returned.
    mutating func openSession(
        with accessory: UInt32, protocolString: String, at now: Duration
    ) -> (session: SessionNumber, actions: [CarrierAction])
    /// Sends bytes in an open session.
    mutating func send(_ bytes: [UInt8], in session: SessionNumber, at now: Duration)
        -> [CarrierAction]
    /// Ends a session, or abandons one that has not opened; no more events are reported for it.
    mutating func close(_ session: SessionNumber, at now: Duration) -> [CarrierAction]

    /// Handles an established connection.
    mutating func connected(_ connection: CarrierConnection, at now: Duration) -> [CarrierAction]
    /// Handles bytes from a connection.
    mutating func received(
        _ bytes: [UInt8], on connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction]
    /// Handles a connection that has ended, could not be made or broke, with the reason.
    mutating func ended(_ connection: CarrierConnection, _ reason: String) -> [CarrierAction]
    /// Handles a timer that has fired.
    mutating func timerFired(_ timer: CarrierTimer, at now: Duration) -> [CarrierAction]
}

/// A connection of a carrier to the peer's port.
enum CarrierConnection: Sendable, Hashable {
    case bus(PhoneSide.Connection)
    /// An iAP2 link, counted from 1.
    case link(Int)
}

/// The timers of a carrier.
enum CarrierTimer: Sendable, Hashable {
    /// Until the next deadline of a link.
    case link(Int)
    /// Until no other accessory is expected to have been present from the start.
    case settled
    /// Until the spare connection is made again.
    case spare
}

/// An action that a carrier requests.
enum CarrierAction: Sendable, Hashable {
    case connect(CarrierConnection)
    case send([UInt8], CarrierConnection)
    /// Close it after the bytes sent before are out; later events of it are ignored.
    case close(CarrierConnection)
    case startTimer(CarrierTimer, milliseconds: Int)
    case stopTimer(CarrierTimer)
    case report(BusEvent)
}

/// The accessory bus as a carrier.
struct BusCarrier: SessionCarrier {
    private var phone = PhoneSide()

    var accessories: [ExternalAccessory.Accessory] { phone.accessories }

    mutating func start() -> [CarrierAction] { phone.start().map(CarrierAction.init) }

    mutating func openSession(
        with accessory: UInt32, protocolString: String, at now: Duration
    ) -> (session: SessionNumber, actions: [CarrierAction]) {
        let (session, actions) = phone.openSession(
            with: accessory, protocolString: protocolString)
        return (session, actions.map(CarrierAction.init))
    }

    mutating func send(
        _ bytes: [UInt8], in session: SessionNumber, at now: Duration
    ) -> [CarrierAction] {
        phone.send(bytes, in: session).map(CarrierAction.init)
    }

    mutating func close(_ session: SessionNumber, at now: Duration) -> [CarrierAction] {
        phone.close(session).map(CarrierAction.init)
    }

    mutating func connected(
        _ connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction] {
        guard case .bus(let connection) = connection else { return [] }
        return phone.connected(connection).map(CarrierAction.init)
    }

    mutating func received(
        _ bytes: [UInt8], on connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction] {
        guard case .bus(let connection) = connection else { return [] }
        return phone.received(bytes, on: connection).map(CarrierAction.init)
    }

    mutating func ended(_ connection: CarrierConnection, _ reason: String) -> [CarrierAction] {
        guard case .bus(let connection) = connection else { return [] }
        return phone.ended(connection, reason).map(CarrierAction.init)
    }

    mutating func timerFired(_ timer: CarrierTimer, at now: Duration) -> [CarrierAction] { [] }
}

extension CarrierAction {
    /// Creates the carrier's action for an action of the bus.
    fileprivate init(_ action: PhoneSide.Action) {
        self =
            switch action {
            case .connect(let connection): .connect(.bus(connection))
            case .send(let bytes, let connection): .send(bytes, .bus(connection))
            case .close(let connection): .close(.bus(connection))
            case .report(let event): .report(event)
            }
    }
}
