import SDL
import Wire

/// What a head unit remembers of one connection.
struct HeadUnitConnection: Sendable {
    /// Its number, from 1, in the order of the connections; part of the hash of its sessions.
    let number: Int
    /// The id of the next message that it sends.
    var nextMessageID: UInt32 = 1
    private(set) var sessions: [UInt8: HeadUnitSession] = [:]
    private var started: [UInt8] = []
    /// The last control frame of each kind that the device sent, for answers without a reference.
    var latestControl: [SDL.ControlFrame: SDL.Message] = [:]

    init(number: Int) {
        self.number = number
    }

    /// The session that was started last and is still there.
    var latestSession: HeadUnitSession? { started.last.flatMap { sessions[$0] } }

    /// The id for a new session: `first`, then counting up; `nil` if all 255 are in use.
    func freeSessionID(from first: UInt8) -> UInt8? {
        let start = started.last.map { $0 == 255 ? 1 : $0 + 1 } ?? first
        return (0..<255).lazy.map { UInt8((Int(start) - 1 + $0) % 255 + 1) }
            .first { sessions[$0] == nil }
    }

    mutating func start(_ session: HeadUnitSession) {
        started.removeAll { $0 == session.id }
        started.append(session.id)
        sessions[session.id] = session
    }

    mutating func end(_ id: UInt8) {
        started.removeAll { $0 == id }
        sessions[id] = nil
    }

    mutating func change(_ id: UInt8, _ body: (inout HeadUnitSession) -> Void) {
        guard var session = sessions[id] else { return }
        sessions[id] = nil
        body(&session)
        sessions[id] = session
    }
}

/// What a head unit remembers of one session.
struct HeadUnitSession: Sendable {
    /// Its id, 1 to 255.
    let id: UInt8
    /// The version of the frames that the head unit sends in it.
    var headerVersion: UInt8
    /// The version that was agreed.
    var version: ProtocolVersion
    /// Whether the ACK fixed the version; if not, the device's next frame does.
    var isVersionFixed: Bool
    /// What EndService must carry.
    let hashID: Int32
    /// The services that are open.
    var services: Set<UInt8> = [SDL.ServiceType.rpc.rawValue]
    /// The app that is registered.
    var app: RegisteredApp?
    /// Requests that have not been answered, without their bulk data, by correlation id.
    private(set) var unanswered: [Int32: SDL.RPC] = [:]
    private var order: [Int32] = []

    init(id: UInt8, negotiation: VersionNegotiation, hashID: Int32) {
        self.id = id
        headerVersion = negotiation.headerVersion
        version = negotiation.version
        isVersionFixed = negotiation.isFixed
        self.hashID = hashID
    }

    /// Most requests that are remembered as unanswered: what sdl_core lets an app have pending in
    /// its flood window.
    private static let unansweredLimit = 1000

    mutating func addUnanswered(_ request: SDL.RPC) {
        guard unanswered[request.correlationID] == nil else { return }
        var kept = request
        kept.bulk = []
        unanswered[request.correlationID] = kept
        order.append(request.correlationID)
        if order.count > Self.unansweredLimit { unanswered[order.removeFirst()] = nil }
    }

    mutating func settle(_ correlationID: Int32) -> SDL.RPC? {
        guard let request = unanswered.removeValue(forKey: correlationID) else { return nil }
        order.removeAll { $0 == correlationID }
        return request
    }

    /// The request of that function that has waited longest for its answer.
    func oldestUnanswered(_ function: String) -> SDL.RPC? {
        order.lazy.compactMap { unanswered[$0] }.first { $0.functionName == function }
    }
}

/// What a head unit knows of an app from its registration.
struct RegisteredApp: Sendable {
    private let hasAudio: Bool
    private let hasVideo: Bool
    /// Under what the head unit knows it.
    let key: AppMemory.Key

    /// Reads the parameters of RegisterAppInterface.
    init(_ parameters: Value, key: AppMemory.Key) {
        self.key = key
        let types = parameters["appHMIType"]?.arrayValue?.compactMap(\.stringValue) ?? []
        hasVideo = types.contains("NAVIGATION") || types.contains("PROJECTION")
        hasAudio = parameters["isMediaApplication"] == true || types.contains("MEDIA") || hasVideo
    }

    /// The parameters of OnHMIStatus for the main window at a level.
    func status(_ level: String) -> Value {
        let isVisible = level == "FULL" || level == "LIMITED"
        return [
            "hmiLevel": .string(level),
            "audioStreamingState": isVisible && hasAudio ? "AUDIBLE" : "NOT_AUDIBLE",
            "systemContext": "MAIN",
            "videoStreamingState": isVisible && hasVideo ? "STREAMABLE" : "NOT_STREAMABLE",
        ]
    }
}
