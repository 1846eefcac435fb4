import Suites
import Wire

/// What a suite can set of an app; the defaults are those of an app library of today.
struct AppSettings: Sendable {
    /// How far an app goes by itself once it has called.
    enum Progress: String, Sendable, Comparable, CaseIterable {
        /// It says nothing.
        case connection
        /// It starts an RPC session.
        case session
        /// It registers, too.
        case registration

        static func < (left: Progress, right: Progress) -> Bool {
            let order = allCases
            return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
        }
    }

    /// What carries the app's sessions.
    enum Transport: String, Sendable, CaseIterable {
        /// A TCP connection is the session.
        case tcp
        /// Sessions with an accessory, by protocol string.
        case iap
    }

    /// The highest protocol version that it speaks.
    var protocolVersion = ProtocolVersion(5, 4, 0)
    /// How far it goes by itself.
    var upTo = Progress.registration
    /// Under which name it registers.
    var appName = "Conform"
    /// Under which identifier it registers.
    var appID = "conform"
    /// The hash of the data that it left behind; `nil` if it has none.
    var hashID: String?
    /// The language of voice recognition and speech that it wants.
    var language = "EN-US"
    /// The language of the screen that it wants.
    var hmiDisplayLanguage = "EN-US"
    /// Parameters that replace those of the RegisterAppInterface request; null takes one out.
    var registerAppInterface: Value = .object([])
    /// The messages that it leaves without an answer.
    var silent: [MessagePattern] = []
    /// The largest frame that it sends, if that is less than the head unit allows, with the header.
    var mtu: Int?
    /// How often it sends a heartbeat in each session of version 3 and later, in nanoseconds; `nil`
    /// if it does not.
    var heartbeat: Int64?
    /// What carries its sessions.
    var transport = Transport.tcp
    /// Whether it chooses the protocol string itself, as an app library does; otherwise the suite
    /// says what it opens.
    var choosesString = false
    /// The version of the phone's system, by its first number: below 9 it has no multisession.
    var systemVersion = 16

    /// Whether it leaves a message of that name without an answer.
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

    /// A duration above zero, in nanoseconds.
    private static let heartbeat = SettingForm(.duration) { reader throws(PeerError) in
        let length = try reader.duration("a duration such as 500ms")
        guard length > 0 else { throw reader.wrong("a duration such as 500ms") }
        return length
    }

    /// The first number of a version such as `9.3`.
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
                .badSetting, "the setting \"\(reader.name)\" is no version",
                advice: "give one like \"9.3\"")
        }
        return number
    }
}
