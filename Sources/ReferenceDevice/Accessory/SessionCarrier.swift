import AccessoryBus
import ExternalAccessory

/// What brings accessories and their sessions to the app: a state machine without clock and I/O.
///
/// `now` is the time by the device's clock.
protocol SessionCarrier: Sendable {
    /// The accessories that are connected, oldest first.
    var accessories: [ExternalAccessory.Accessory] { get }

    /// Begins to look for accessories, if it does not yet.
    mutating func start() -> [CarrierAction]
    /// Asks for a session; what comes of it is reported under the number that is returned.
    mutating func openSession(
        with accessory: UInt32, protocolString: String, at now: Duration
    ) -> (session: SessionNumber, actions: [CarrierAction])
    /// Sends bytes in a session that is open.
    mutating func send(_ bytes: [UInt8], in session: SessionNumber, at now: Duration)
        -> [CarrierAction]
    /// Ends a session, or gives up one that has not opened; it is not reported of any more.
    mutating func close(_ session: SessionNumber, at now: Duration) -> [CarrierAction]

    /// Takes that a connection stands.
    mutating func connected(_ connection: CarrierConnection, at now: Duration) -> [CarrierAction]
    /// Takes bytes that a connection has brought.
    mutating func received(
        _ bytes: [UInt8], on connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction]
    /// Takes that a connection has ended, could not be made or broke, and why.
    mutating func ended(_ connection: CarrierConnection, _ reason: String) -> [CarrierAction]
    /// Takes that a timer has run out.
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
    /// Until a link has something to do.
    case link(Int)
    /// Until no other accessory is expected to have been there from the start.
    case settled
    /// Until the spare connection is made again.
    case spare
}

/// Something that a carrier wants done.
enum CarrierAction: Sendable, Hashable {
    case connect(CarrierConnection)
    case send([UInt8], CarrierConnection)
    /// Close it after what was sent; nothing of it is wanted any more.
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
    /// What the bus wants done.
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
