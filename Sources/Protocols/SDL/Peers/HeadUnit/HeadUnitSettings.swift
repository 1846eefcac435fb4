import PeerKit
import SuiteLanguage
import Wire

/// The settings of a head unit; the defaults are those of a unit as it is sold.
struct HeadUnitSettings: Sendable {
    /// The highest protocol version that it supports.
    var protocolVersion = ProtocolVersion(5, 4, 0)
    /// The language of voice recognition and speech.
    var language = "EN-US"
    /// The language of the screen.
    var hmiDisplayLanguage = "EN-US"
    /// The level that an app reaches after its registration, through NONE.
    var hmiLevel = "NONE"
    /// The MTU in StartServiceACK, in bytes.
    var mtu: Int?
    /// The id of a connection's first session; the next ones count up.
    var sessionID: UInt8 = 1
    /// The hash of every session; by default it is built from connection and session number.
    var hashID: Int32?
    /// Parameters that replace those of the RegisterAppInterface response; null removes one.
    var registerAppInterface: Value = .object([])
    /// Whether OnHMIStatus and OnPermissionsChange follow a registration.
    var sendsNotifications = true
    /// The messages that it does not answer.
    var silent: [MessagePattern] = []
    /// The requests of registered apps that it answers with REJECTED.
    var refuses: [MessagePattern] = []
    /// Whether files outlive the session even if the app did not request that.
    var keepsFiles = false
    /// The vehicle into which it is built, as in StartServiceACK and registrations.
    var vehicle = HeadUnitCapabilities.vehicleType
    /// Whether it accepts hashes that it knows; otherwise it refuses all hashes.
    var acceptsResumption = true
    /// The changes after which it sends a new hash.
    var hashChanges = HashChanges.data
    /// Whether requests are checked against the specification and the app's data.
    var checksRequests = true
    /// What the hashes look like that it sends to apps.
    var hashes = HashForm.letters

    /// The form of the hashes of OnHashChange; all are different.
    enum HashForm: String, Sendable, CaseIterable {
        /// 32 letters and digits.
        case letters
        /// Digits, with leading zeros.
        case digits
        /// As few characters as possible.
        case short
        /// As many characters as the specification permits.
        case longest
        /// Text beyond ASCII, with blanks.
        case unicode
    }

    /// The changes after which an app gets a new hash.
    enum HashChanges: String, Sendable, CaseIterable {
        /// Changes of data that a resumption restores, and an accepted resumption, as in sdl_core.
        case data
        /// The same, and every registration, and every Show that changes the display.
        case all
        /// No changes.
        case none
    }

    /// Returns the largest payload of a frame: the announced MTU includes the frame's header.
    static func maximumPayload(version: UInt8, mtu: Int?) -> Int? {
        version >= 5 ? max(1, (mtu ?? defaultMTU) - 12) : nil
    }

    /// The MTU that it announces by default.
    static let defaultMTU = 131_072

    /// Whether it does not answer messages with a name.
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
        PeerSetting("hashes", \.hashes, .word("hashes")),
        PeerSetting("checksRequests", \.checksRequests, .boolean),
    ]
}
