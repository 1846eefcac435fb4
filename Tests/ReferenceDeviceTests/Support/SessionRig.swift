import Diffusion
import HTTP
import Wire

@testable import conform_device

/// A session client, with a clock and a server played by a test.
///
/// All messages pass as real bytes, and only the test lets time pass.
struct SessionRig {
    /// The fate of the client's connections.
    enum Network {
        case up, refused, silent
    }

    private(set) var client: SessionClient
    /// Nanoseconds since the start.
    private(set) var time: Int64 = 0
    private var timers: [SessionTimer: Int64] = [:]
    private var isSuspended = false
    private var held: [DeviceInput<Int, SessionTimer>] = []
    private var inputs: [DeviceInput<Int, SessionTimer>] = []
    private var decoders: [Int: WebSocket.StreamDecoder] = [:]
    private var offsets: [Int: UInt64] = [:]
    private(set) var actions: [DeviceAction<Int, SessionTimer>] = []
    /// The events on the wire: milliseconds, and what happened.
    private(set) var wire: [(time: Int64, what: String)] = []
    /// The open connections, the latest last.
    private(set) var open: [Int] = []

    var network = Network.up
    /// The code for a new session, and the one for a known session.
    var code = Diffusion.ResponseCode.ok
    var resumptionCode = Diffusion.ResponseCode.reconnected
    /// The tokens of the sessions that the server knows, with their numbers.
    var sessions: [[UInt8]: UInt64] = [:]
    var answersPings = true
    /// What is added to the number of a session that is resumed.
    var identityShift: UInt64 = 0
    /// The token that a session gets when it is resumed; its own if `nil`.
    var renewedToken: [UInt8]?
    /// The HTTP status that answers connections; the upgrade if `nil`.
    var status: Int?
    /// The number of connections that get this status.
    var refusals = Int.max
    /// Whether the wire shows conversations and sequences.
    var tellsNumbers = false
    /// The maximum number of bytes in one piece of the server's answers.
    var pieces = Int.max
    private var lateness: Int64 = 0
    private var sessionCount: UInt64 = 0

    init(_ configuration: SessionConfiguration = .init(), mutant: SessionClientMutant? = nil) {
        client = SessionClient(
            configuration: configuration, mutant: mutant, host: "192.0.2.1:80", seed: 1)
    }

    // MARK: Inputs

    mutating func feed(_ input: DeviceInput<Int, SessionTimer>) {
        inputs.append(input)
        while !inputs.isEmpty {
            let new = client.handle(inputs.removeFirst(), at: time)
            actions += new
            for action in new { perform(action) }
        }
    }

    mutating func control(_ method: String) {
        feed(.controlLine(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#))
        advance(0)
    }

    /// Lets time pass, in milliseconds.
    mutating func advance(_ milliseconds: Int) {
        let end = time + milliseconds.nanoseconds
        while !isSuspended, let next = timers.min(by: { $0.value < $1.value }), next.value <= end {
            time = max(time, next.value + lateness)
            timers[next.key] = nil
            feed(.timerFired(next.key))
        }
        time = max(time, end)
    }

    /// Makes the timers fire late from now on, by a time that no timer counts.
    mutating func lose(_ nanoseconds: Int64) { lateness = nanoseconds }

    /// Drops the latest connection from the server's side.
    mutating func drop() {
        guard let number = open.popLast() else { return }
        deliver(.disconnected(number, "reset"))
    }

    /// Drops the latest connection, and lets time pass until there is another one.
    mutating func dropUntilResumed() {
        drop()
        let end = time + 20_000.nanoseconds
        while open.isEmpty, time < end { advance(10) }
    }

    /// Sends bytes from the server on the latest connection.
    mutating func receive(_ bytes: [UInt8]) {
        guard let number = open.last else { return }
        deliver(.received(number, bytes))
    }

    mutating func receive(_ content: Diffusion.Message.Content) {
        receive(WebSocket.Frame(.binary, Diffusion.Message.payload(of: content)).bytes)
    }

    private mutating func deliver(_ input: DeviceInput<Int, SessionTimer>) {
        if isSuspended { held.append(input) } else { feed(input) }
    }

    // MARK: Observations

    /// The times when connections were opened, in milliseconds.
    var attempts: [Int64] { wire.filter { $0.what == "SYN" }.map(\.time) }

    /// The waits between the attempts, in milliseconds.
    var gaps: [Int64] { zip(attempts, attempts.dropFirst()).map { $1 - $0 } }

    /// The times when pings were sent, in milliseconds.
    var pings: [Int64] { wire.filter { $0.what == "ping" }.map(\.time) }

    /// The events on the wire, without times.
    var sent: [String] { wire.map(\.what) }

    /// The wire as text, a line for each message.
    var transcript: [String] { wire.map { "\($0.time) \($0.what)" } }

    var events: [SessionEvent] {
        actions.compactMap { action in
            guard case .log(let line) = action else { return nil }
            return line["event"]?.stringValue.flatMap(SessionEvent.init(rawValue:))
        }
    }

    /// The states of the session in sequence.
    var states: [String] {
        actions.compactMap {
            guard case .log(let line) = $0, line["event"] == "sessionStateChange" else {
                return nil
            }
            return line["to"]?.stringValue
        }
    }

    // MARK: The environment

    private mutating func perform(_ action: DeviceAction<Int, SessionTimer>) {
        switch action {
        case .connect(let number):
            record("SYN")
            decoders[number] = Diffusion.makeStreamDecoder()
            offsets[number] = 0
            switch network {
            case .up:
                open.append(number)
                inputs.append(.connected(number))
            case .refused: inputs.append(.connectFailed(number, "refused"))
            case .silent: break
            }
        case .send(let number, let bytes):
            guard open.contains(number) else { return }
            var messages: [StreamMessage] = []
            decoders[number]?.consume(bytes.span.bytes, at: offsets[number] ?? 0, into: &messages)
            offsets[number, default: 0] += UInt64(bytes.count)
            for message in messages { answer(message.content, on: number) }
        case .close(let number):
            guard let index = open.firstIndex(of: number) else { return }
            open.remove(at: index)
            record("FIN")
        case .startTimer(let timer, let deadline): timers[timer] = deadline
        case .stopTimer(let timer): timers[timer] = nil
        case .suspend: isSuspended = true
        case .resume:
            isSuspended = false
            inputs += held
            held = []
        case .harm: record("crash")
        case .exit: record("exit")
        case .log, .answer, .keep: break
        }
    }

    private mutating func record(_ what: String) {
        wire.append((time / 1_000_000, what))
    }

    private mutating func answer(_ message: any DissectedMessage, on number: Int) {
        switch message {
        case let connect as Diffusion.Connect:
            let token = connect.parameters.first { $0.name == "c" }?.value
            let timeout = connect.parameters.first { $0.name == "r" }?.value ?? "nothing"
            record(token.map { "reconnect \($0)" } ?? "connect \(timeout)")
            if tellsNumbers, let received = connect.parameters.first(where: { $0.name == "ss" }) {
                record("received \(received.value)")
            }
            guard network == .up else { return }
            if let status, refusals > 0 {
                refusals -= 1
                let head = HTTPHead(.response(status: status, reason: "No"), fields: [])
                return reply(head.bytes, on: number)
            }
            respond(to: connect.head, token: token.map { Array($0.utf8) }, on: number)
        case let message as Diffusion.Message:
            record(message.name.replacing("diffusion.", with: ""))
            if tellsNumbers, case .serviceResponse(let conversation, _) = message.content {
                record("answers \(conversation)")
            }
            if case .serviceRequest(Diffusion.userPing, let conversation, _) = message.content,
                answersPings
            {
                let answer = Diffusion.Message.payload(
                    of: .serviceResponse(conversation: conversation, body: []))
                reply(WebSocket.Frame(.binary, answer).bytes, on: number)
            }
        default:
            record(message.name)
        }
    }

    private mutating func respond(to head: HTTPHead, token: [UInt8]?, on number: Int) {
        guard let accepted = try? WebSocket.acceptance(of: head) else {
            return record("bad request")
        }
        var bytes = accepted.bytes
        var code = self.code
        var session: UInt64?
        if let token {
            session = sessions[token].map { $0 + identityShift }
            code = session == nil ? .unknownSession : resumptionCode
        } else {
            sessionCount += 1
            session = sessionCount
        }
        if let token, let renewedToken, let session = sessions.removeValue(forKey: token) {
            sessions[renewedToken] = session
        }
        let text =
            (token == nil ? nil : renewedToken ?? token)
            ?? Array("TOKEN-\(session ?? 0)-ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.prefix(24))
        if code.isSuccess, token == nil { sessions[text] = session }
        let identity = Diffusion.ConnectResponse.Session(
            server: 0x6C60, value: session ?? 0, token: text, pingPeriod: 90_000, last: 0)
        let payload = Diffusion.ConnectResponse.payload(
            version: 18, code: code.rawValue, session: code.isSuccess ? identity : nil)
        bytes += WebSocket.Frame(.binary, payload).bytes
        reply(bytes, on: number)
    }

    private mutating func reply(_ bytes: [UInt8], on number: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            inputs.append(.received(number, Array(rest.prefix(pieces))))
            rest = rest.dropFirst(pieces)
        }
    }
}

extension SessionConfiguration {
    func with(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
        var changed = self
        change(&changed)
        return changed
    }

    static func rule(_ rule: ResetRule) -> SessionConfiguration {
        SessionConfiguration().with { $0.strategy.rule = rule }
    }
}
