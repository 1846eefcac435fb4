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
    /// Whether it accepts hashes that it knows; otherwise it refuses every one.
    var acceptsResumption = true
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

extension HeadUnitSettings: PeerSettings {
    static let owner = "a head unit"

    static let rows: [PeerSetting<Self>] = [
        PeerSetting("protocol", \.protocolVersion, .protocolVersion),
        PeerSetting("language", \.language, .word(PeerKind.language)),
        PeerSetting("hmiDisplayLanguage", \.hmiDisplayLanguage, .word(PeerKind.language)),
        PeerSetting(
            "hmiLevel", \.hmiLevel,
            .word(PeerKind.parameter("hmiLevel", of: "sdl.OnHMIStatus.notification"))),
        PeerSetting("mtu", \.mtu, .integer(13...131_084)),
        PeerSetting("sessionId", \.sessionID, .integer(1...255)),
        PeerSetting("hashId", \.hashID, .integer()),
        PeerSetting("registerAppInterface", \.registerAppInterface, .object(.any)),
        PeerSetting("notifications", \.sendsNotifications, .boolean),
        PeerSetting("silent", \.silent, .messages),
        PeerSetting("refuses", \.refuses, .messages),
        PeerSetting("keepsFiles", \.keepsFiles, .boolean),
        PeerSetting(
            "vehicle", \.vehicle,
            .object(
                PeerKind.parameter("vehicleType", of: "sdl.RegisterAppInterface.response"))),
        PeerSetting(
            "resumption", \.acceptsResumption, .first(of: ["accept", "refuse"], "resumption")),
        PeerSetting("hashChanges", \.hashChanges, .word("hashChanges")),
        PeerSetting("checksRequests", \.checksRequests, .boolean),
    ]
}
