import HTTP
import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// The state of a script on one connection.
struct ScriptedConversation {
    /// The reply to a message.
    struct Reply {
        let sends: [[UInt8]]
        /// The sends as the suite writes them.
        let written: [PeerScript.Send]
        let after: Duration
        let end: PeerScript.Answer.End?
    }

    /// The saved values.
    private(set) var variables: [String: Value] = [:]
    /// The destination host of requests, for the Host header field.
    var host = ""
    /// When the previous answer is sent: no later HTTP answer may be sent before it.
    var answeredUntil = Int64.min
    /// When the next keep-alive is sent.
    var keepAliveDue: Int64?
    /// The number of requests that steps still have to answer.
    var withheldCount = 0
    /// How often each entry has answered.
    private var counts: [Int]

    init(answerCount: Int) { counts = Array(repeating: 0, count: answerCount) }

    /// Returns the reply to a message; `nil` if no entry fits.
    ///
    /// - Throws: `PeerError` with code `undecided` if a pattern takes too long on the message, so
    ///   that it is not known which entry fits, or `badField` if what the entry sends has no value.
    mutating func answer(
        to message: any DissectedMessage, by script: PeerScript
    ) throws(PeerError) -> Reply? {
        for (index, answer) in script.answers.enumerated() {
            if let times = answer.times, counts[index] >= times { continue }
            switch fit(of: message, answer) {
            case .matches: break
            case .differs: continue
            case .undecided:
                throw PeerError(
                    .undecided,
                    "whether entry \(index + 1) of its answers fits \(message.name) was not "
                        + "decided: the pattern takes too long on it",
                    advice: "write a pattern that does not backtrack")
            }
            counts[index] += 1
            for save in answer.saves {
                variables[save.variable] =
                    Self.field(save.path, of: message) ?? save.value(of: message, variables)
            }
            do throws(EvaluationError) {
                let sends = try answer.sends.map { send throws(EvaluationError) in
                    try encoded(send, answering: message)
                }
                return Reply(
                    sends: sends, written: answer.sends, after: answer.after, end: answer.end)
            } catch {
                throw PeerError(
                    .badField,
                    "entry \(index + 1) of its answers cannot be sent: \(error.description)",
                    advice: "let it answer only messages that have what it saves")
            }
        }
        return nil
    }

    private func fit(
        of message: any DissectedMessage, _ answer: PeerScript.Answer
    ) -> ValueMatcher.MatchResult {
        if let name = answer.message {
            guard name == message.name else { return .differs }
        } else {
            guard message.isPlainBytes else { return .differs }
        }
        var result = ValueMatcher.MatchResult.matches
        for condition in answer.conditions {
            // For HTTP without a message name, the bytes on the wire are matched.
            let isWhole = answer.message == nil && message is HTTP.Message
            let path =
                isWhole && condition.path == .answeredData ? .answeredBytes : condition.path
            switch condition.matcher.result(
                for: Self.field(path, of: message), bindings: variables)
            {
            case .differs: return .differs
            case .undecided: result = .undecided
            case .matches: break
            }
        }
        return result
    }

    /// Returns a field of a message; every message has `data`: its text, or its bytes.
    private static func field(_ path: FieldPath, of message: any DissectedMessage) -> Value? {
        if path == .answeredBytes { return .bytes(message.bytes) }
        if let value = message.field(path) { return value }
        guard path == .answeredData else { return nil }
        let text = message.field(FieldPath(components: [.name("text")]))?.stringValue
        return .bytes(text.map { Array($0.utf8) } ?? message.bytes)
    }

    /// Returns the bytes of a send; `nil` if an expression in it has no value.
    func bytes(of send: PeerScript.Send) -> [UInt8]? { try? encoded(send) }

    private func encoded(
        _ send: PeerScript.Send, answering message: (any DissectedMessage)? = nil
    ) throws(EvaluationError) -> [UInt8] {
        switch send {
        case .bytes(let expression): try expression.evaluate(variables)
        case .http(let template):
            try template.bytes(variables, host: host, answering: message?.httpMethod)
        }
    }
}

extension DissectedMessage {
    /// Whether an entry for plain bytes can answer the message.
    ///
    /// Such messages are datagrams, pieces of a stream, messages into which the suite has a stream
    /// cut, and messages of WebSocket or HTTP.
    var isPlainBytes: Bool {
        isDatagram || self is HTTP.Message || name.standsForLostBytes
            || self is StreamUnit || name == "websocket.text" || name == "websocket.binary"
    }
}

/// The payload and the destination of a datagram that a step sends.
struct OutgoingDatagram {
    var bytes: [UInt8] = []
    private var address: IPAddress?
    private var port: UInt16?

    /// Reads the fields of a `send` step.
    ///
    /// - Throws: `PeerError` for a field that cannot be sent, or an invalid value.
    init(_ fields: [(FieldPath, Value?)]) throws(PeerError) {
        for (path, value) in fields {
            switch (path.description, value) {
            case ("data", .bytes(let bytes)?): self.bytes = bytes
            case ("data", .string(let text)?), ("text", .string(let text)?):
                bytes = Array(text.utf8)
            case ("ip.dst", .string(let text)?) where IPAddress(text) != nil:
                address = IPAddress(text)
            case ("udp.dstport", .integer(let number)?) where UInt16(exactly: number) != nil:
                port = UInt16(exactly: number)
            case ("data", _), ("text", _), ("ip.dst", _), ("udp.dstport", _):
                throw PeerError(.badField, "\(path) of a datagram has an invalid value")
            default:
                throw PeerError(
                    .unknownField, "\(path) of a datagram cannot be sent",
                    advice: "give data or text, ip.dst and udp.dstport")
            }
        }
    }

    /// Returns the destination; `nil` if the step gives none and no peer is known.
    func target(instead known: PeerConnection?) -> PeerConnection? {
        guard address != nil || port != nil else { return known }
        guard let address = address ?? known?.address, let port = port ?? known?.port else {
            return nil
        }
        return PeerConnection(address: address, port: port)
    }
}
