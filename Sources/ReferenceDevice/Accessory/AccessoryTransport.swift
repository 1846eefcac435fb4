import AccessoryBus
import Wire

/// The app's way to head units over accessories: the setup of a session on a carrier, as a state
/// machine without clock and I/O.
///
/// The app sees what it sees of a TCP connection: one that stands, cannot be made, or is lost.
struct AccessoryTransport: Sendable {
    typealias Connection = CarrierConnection

    /// The timers of the transport.
    enum Timer: Sendable, Hashable {
        /// The setup's one timer.
        case setup
        case carrier(CarrierTimer)
        /// Until a lost carrier is made again.
        case again
    }

    /// Something that happens to the transport.
    enum Input: Sendable {
        /// The app wants a connection, sends, closes, or starts another app.
        case app(SetupInput)
        case connected(Connection)
        case connectFailed(Connection, String)
        case received(Connection, [UInt8])
        case disconnected(Connection, String)
        case timerFired(Timer)
    }

    /// Something that the transport wants done.
    enum Action: Sendable, Hashable {
        case connect(Connection)
        case send([UInt8], Connection)
        case close(Connection)
        case startTimer(Timer, milliseconds: Int)
        case stopTimer(Timer)
        case log(Value)
        /// Tell the app that accessories can be seen; that none is there is no failure.
        case reachable
        /// Tell the app that its connection stands.
        case appConnected
        /// Tell the app that there is no way to accessories, and why.
        case appConnectFailed(String)
        /// Give the app bytes of its connection.
        case deliver([UInt8])
        /// Tell the app that its connection is lost, and why.
        case appDisconnected(String)
    }

    /// Pause before a lost carrier is made again, in milliseconds.
    static let carrierPause = 500

    private var setup: SessionSetup
    private var carrier: any SessionCarrier
    /// The time of the input that is being handled.
    private var now = Duration.zero
    /// The sessions of the setup, as the carrier calls them.
    private var sessions: [SessionRole: SessionNumber] = [:]
    /// Whether the accessories are known.
    private var isReady = false
    /// Whether the app waits for accessories to be seen.
    private var isAppWaiting = false
    private var actions: [Action] = []

    /// Makes a transport that has not been asked for a connection.
    init(
        settings: AccessoryUse, carrier: any SessionCarrier = BusCarrier(),
        mutant: SDLAppMutant? = nil
    ) {
        setup = SessionSetup(settings: settings, mutant: mutant)
        self.carrier = carrier
    }

    /// Takes what has happened and returns what is to be done, in order.
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
            case .report(let event): take(event)
            }
        }
    }

    private mutating func take(_ event: BusEvent) {
        switch event {
        case .ready:
            isReady = true
            if isAppWaiting { actions.append(.reachable) }
            isAppWaiting = false
            feed(.ready(carrier.accessories))
        case .connected(let accessory): feed(.accessoryConnected(accessory))
        case .disconnected(let accessory): feed(.accessoryDisconnected(accessory))
        case .opened(let session, let id): tell(session) { .opened($0, id: id) }
        case .refused(let session, let reason): tell(session) { .refused($0, reason) }
        case .received(let session, let bytes): tell(session) { .received($0, bytes) }
        case .ended(let session, let reason): tell(session) { .ended($0, reason) }
        case .malformed(let reason):
            log(.busMalformed, ["reason": .string(reason)])
        case .lost(let reason): lost(reason)
        }
    }

    /// Tells the setup of one of its sessions; what it has closed is no longer one.
    private mutating func tell(_ session: SessionNumber, _ input: (SessionRole) -> SetupInput) {
        guard let role = sessions.first(where: { $0.value == session })?.key else { return }
        let input = input(role)
        switch input {
        case .refused, .ended: sessions[role] = nil
        default: break
        }
        feed(input)
    }

    /// The carrier is lost: the app makes it again if it waits for it, and the transport if not.
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
