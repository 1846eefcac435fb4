import SDL
import Wire

/// One session with a head unit, from the StartServiceACK to the end of the connection.
struct Session: Sendable {
    /// The session id that the head unit assigned.
    let id: UInt8
    /// The protocol version that both sides speak.
    let version: UInt8
    /// The hash of the StartServiceACK, to be returned in EndService.
    let hash: Value?
    /// Most bytes of payload in one frame, if the head unit named a limit.
    let maximumPayload: Int?

    /// Functions whose response is awaited, by correlation id.
    var pending: [Int32: String] = [:]
    /// The correlation id of the last request.
    private(set) var lastCorrelationID: Int32 = 0
    /// The head unit's languages, as its registration response told them.
    var headUnitLanguage: String?
    var headUnitDisplayLanguage: String?
    /// The result of the registration.
    var resultCode: String?
    /// The language of the configuration before the last change.
    var languageBefore: String?
    var hmiLevel: String?
    /// Whether the languages have been compared for this registration.
    var hasCompared = false
    /// Whether the level has been FULL.
    var hasBeenFull = false
    /// Whether the developer has set the data of the managers.
    var hasSetManagers = false
    /// Whether the delegate was told that data waits.
    var isResumed = false
    /// The major version of the RPC specification that the head unit knows; 0 if it did not say.
    var rpcVersion: Int64 = 0
    /// The parameters of the last ChangeRegistration.
    var change: Value?
    /// How many changes the head unit has refused.
    var refusals = 0

    /// Makes the session that a StartServiceACK grants.
    ///
    /// - Parameter highestVersion: The highest protocol version that the app speaks.
    init(granted header: SDL.Header, _ parameters: Value, highestVersion: UInt8) {
        id = header.sessionID
        version = min(header.version, highestVersion)
        hash = parameters["hashId"]
        maximumPayload = parameters["mtu"]?.integerValue.flatMap(Session.payload(ofMTU:))
    }

    /// The payload of a frame that is as large as an MTU, header included (protocol 2.4).
    private static func payload(ofMTU mtu: Int64) -> Int? {
        let headerSize: Int64 = 12
        let largest: Int64 = 131_084
        return mtu > headerSize ? Int(min(mtu, largest) - headerSize) : nil
    }

    /// A correlation id that no request of the session has used.
    mutating func takeCorrelationID() -> Int32 {
        lastCorrelationID = lastCorrelationID == .max ? 1 : lastCorrelationID + 1
        return lastCorrelationID
    }
}
