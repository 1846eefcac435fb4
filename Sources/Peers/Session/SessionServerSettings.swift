import Diffusion
import HTTP
import Suites
import Wire

/// What a suite can set of a session server.
struct SessionServerSettings: Sendable {
    /// What a connection without a token is answered.
    var open = ConnectionAnswer.code(Diffusion.ResponseCode.ok.rawValue)
    /// What a connection with the token of a session is answered.
    var resume = ConnectionAnswer.code(Diffusion.ResponseCode.reconnected.rawValue)
    /// What a connection with any other token is answered.
    var unknown = ConnectionAnswer.code(Diffusion.ResponseCode.unknownSession.rawValue)
    /// Whether pings of clients are answered.
    var answersPings = true
    /// The period of its own pings, announced and kept, in nanoseconds; 0 for none.
    var systemPing: Int64 = 90_000_000_000
    /// How long a session is kept without a connection, in nanoseconds; `nil` for ever.
    var keeps: Int64? = 60_000_000_000
    /// What becomes of connections, in the order in which they are opened.
    var connections: [ConnectionFate] = []
}

/// What a connection is answered.
enum ConnectionAnswer: Sendable, Hashable {
    /// A code of the session protocol behind the upgrade.
    case code(UInt8)
    /// An HTTP status in place of the upgrade.
    case status(Int)
}

/// What becomes of one connection, as a suite writes it.
struct ConnectionFate: Sendable, Hashable {
    /// How a connection is ended.
    enum End: String, Sendable, Hashable, CaseIterable {
        case close
        case reset
        /// Told by the abort notification, then closed; the session is over.
        case abort
        /// Not at all.
        case nothing
    }

    /// Whether its handshake is answered.
    var accepts = true
    /// What it is answered; `nil` for what the settings say.
    var answer: ConnectionAnswer?
    /// Whether its pings are answered; `nil` for what the settings say.
    var answersPings: Bool?
    /// How long after the answer it is ended, or after it stands if there is no answer; in
    /// nanoseconds.
    var after: Int64 = 0
    /// How it is ended; `nil` if the server does not end it.
    var end: End?
}

extension SessionServerSettings {
    /// Replaces the settings that `values`, an object, names.
    mutating func apply(_ values: Value) throws(PeerError) {
        if values == .null { return }
        guard let members = values.objectValue else {
            throw PeerError(
                .badSetting, "the settings are of type \(values.typeName), expected an object")
        }
        for member in members { try apply(member) }
    }

    private mutating func apply(_ member: Value.Member) throws(PeerError) {
        let reader = SessionSettingReader(member)
        switch member.name {
        case "open": open = try reader.answer()
        case "resume": resume = try reader.answer()
        case "unknown": unknown = try reader.answer()
        case "pings": answersPings = try reader.word(["answer", "ignore"]) == "answer"
        case "systemPing": systemPing = try reader.duration()
        case "keeps": keeps = member.value == "forever" ? nil : try reader.duration()
        case "connections": connections = try reader.fates()
        case "port": break
        default:
            let known = PeerKind.sessionServer.settings.map(\.path)
            throw PeerError(
                .unknownSetting, "a session server has no setting \"\(member.name)\"",
                advice: Suggestion.advice(for: member.name, in: known))
        }
    }
}

/// Reads one setting's value.
struct SessionSettingReader {
    private let name: String
    private let value: Value

    init(_ member: Value.Member) {
        name = member.name
        value = member.value
    }

    /// A code of the session protocol, or an HTTP status.
    func answer() throws(PeerError) -> ConnectionAnswer {
        switch value.integerValue {
        case let number? where (0...255).contains(number): return .code(UInt8(number))
        case let number? where (300...599).contains(number): return .status(Int(number))
        default:
            throw wrong("a code from 0 to 255, or an HTTP status from 300 to 599")
        }
    }

    /// Nanoseconds.
    func duration() throws(PeerError) -> Int64 {
        guard let length = value.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw wrong(name == "keeps" ? "a duration such as 60s, or forever" : "such as 300ms")
        }
        return Int64(length / .nanoseconds(1))
    }

    /// One of the words.
    func word(_ words: [String]) throws(PeerError) -> String {
        guard let word = value.stringValue else { throw wrong(words.joined(separator: " or ")) }
        guard words.contains(word) else {
            throw PeerError(
                .badSetting, "\"\(word)\" is no \(name)",
                advice: Suggestion.advice(for: word, in: words))
        }
        return word
    }

    /// What becomes of connections.
    func fates() throws(PeerError) -> [ConnectionFate] {
        guard let elements = value.arrayValue else { throw wrong("a list of mappings") }
        var fates: [ConnectionFate] = []
        for element in elements {
            guard let members = element.objectValue else { throw wrong("a list of mappings") }
            fates.append(try Self.fate(members))
        }
        return fates
    }

    private static func fate(_ members: [Value.Member]) throws(PeerError) -> ConnectionFate {
        var fate = ConnectionFate()
        var hasTime = false
        for member in members {
            let reader = SessionSettingReader(member)
            switch member.name {
            case "accept":
                guard let flag = member.value.boolValue else { throw reader.wrong("true or false") }
                fate.accepts = flag
            case "answer": fate.answer = try reader.answer()
            case "pings": fate.answersPings = try reader.word(["answer", "ignore"]) == "answer"
            case "after":
                fate.after = try reader.duration()
                hasTime = true
            case "then":
                let word = try reader.word(ConnectionFate.End.allCases.map(\.rawValue))
                fate.end = ConnectionFate.End(rawValue: word)
            default:
                throw PeerError(
                    .unknownSetting, "a connection has no setting \"\(member.name)\"",
                    advice: Suggestion.advice(
                        for: member.name, in: ["accept", "answer", "pings", "after", "then"]))
            }
        }
        if !fate.accepts, fate.end == nil { fate.end = .close }
        guard fate.end != nil || !hasTime else {
            throw PeerError(
                .badSetting, "a connection has \"after\", but nothing happens then",
                advice: "add `then: close`, reset or abort")
        }
        return fate
    }

    private func wrong(_ expected: String) -> PeerError {
        PeerError(
            .badSetting, "the setting \"\(name)\" is of the wrong type or out of range",
            advice: "give \(expected)")
    }
}
