import ExternalAccessory
import Wire

/// The setup of a session with an accessory as a state machine (document 000, "iOS Proxy" and its
/// code): what happens goes in, what is to be done comes out; it has no clock and does no I/O.
///
/// The app sees a connection that stands or is lost. A setup begins when the app wants one, or with
/// a connect notification; it makes attempts until a data session is open, nothing is compatible or
/// its attempts are used up. A data session that is lost is a failed attempt: the app's next wish
/// goes on with the setup. A setup after a connect notification, after the loss of its accessory, or
/// after the app has closed its session counts anew.
struct SessionSetup: Sendable {
    typealias Accessory = ExternalAccessory.Accessory

    /// Where the setup stands.
    enum State: Sendable, Hashable {
        /// There is neither a setup nor a session.
        case ended
        /// The control session, or a detour's, has been asked for.
        case openingControl
        /// The control session is open and has brought no index.
        case awaitingIndex
        /// The data session has been asked for.
        case openingData
        /// The data session is open.
        case established
        /// An attempt has failed, the next begins soon.
        case pausing
        /// Nothing goes on any more, but no other setup can begin: a mutant's.
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
    /// What the current attempt, or the session, is about.
    var choice: ConnectionRules.Choice?
    /// The sessions that are open or asked for.
    var sessions: Set<SessionRole> = []
    /// The accessory of a connect notification that the next attempt is about.
    var notified: Accessory?
    private var actions: [SetupAction] = []

    /// Makes a setup that knows of no accessory and is not wanted.
    init(settings: AccessoryUse, mutant: SDLAppMutant? = nil) {
        rules = ConnectionRules(mutant: mutant, settings: settings)
    }

    /// The settings that it was made with.
    var settings: AccessoryUse { rules.settings }

    /// Takes what has happened and returns what is to be done, in order.
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

// MARK: - Accessories and the app's wishes

extension SessionSetup {
    /// Begins the setup that is wanted, or goes on with it, if nothing is under way.
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

    /// Takes a connect notification: a new setup begins with its accessory, unless one is under way
    /// or a session stands.
    private mutating func connected(_ accessory: Accessory) {
        guard let known = accessories else { return }
        accessories = known.filter { $0.id != accessory.id } + [accessory]
        log(.accessoryConnected, accessory.summary)
        if rules.yieldsToNewcomer, state == .established {
            end()
            return lose("another accessory comes")
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
        if wasEstablished { lose("the accessory is gone") }
    }

    /// The app closes its connection: all that there is of it ends.
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

    /// Ends what is under way.
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
    /// What the log says of it.
    fileprivate var summary: Value {
        [
            "id": .integer(Int64(id)), "name": .string(name),
            "protocols": .array(protocols.map(Value.string)),
        ]
    }
}
