import AccessoryBus
import Wire

/// The app's transport to head units over accessories, as a state machine without clock and I/O.
///
/// It sets up a session on a carrier. For the app it looks like a TCP connection, which is
/// established, cannot be made, or is lost.
struct AccessoryTransport: Sendable {
    typealias Connection = CarrierConnection

    /// The timers of the transport.
    enum Timer: Sendable, Hashable {
        /// The only timer of the session setup.
        case setup
        case carrier(CarrierTimer)
        /// Until a lost carrier is started again.
        case again
    }

    /// An event for the transport.
    enum Input: Sendable {
        /// The app wants a connection, sends, closes, or starts another app.
        case app(SetupInput)
        case connected(Connection)
        case connectFailed(Connection, String)
        case received(Connection, [UInt8])
        case disconnected(Connection, String)
        case timerFired(Timer)
    }

    /// An action that the transport requests.
    enum Action: Sendable, Hashable {
        case connect(Connection)
        case send([UInt8], Connection)
        case close(Connection)
        case startTimer(Timer, milliseconds: Int)
        case stopTimer(Timer)
        case log(Value)
        /// Notify the app that accessories can be discovered; finding none is no failure.
        case reachable
        /// Notify the app that its connection is established.
        case appConnected
        /// Notify the app that there is no way to accessories, with the reason.
        case appConnectFailed(String)
        /// Deliver bytes of its connection to the app.
        case deliver([UInt8])
        /// Notify the app that its connection is lost, with the reason.
        case appDisconnected(String)
    }

    /// Pause before a lost carrier is started again, in milliseconds.
    static let carrierPause = 500

    private var setup: SessionSetup
    private var carrier: any SessionCarrier
    /// The time of the input that is being handled.
    private var now = Duration.zero
    /// The carrier's numbers of the setup's sessions.
    private var sessions: [SessionRole: SessionNumber] = [:]
    /// Whether the accessories are known.
    private var isReady = false
    /// Whether the app waits until accessories can be discovered.
    private var isAppWaiting = false
    private var actions: [Action] = []

    /// Creates a transport on which no connection has been requested.
    init(
        settings: AccessoryUse, carrier: any SessionCarrier = BusCarrier(),
        mutant: SDLAppMutant? = nil
    ) {
        setup = SessionSetup(settings: settings, mutant: mutant)
        self.carrier = carrier
    }

    /// Handles an input and returns the actions it leads to, in order.
    ///
    /// - Parameter now: The time by the device's clock.
    mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        actions = []
        self.now = now
        switch input {
        case .app(.connect):
            isAppWaiting = !isReady
            if isReady { actions.append(.reachable) } else { perform(carrier.start()) }
            feed(.connect)
        case .app(.close):
            isAppWaiting = false
            feed(.close)
        case .app(let input): feed(input)
        case .connected(let connection): perform(carrier.connected(connection, at: now))
        case .received(let connection, let bytes):
            perform(carrier.received(bytes, on: connection, at: now))
        case .connectFailed(let connection, let reason),
            .disconnected(let connection, let reason):
            perform(carrier.ended(connection, reason))
        case .timerFired(.setup): feed(.timerFired)
        case .timerFired(.carrier(let timer)): perform(carrier.timerFired(timer, at: now))
        case .timerFired(.again): perform(carrier.start())
        }
        return actions
    }

    private mutating func feed(_ input: SetupInput) {
        for action in setup.handle(input) { perform(action) }
    }

    private mutating func perform(_ action: SetupAction) {
        switch action {
        case .open(let role, let accessory, let string):
            let (session, opening) = carrier.openSession(
                with: accessory, protocolString: string, at: now)
            sessions[role] = session
            perform(opening)
        case .close(let role):
            if let session = sessions.removeValue(forKey: role) {
                perform(carrier.close(session, at: now))
            }
        case .send(let bytes):
            if let session = sessions[.data] {
                perform(carrier.send(bytes, in: session, at: now))
            }
        case .startTimer(let milliseconds):
            actions.append(.startTimer(.setup, milliseconds: milliseconds))
        case .stopTimer: actions.append(.stopTimer(.setup))
        case .connected: actions.append(.appConnected)
        case .deliver(let bytes): actions.append(.deliver(bytes))
        case .disconnected(let reason): actions.append(.appDisconnected(reason))
        case .log(let line): actions.append(.log(line.value))
        }
    }

    private mutating func perform(_ wanted: [CarrierAction]) {
        for action in wanted {
            switch action {
            case .connect(let connection): actions.append(.connect(connection))
            case .send(let bytes, let connection): actions.append(.send(bytes, connection))
            case .close(let connection): actions.append(.close(connection))
            case .startTimer(let timer, let milliseconds):
                actions.append(.startTimer(.carrier(timer), milliseconds: milliseconds))
            case .stopTimer(let timer): actions.append(.stopTimer(.carrier(timer)))
            case .report(let event): consume(event)
            }
        }
    }

    private mutating func consume(_ event: BusEvent) {
        switch event {
        case .ready:
            isReady = true
            if isAppWaiting { actions.append(.reachable) }
            isAppWaiting = false
            feed(.ready(carrier.accessories))
        case .connected(let accessory): feed(.accessoryConnected(accessory))
        case .disconnected(let accessory): feed(.accessoryDisconnected(accessory))
        case .opened(let session, let id): notify(session) { .opened($0, id: id) }
        case .refused(let session, let reason): notify(session) { .refused($0, reason) }
        case .received(let session, let bytes): notify(session) { .received($0, bytes) }
        case .ended(let session, let reason): notify(session) { .ended($0, reason) }
        case .malformed(let reason):
            log(.busMalformed, ["reason": .string(reason)])
        case .lost(let reason): lost(reason)
        }
    }

    /// Passes an event of a session to the setup, unless the setup has closed the session.
    private mutating func notify(_ session: SessionNumber, _ input: (SessionRole) -> SetupInput) {
        guard let role = sessions.first(where: { $0.value == session })?.key else { return }
        let input = input(role)
        switch input {
        case .refused, .ended: sessions[role] = nil
        default: break
        }
        feed(input)
    }

    /// Handles the loss of the carrier.
    ///
    /// If the app waits for the carrier, the app starts it again; if not, the transport does.
    private mutating func lost(_ reason: String) {
        isReady = false
        feed(.lost(reason))
        if isAppWaiting {
            isAppWaiting = false
            actions.append(.appConnectFailed(reason))
        } else {
            actions.append(.startTimer(.again, milliseconds: AccessoryTransport.carrierPause))
        }
    }

    private mutating func log(_ event: SetupEvent, _ fields: Value) {
        actions.append(.log(LogLine(event, fields.objectValue ?? []).value))
    }
}
