import SDL
import Wire

/// One session with a head unit, from the StartServiceACK to the end of the connection.
struct Session: Sendable {
    /// The session id that the head unit assigned.
    let id: UInt8
    /// The protocol version that both sides use.
    let version: UInt8
    /// The hash of the StartServiceACK, which EndService must return.
    let hash: Value?
    /// The maximum payload of a frame in bytes, if the head unit specified a limit.
    let maximumPayload: Int?

    /// Functions whose response is awaited, by correlation id.
    var pending: [Int32: String] = [:]
    /// The correlation id of the last request.
    private(set) var lastCorrelationID: Int32 = 0
    /// The head unit's languages, from its registration response.
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
    /// Whether the delegate was notified that there is data to resume.
    var isResumed = false
    /// The major version of the head unit's RPC specification; 0 if it stated none.
    var rpcVersion: Int64 = 0
    /// The parameters of the last ChangeRegistration.
    var change: Value?
    /// How many changes the head unit has refused.
    var refusals = 0

    /// Creates the session that a StartServiceACK grants.
    ///
    /// - Parameter highestVersion: The highest protocol version that the app supports.
    init(granted header: SDL.Header, _ parameters: Value, highestVersion: UInt8) {
        id = header.sessionID
        version = min(header.version, highestVersion)
        hash = parameters["hashId"]
        maximumPayload = parameters["mtu"]?.integerValue.flatMap(Session.payload(ofMTU:))
    }

    /// Returns the payload of a frame whose size, header included, is the MTU (protocol 2.4).
    private static func payload(ofMTU mtu: Int64) -> Int? {
        let headerSize: Int64 = 12
        let largest: Int64 = 131_084
        return mtu > headerSize ? Int(min(mtu, largest) - headerSize) : nil
    }

    /// Returns a correlation id that no request of the session has used.
    mutating func takeCorrelationID() -> Int32 {
        lastCorrelationID = lastCorrelationID == .max ? 1 : lastCorrelationID + 1
        return lastCorrelationID
    }
}
