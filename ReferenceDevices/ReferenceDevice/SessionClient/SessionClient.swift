import Diffusion
import HTTP
import Wire

/// The connection manager of the example, as a state machine.
///
/// It takes inputs and returns actions; it has no clock and does no I/O. Times are nanoseconds of
/// the device's clock.
///
/// The application is active or in the background. The session is opened when the application
/// becomes active, resumed when its connection is lost, and kept alive by pings.
public struct SessionClient: DeviceMachine {
    /// The role of this kind of device in suites.
    public static let role = "session.client"

    /// The state of the session while it is not closed.
    struct Session: Sendable {
        /// The server's part and the number part of its id, and the token.
        var identity: Diffusion.ConnectResponse.Session
        /// The time at which it was opened.
        let openedAt: Int64
        /// The time at which its connection was first lost.
        var firstLoss: Int64?
        /// How often it was resumed.
        var resumptions = 0
        /// The number of messages sent in it.
        var sent = 0
        /// The number of messages received in it.
        var received = 0
        /// The number of the next conversation.
        private(set) var nextConversation: UInt64 = 0
        /// The sending times of unanswered pings, by their conversations.
        var pings: [UInt64: Int64] = [:]

        /// Returns the conversation of a ping that is sent now.
        mutating func takeConversation(at now: Int64) -> UInt64 {
            defer { nextConversation += 1 }
            pings[nextConversation] = now
            return nextConversation
        }
    }

    let configuration: SessionConfiguration
    private let host: String
    var rules: SessionRules
    var strategy: BackOffReconnectionStrategy
    /// The time of the current input.
    private(set) var now: Int64 = 0
    /// The state of the session; `nil` before the first.
    private(set) var state: SessionState?
    var session: Session?
    /// The token of the last session that was not closed by the client.
    var lostToken: [UInt8]?
    /// The connection of the session or of the attempt.
    var link: SessionLink?
    /// A connection that a mutant opened in addition to that of the attempt.
    var twin: SessionLink?
    /// The number of lost sessions for which another was or had to be opened.
    var losses = 0
    /// The number of connections that were opened.
    var connections = 0
    /// The time at which the last attempt started.
    var lastAttempt: Int64?
    /// The time at which a session without a connection is abandoned; `nil` while it has one.
    var givesUpAt: Int64?
    /// Whether the application is active.
    var isActive = false
    /// Whether the application became active and the session has not been validated since.
    var isValidating = false
    /// The conversation of the ping that validates the session.
    var validation: UInt64?
    /// How often a session was validated.
    var validationCount = 0
    /// Whether a connection was lost in the background and the loss has not been handled yet.
    var hasPendingLoss = false
    /// The time at which the next ping is due.
    var nextPing: Int64?
    private(set) var isExited = false
    private var random: SplitMix64
    private var actions: [DeviceAction<Int, SessionTimer>] = []

    /// Creates a client that has not started.
    ///
    /// - Parameters:
    ///   - host: The name of the server in requests.
    ///   - seed: The seed of keys and masks.
    public init(
        configuration: SessionConfiguration, mutant: SessionClientMutant? = nil, host: String,
        seed: UInt64
    ) {
        self.configuration = configuration
        self.host = host
        rules = SessionRules(mutant: mutant, seed: ~seed)
        strategy = BackOffReconnectionStrategy(configuration.strategy, rules: rules)
        random = SplitMix64(state: seed)
    }

    /// Handles an input at the given time and returns the actions it leads to, in order.
    public mutating func handle(
        _ input: DeviceInput<Int, SessionTimer>, at time: Int64
    ) -> [DeviceAction<Int, SessionTimer>] {
        actions = []
        now = time
        if !isExited { consume(input) }
        return actions
    }

    private mutating func consume(_ input: DeviceInput<Int, SessionTimer>) {
        switch input {
        case .started: start()
        case .connected(let number):
            if number == link?.number { link = askForSession(on: link) }
            if number == twin?.number, rules.opensTwins { twin = askForSession(on: twin) }
        case .connectFailed(let number, let reason):
            if number == link?.number { attemptFailed(.refused, reason) }
        case .received(let number, let bytes):
            if number == link?.number { receive(bytes) }
        case .disconnected(let number, let reason):
            if number == link?.number { connectionFailed(reason) }
        case .timerFired(let timer): fired(timer)
        case .controlLine(let line): consume(controlLine: line)
        case .terminate: stop()
        case .accepted: break
        }
    }

    private mutating func fired(_ timer: SessionTimer) {
        switch timer {
        case .attempt: startAttempt()
        case .connectionTimeout:
            guard link?.phase != .connecting || rules.limitsHandshake else { return }
            attemptFailed(.unanswered, "no success within the connection timeout")
        case .reconnectionTimeout: giveUp()
        case .ping: pingTimerFired()
        case .pingTimeout: validationUnanswered()
        case .becomeActive: becomeActive()
        }
    }

    private mutating func start() {
        log(
            .started,
            [
                "role": .string(Self.role), "mutant": .text(rules.mutant?.name),
                "rule": .string(configuration.strategy.rule.rawValue),
            ])
        isActive = configuration.isActive
        if isActive {
            becomeActive()
        } else if rules.opensInBackground {
            openSession(lost: false)
        } else if rules.restsInBackground {
            act(.suspend)
        }
    }

    // MARK: Output

    mutating func act(_ action: DeviceAction<Int, SessionTimer>) { actions.append(action) }

    mutating func log(_ event: SessionEvent, _ fields: Value = .object([])) {
        act(.log(LogLine(event, fields.objectValue ?? []).value))
    }

    /// Moves the session to a state.
    mutating func enter(_ new: SessionState) {
        guard new != state else { return }
        log(
            .sessionStateChange,
            ["to": .string(new.rawValue), "from": .text(state?.rawValue)])
        state = new
    }

    mutating func exit(_ code: Int32) {
        isExited = true
        log(.exited, ["code": .integer(Int64(code))])
        act(.exit(code))
    }

    /// Sends the request of the handshake on an established connection.
    private mutating func askForSession(on connected: SessionLink?) -> SessionLink? {
        guard var link = connected, link.phase == .connecting else { return connected }
        let key = Base64.text(of: random.bytes(16))
        let request = ConnectRequest(
            configuration: configuration,
            reconnectionTimeout: rules.toldReconnectionTimeout(configuration.reconnectionTimeout),
            resumption: link.resumption)
        link.phase = .upgrading(key: key)
        act(.send(link.number, request.head(host: host, key: key).bytes))
        return link
    }

    /// Sends a message of the session; without a connection it is only counted.
    mutating func send(_ content: Diffusion.Message.Content) {
        session?.sent += 1
        send(WebSocket.Frame(.binary, Diffusion.Message.payload(of: content)))
    }

    /// Sends a frame with the mask of a client.
    mutating func send(_ frame: WebSocket.Frame) {
        guard let link else { return }
        var frame = frame
        frame.maskingKey = random.bytes(4)
        act(.send(link.number, frame.bytes))
    }
}
