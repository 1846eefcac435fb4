import Suites
import Wire

/// What a suite can set of a head unit; the defaults are those of a unit in the shop.
struct HeadUnitSettings: Sendable {
    /// The highest protocol version that it speaks.
    var protocolVersion = ProtocolVersion(5, 4, 0)
    /// The language of voice recognition and speech.
    var language = "EN-US"
    /// The language of the screen.
    var hmiDisplayLanguage = "EN-US"
    /// The level that an app reaches after its registration, through NONE.
    var hmiLevel = "NONE"
    /// What StartServiceACK announces, in bytes.
    var mtu: Int?
    /// The id of a connection's first session; the next ones count up.
    var sessionID: UInt8 = 1
    /// The hash of every session; by default connection and session number make it.
    var hashID: Int32?
    /// Parameters that replace those of the RegisterAppInterface response; null takes one out.
    var registerAppInterface: Value = .object([])
    /// Whether OnHMIStatus and OnPermissionsChange follow a registration.
    var sendsNotifications = true
    /// The messages that it leaves without an answer.
    var silent: [MessagePattern] = []
    /// The requests of registered apps that it answers REJECTED.
    var refuses: [MessagePattern] = []
    /// Whether files outlive the session also where the app did not ask for that.
    var keepsFiles = false
    /// The vehicle that it is built into: what StartServiceACK and registrations tell.
    var vehicle = HeadUnitCapabilities.vehicleType
    /// Whether it refuses every hash.
    var refusesResumption = false
    /// What it tells a new hash after.
    var hashChanges = HashChanges.data
    /// Whether requests are checked against the specification and what is known of the app.
    var checksRequests = true

    /// What an app is told a new hash after.
    enum HashChanges: String, Sendable, CaseIterable {
        /// Changes of what a resumption brings back, and an accepted resumption, as in sdl_core.
        case data
        /// These, every registration, and every Show that shows something else.
        case all
        /// Nothing.
        case none
    }

    /// Largest payload of a frame that it sends: the announced MTU includes the frame's header.
    func maximumPayload(version: UInt8) -> Int? {
        version >= 5 ? (mtu ?? Self.defaultMTU) - 12 : nil
    }

    /// What it announces unless it is told otherwise.
    static let defaultMTU = 131_072

    /// Whether it leaves a message of that name without an answer.
    func isSilent(about message: String) -> Bool { silent.contains { $0.covers(message) } }
}

extension HeadUnitSettings {
    /// Replaces the settings that `values`, an object, names.
    mutating func apply(
        _ values: Value, position: SourcePosition
    ) throws(PeerError) {
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
        let reader = SettingReader(member, of: HeadUnitPeer.kind)
        switch member.name {
        case "protocol":
            protocolVersion = try reader.protocolVersion()
        case "language":
            language = try reader.word()
        case "hmiDisplayLanguage":
            hmiDisplayLanguage = try reader.word()
        case "hmiLevel":
            hmiLevel = try reader.word()
        case "mtu":
            mtu = Int(try reader.integer(in: 13...131_084))
        case "sessionId":
            sessionID = UInt8(try reader.integer(in: 1...255))
        case "hashId":
            hashID = Int32(try reader.integer(in: Int64(Int32.min)...Int64(Int32.max)))
        case "registerAppInterface":
            registerAppInterface = try reader.object()
        case "notifications":
            sendsNotifications = try reader.boolean()
        case "silent":
            silent = try reader.messages().map { MessagePattern(message: $0, position: position) }
        case "refuses":
            refuses = try reader.messages().map { MessagePattern(message: $0, position: position) }
        case "keepsFiles":
            keepsFiles = try reader.boolean()
        case "vehicle":
            vehicle = try reader.object()
        case "resumption":
            refusesResumption = try reader.word() == "refuse"
        case "hashChanges":
            hashChanges = HashChanges(rawValue: try reader.word()) ?? hashChanges
        case "checksRequests":
            checksRequests = try reader.boolean()
        case "port":
            _ = try reader.integer(in: 0...65_535)
        default:
            let known = PeerKind.headUnit.settings.map(\.path)
            throw PeerError(
                .unknownSetting, "a head unit has no setting \"\(member.name)\"",
                advice: Suggestion.advice(for: member.name, in: known))
        }
    }
}
