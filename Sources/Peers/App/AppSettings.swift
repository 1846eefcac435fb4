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

extension AppSettings {
    /// Replaces the settings that `values`, an object, names.
    mutating func apply(_ values: Value, position: SourcePosition) throws(PeerError) {
        if values == .null { return }
        guard let members = values.objectValue else {
            throw PeerError(
                .badSetting, "the settings are of type \(values.typeName), expected an object")
        }
        for member in members { try apply(member, position: position) }
    }

    private mutating func apply(
        _ member: Value.Member, position: SourcePosition
    ) throws(PeerError) {
        let reader = SettingReader(member, of: AppPeer.kind)
        switch member.name {
        case "protocol": protocolVersion = try reader.protocolVersion()
        case "upTo": upTo = Progress(rawValue: try reader.word()) ?? upTo
        case "appName": appName = try reader.text()
        case "appID": appID = try reader.text()
        case "hashID": hashID = try reader.text()
        case "language": language = try reader.word()
        case "hmiDisplayLanguage": hmiDisplayLanguage = try reader.word()
        case "registerAppInterface": registerAppInterface = try reader.object()
        case "silent":
            silent = try reader.messages().map { MessagePattern(message: $0, position: position) }
        case "mtu": mtu = Int(try reader.integer(in: 13...131_084))
        case "heartbeat": heartbeat = try reader.interval()
        case "transport": transport = Transport(rawValue: try reader.word()) ?? transport
        case "string": choosesString = try reader.word() == "automatic"
        case "systemVersion": systemVersion = try reader.firstNumber()
        case "port": _ = try reader.integer(in: 0...65_535)
        default:
            let known = PeerKind.app.settings.map(\.path)
            throw PeerError(
                .unknownSetting, "an app has no setting \"\(member.name)\"",
                advice: Suggestion.advice(for: member.name, in: known))
        }
    }
}

extension SettingReader {
    /// A duration above zero, in nanoseconds.
    fileprivate func interval() throws(PeerError) -> Int64 {
        guard let length = value.stringValue.flatMap(Duration.init(suiteText:)), length > .zero
        else {
            throw PeerError(
                .badSetting, "the setting \"\(name)\" is of the wrong type or out of range",
                advice: "give a duration such as 500ms")
        }
        return Int64(length / .nanoseconds(1))
    }

    /// The first number of a version such as `9.3`.
    fileprivate func firstNumber() throws(PeerError) -> Int {
        let text: String =
            switch value {
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            default: value.stringValue ?? ""
            }
        guard let number = Int(text.prefix { $0 != "." }), number >= 0 else {
            throw PeerError(
                .badSetting, "the setting \"\(name)\" is no version",
                advice: "give one like \"9.3\"")
        }
        return number
    }
}
