import Diffusion
import HTTP
import PeerKit
import SuiteLanguage
import Wire

/// The settings of a session server.
struct SessionServerSettings: Sendable {
    /// The answer to a connection without a token.
    var open = ConnectionAnswer.code(Diffusion.ResponseCode.ok.rawValue)
    /// The answer to a connection with the token of a session.
    var resume = ConnectionAnswer.code(Diffusion.ResponseCode.reconnected.rawValue)
    /// The answer to a connection with any other token.
    var unknown = ConnectionAnswer.code(Diffusion.ResponseCode.unknownSession.rawValue)
    /// Whether pings of clients are answered.
    var answersPings = true
    /// The period of the server's own pings, as announced and kept, in nanoseconds; 0 for none.
    var systemPing: Int64 = 90_000_000_000
    /// How long a session is kept without a connection, in nanoseconds; `nil` for ever.
    var keeps: Int64? = 60_000_000_000
    /// The behaviours for connections, in the order in which the connections are opened.
    var connections: [ConnectionBehaviour] = []
}

/// The answer to a connection.
enum ConnectionAnswer: Sendable, Hashable {
    /// A code of the session protocol after the upgrade.
    case code(UInt8)
    /// An HTTP status instead of the upgrade.
    case status(Int)
}

/// The server's behaviour for one connection, as a suite writes it.
struct ConnectionBehaviour: Sendable, Hashable {
    /// How a connection is ended.
    enum End: String, Sendable, Hashable, CaseIterable {
        case close
        case reset
        /// The abort notification is sent, then the connection is closed; the session ends.
        case abort
        /// The connection is not ended.
        case nothing
    }

    /// Whether its handshake is answered.
    var accepts = true
    /// The answer to its handshake; `nil` for the answer in the settings.
    var answer: ConnectionAnswer?
    /// Whether its pings are answered; `nil` for the value in the settings.
    var answersPings: Bool?
    /// The time from the answer to the end, in nanoseconds.
    ///
    /// Without an answer it is counted from the moment the connection is established.
    var after: Int64 = 0
    /// How it is ended; `nil` if the server does not end it.
    var end: End?
}

extension SessionServerSettings: PeerSettings {
    static let owner = "a session server"

    static let rows: [PeerSetting<Self>] = [
        PeerSetting("open", \.open, .answer),
        PeerSetting("resume", \.resume, .answer),
        PeerSetting("unknown", \.unknown, .answer),
        PeerSetting("pings", \.answersPings, .first(of: ["answer", "ignore"], "pings")),
        PeerSetting(
            "systemPing", \.systemPing,
            SettingForm(.duration) { reader throws(PeerError) in try reader.duration() }),
        PeerSetting("keeps", .string(maxLength: nil)) { settings, reader throws(PeerError) in
            settings.keeps =
                reader.value == "forever"
                ? nil : try reader.duration("a duration such as 60s, or forever")
        },
        PeerSetting(
            "connections", \.connections,
            SettingForm(
                .array(
                    of: .structure(name: "connection", fields: ConnectionBehaviour.fields),
                    count: nil)
            ) { reader throws(PeerError) in
                try reader.elements("a list of mappings").map { element throws(PeerError) in
                    try ConnectionBehaviour(element)
                }
            }),
    ]
}

extension SettingForm<ConnectionAnswer> {
    /// A code of the session protocol, or an HTTP status.
    static let answer = SettingForm(.integer(0...599)) { reader throws(PeerError) in
        switch reader.value.integerValue {
        case let number? where (0...255).contains(number): .code(UInt8(number))
        case let number? where (300...599).contains(number): .status(Int(number))
        default: throw reader.wrong("a code from 0 to 255, or an HTTP status from 300 to 599")
        }
    }
}

extension ConnectionBehaviour: PeerSettings {
    static let owner = "a connection"

    static let rows: [PeerSetting<Self>] = [
        PeerSetting("accept", \.accepts, .boolean),
        PeerSetting("answer", \.answer, .answer),
        PeerSetting("pings", \.answersPings, .first(of: ["answer", "ignore"], "pings")),
        PeerSetting(
            "after", \.after,
            SettingForm(.duration) { reader throws(PeerError) in try reader.duration() }),
        PeerSetting("then", \.end, .word("then")),
    ]

    /// Reads the behaviour for a connection.
    init(_ reader: SettingReader) throws(PeerError) {
        let members = try reader.members("a list of mappings")
        try apply(reader.value)
        if !accepts, end == nil { end = .close }
        guard end != nil || !members.contains(where: { $0.name == "after" }) else {
            throw PeerError(
                .badSetting, "a connection has \"after\", but nothing happens then",
                advice: "add `then: close`, reset or abort")
        }
    }
}
