import ExternalAccessory
import Wire

/// The setup of a session with an accessory, as a state machine.
///
/// It follows document 000, "iOS Proxy" and its code. It takes inputs and returns actions; it has
/// no clock and does no I/O.
///
/// The app sees a connection that is established or lost. A setup begins when the app requests one,
/// or with a connect notification. It makes attempts until a data session is open, nothing is
/// compatible or its attempts are used up. The loss of a data session is a failed attempt: the
/// app's next request continues the setup. A setup after a connect notification, after the loss of
/// its accessory, or after the app has closed its session restarts the count.
struct SessionSetup: Sendable {
    typealias Accessory = ExternalAccessory.Accessory

    /// The state of the setup.
    enum State: Sendable, Hashable {
        /// There is neither a setup nor a session.
        case ended
        /// The control session, or that of a detour, has been requested.
        case openingControl
        /// The control session is open and no index has been received.
        case awaitingIndex
        /// The data session has been requested.
        case openingData
        /// The data session is open.
        case established
        /// An attempt has failed; the next begins soon.
        case pausing
        /// Nothing more happens and no other setup can begin; only mutants reach this state.
        case stuck
    }

    var rules: ConnectionRules
    var state = State.ended
    /// How many attempts the setup has counted.
    var retryCounter = 0
    /// The accessories that are connected, oldest first; `nil` before they are known.
    var accessories: [Accessory]?
    /// Whether the app wants a connection and has none.
    var isWanted = false
    /// The accessory and route of the current attempt or session.
    var choice: ConnectionRules.Choice?
    /// The sessions that are open or requested.
    var sessions: Set<SessionRole> = []
    /// The accessory of a connect notification that the next attempt is about.
    var notified: Accessory?
    private var actions: [SetupAction] = []

    /// Creates a setup that has no accessories and no request from the app.
    init(settings: AccessoryUse, mutant: SDLAppMutant? = nil) {
        rules = ConnectionRules(mutant: mutant, settings: settings)
    }

    /// Handles an input and returns the actions it leads to, in order.
    mutating func handle(_ input: SetupInput) -> [SetupAction] {
        actions = []
        switch input {
        case .connect:
            isWanted = true
            begin()
        case .send(let bytes):
            if state == .established { act(.send(bytes)) }
        case .close: giveUp()
        case .otherAppStarts: otherAppStarts()
        case .ready(let connected): accessoriesKnown(connected)
        case .accessoryConnected(let accessory): connected(accessory)
        case .accessoryDisconnected(let accessory): disconnected(accessory)
        case .lost(let reason):
            accessories = nil
            notified = nil
            log(.accessoriesLost, ["reason": .string(reason)])
        case .opened(let role, let id): opened(role, id)
        case .refused(let role, let reason): closed(role, .refused, reason)
        case .received(let role, let bytes): received(role, bytes)
        case .ended(let role, let reason): ended(role, reason)
        case .timerFired: timerFired()
        }
        return actions
    }

    mutating func act(_ action: SetupAction) { actions.append(action) }

    mutating func log(_ event: SetupEvent, _ fields: Value = .object([])) {
        act(.log(LogLine(event, fields.objectValue ?? [])))
    }
}

// MARK: - Accessories and requests of the app

extension SessionSetup {
    /// Begins or continues the requested setup, unless something is in progress.
    private mutating func begin() {
        guard isWanted, accessories != nil, state == .ended else { return }
        attempt()
    }

    private mutating func accessoriesKnown(_ connected: [Accessory]) {
        accessories = connected
        for accessory in connected { log(.accessoryFound, accessory.summary) }
        if state == .ended { retryCounter = 0 }
        begin()
    }

    /// Handles a connect notification.
    ///
    /// A new setup begins with its accessory, unless one is in progress or a session is open.
    private mutating func connected(_ accessory: Accessory) {
        guard let known = accessories else { return }
        accessories = known.filter { $0.id != accessory.id } + [accessory]
        log(.accessoryConnected, accessory.summary)
        if rules.yieldsToNewcomer, state == .established {
            end()
            return lose("another accessory was connected")
        }
        guard state == .ended else {
            return log(.notificationIgnored, ["state": .string(state.name)])
        }
        if rules.notificationResetsCounter { retryCounter = 0 }
        notified = accessory
        begin()
    }

    private mutating func disconnected(_ accessory: Accessory) {
        if rules.forgetsGone { accessories = accessories?.filter { $0.id != accessory.id } }
        if notified?.id == accessory.id { notified = nil }
        log(.accessoryDisconnected, ["id": .integer(Int64(accessory.id))])
        guard choice?.accessory.id == accessory.id else {
            if rules.departureBeginsSetup, state == .ended {
                retryCounter = 0
                begin()
            }
            return
        }
        let wasEstablished = state == .established
        if state != .stuck { end() }
        retryCounter = 0
        if wasEstablished { lose("the accessory was disconnected") }
    }

    /// Ends the setup and all sessions because the app closes its connection.
    private mutating func giveUp() {
        isWanted = false
        retryCounter = 0
        notified = nil
        end()
    }

    private mutating func otherAppStarts() {
        guard rules.yieldsToOtherApp, state == .established else { return }
        end()
        lose("another app opens a session")
    }

    /// Ends the setup or session in progress.
    mutating func end() {
        closeSessions()
        act(.stopTimer)
        choice = nil
        state = .ended
    }

    mutating func lose(_ reason: String) {
        isWanted = false
        act(.disconnected(reason))
    }
}

extension SessionSetup.State {
    /// The state in one word.
    var name: String {
        switch self {
        case .ended: "ended"
        case .openingControl: "openingControl"
        case .awaitingIndex: "awaitingIndex"
        case .openingData: "openingData"
        case .established: "established"
        case .pausing: "pausing"
        case .stuck: "stuck"
        }
    }
}

extension ExternalAccessory.Accessory {
    /// The fields of the accessory in the log.
    fileprivate var summary: Value {
        [
            "id": .integer(Int64(id)), "name": .string(name),
            "protocols": .array(protocols.map(Value.string)),
        ]
    }
}
