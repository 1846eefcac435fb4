import PeerKit
import SuiteLanguage
import Wire

/// The settings of an app; the defaults are those of a current app library.
struct AppSettings: Sendable {
    /// How far an app proceeds without a request once it has connected.
    enum Progress: String, Sendable, Comparable, CaseIterable {
        /// It sends nothing.
        case connection
        /// It starts an RPC session.
        case session
        /// It also registers.
        case registration

        static func < (left: Progress, right: Progress) -> Bool {
            let order = allCases
            return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
        }
    }

    /// The carrier of the app's sessions.
    enum Transport: String, Sendable, CaseIterable {
        /// Each TCP connection is a session.
        case tcp
        /// Sessions with an accessory, by protocol string.
        case iap
    }

    /// The highest protocol version that it supports.
    var protocolVersion = ProtocolVersion(5, 4, 0)
    /// How far it proceeds without a request.
    var upTo = Progress.registration
    /// The name with which it registers.
    var appName = "Conform"
    /// The identifier with which it registers.
    var appID = "conform"
    /// The hash of its data in the head unit; `nil` if it has none.
    var hashID: String?
    /// The language that it wants for voice recognition and speech.
    var language = "EN-US"
    /// The language that it wants for the screen.
    var hmiDisplayLanguage = "EN-US"
    /// Parameters that replace those of the RegisterAppInterface request; null removes one.
    var registerAppInterface: Value = .object([])
    /// The messages that it does not answer.
    var silent: [MessagePattern] = []
    /// The largest frame that it sends, including the header, if less than the head unit allows.
    var mtu: Int?
    /// The interval of heartbeats in nanoseconds; `nil` if it sends none.
    ///
    /// It sends them in each session of version 3 and later.
    var heartbeat: Int64?
    /// The carrier of its sessions.
    var transport = Transport.tcp
    /// Whether it chooses the protocol string itself, as an app library does.
    ///
    /// Otherwise the suite says which string it opens.
    var choosesString = false
    /// The major version of the phone's system; below 9 it has no multisession.
    var systemVersion = 16

    /// Whether it does not answer messages with a name.
    func isSilent(about message: String) -> Bool { silent.contains { $0.covers(message) } }
}

extension AppSettings: PeerSettings {
    static let owner = "an app"

    static let rows: [PeerSetting<Self>] = [
        PeerSetting("protocol", \.protocolVersion, .protocolVersion),
        PeerSetting("upTo", \.upTo, .word("upTo")),
        PeerSetting("appName", \.appName, .text),
        PeerSetting("appID", \.appID, .text),
        PeerSetting("hashID", \.hashID, .text),
        PeerSetting("language", \.language, .word(PeerKind.language)),
        PeerSetting("hmiDisplayLanguage", \.hmiDisplayLanguage, .word(PeerKind.language)),
        PeerSetting("registerAppInterface", \.registerAppInterface, .object(.any)),
        PeerSetting("silent", \.silent, .messages),
        PeerSetting("mtu", \.mtu, .integer(13...131_084)),
        PeerSetting("heartbeat", \.heartbeat, heartbeat),
        PeerSetting("transport", \.transport, .word("transport")),
        PeerSetting("string", \.choosesString, .first(of: ["automatic", "said"], "string")),
        PeerSetting("systemVersion", \.systemVersion, systemVersion),
    ]

    /// Reads a duration above zero, in nanoseconds.
    private static let heartbeat = SettingForm(.duration) { reader throws(PeerError) in
        let length = try reader.duration("a duration such as 500ms")
        guard length > 0 else { throw reader.wrong("a duration such as 500ms") }
        return length
    }

    /// Reads the first number of a version such as `9.3`.
    private static let systemVersion = SettingForm(.string(maxLength: nil)) {
        reader throws(PeerError) in
        let text: String =
            switch reader.value {
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            default: reader.value.stringValue ?? ""
            }
        guard let number = Int(text.prefix { $0 != "." }), number >= 0 else {
            throw PeerError(
                .badSetting, "the setting \"\(reader.name)\" is not a version",
                advice: "give one like \"9.3\"")
        }
        return number
    }
}
