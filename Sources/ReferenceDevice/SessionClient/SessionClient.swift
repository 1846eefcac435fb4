import Diffusion
import WebSocket
import Wire

/// The connection manager of the example as a state machine: what happens goes in, what is to be
/// done comes out; it has no clock and does no I/O.
///
/// Times are nanoseconds of the device's clock. The application is active or in the background;
/// the session is opened when the application becomes active, resumed when its connection falls,
/// and kept alive by pings.
public struct SessionClient: Sendable {
    /// What this kind of device is called in suites.
    public static let role = "session.client"

    /// What is known of the session while it is not closed.
    struct Session: Sendable {
        /// The server's and the number's part of its id, and the token.
        var identity: Diffusion.ConnectResponse.Session
        /// When it was opened.
        let openedAt: Int64
        /// When its connection fell first.
        var firstFall: Int64?
        /// How often it was resumed.
        var resumptions = 0
        /// Messages that were sent in it.
        var sent = 0
        /// Messages that have come in it.
        var received = 0
        /// The number of the next conversation.
        private(set) var nextConversation: UInt64 = 0
        /// When the pings were sent that are not answered, by their conversations.
        var pings: [UInt64: Int64] = [:]

        init(_ identity: Diffusion.ConnectResponse.Session, openedAt: Int64) {
            self.identity = identity
            self.openedAt = openedAt
        }

        /// The conversation of a ping that is sent now.
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
    /// The time of the input that is handled.
    private(set) var now: Int64 = 0
    /// The state of the session; `nil` before the first.
    private(set) var state: SessionState?
    var session: Session?
    /// The token of the last session that was closed by other than the client.
    var lostToken: [UInt8]?
    /// The connection of the session, or that of the attempt.
    var link: SessionLink?
    /// A connection that a mutant opened beside that of the attempt.
    var twin: SessionLink?
    /// How many sessions were lost, and replaced or to be replaced by another.
    var losses = 0
    /// How many connections were opened.
    var connections = 0
    /// When the last attempt started.
    var lastAttempt: Int64?
    /// When a session that has lost its connection is given up; `nil` while it has one.
    var givesUpAt: Int64?
    /// Whether the application is active.
    var isActive = false
    /// Whether the application became active and the session has not been found valid since.
    var isValidating = false
    /// The conversation of the ping that validates the session.
    var validation: UInt64?
    /// How many times a session was validated.
    var validationCount = 0
    /// Whether a connection fell in the background that is not acted upon there.
    var hasPendingFall = false
    /// When the next ping is due.
    var nextPing: Int64?
    private(set) var isExited = false
    private var random: SplitMix64
    private var actions: [SessionAction] = []

    /// Makes a client that has not started.
    ///
    /// - Parameters:
    ///   - host: What the server is called in requests.
    ///   - seed: What keys and masks are drawn from.
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

    /// Takes what has happened at a time and returns what is to be done, in order.
    public mutating func handle(_ input: SessionInput, at time: Int64) -> [SessionAction] {
        actions = []
        now = time
        if !isExited { take(input) }
        return actions
    }

    private mutating func take(_ input: SessionInput) {
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
        case .controlLine(let line): take(controlLine: line)
        case .terminate: stop()
        }
    }

    private mutating func fired(_ timer: SessionTimer) {
        switch timer {
        case .attempt: startAttempt()
        case .connectionTimeout:
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
                "role": .string(Self.role), "mutant": .text(rules.mutant?.rawValue),
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

    mutating func act(_ action: SessionAction) { actions.append(action) }

    mutating func log(_ event: SessionEvent, _ fields: Value = .object([])) {
        act(.log(LogLine(event, fields.objectValue ?? [])))
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

    /// Sends the request of the handshake on a connection that stands.
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

    /// Sends a message of the session; without a connection nothing happens.
    mutating func send(_ content: Diffusion.Message.Content) {
        session?.sent += 1
        send(WebSocket.Frame(.binary, Diffusion.Message.payload(of: content)))
    }

    /// Sends a frame, masked as a client's are.
    mutating func send(_ frame: WebSocket.Frame) {
        guard let link else { return }
        var frame = frame
        frame.maskingKey = random.bytes(4)
        act(.send(link.number, frame.bytes))
    }
}
