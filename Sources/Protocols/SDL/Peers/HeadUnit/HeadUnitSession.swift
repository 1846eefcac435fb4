import PeerKit
import SDL
import Wire

/// The state of one connection of a head unit.
package struct HeadUnitConnection: Sendable {
    /// The number of the connection, counted from 1; it is part of the hash of its sessions.
    let number: Int
    /// The id of the next message that it sends.
    var nextMessageID: UInt32 = 1
    private(set) var sessions: [UInt8: HeadUnitSession] = [:]
    private var started: [UInt8] = []
    /// The last control frame of each kind from the device, for answers that name no message.
    var latestControl: [SDL.ControlFrame: SDL.Message] = [:]

    init(number: Int) {
        self.number = number
    }

    /// The session that was started last, of those that have not ended.
    var latestSession: HeadUnitSession? { started.last.flatMap { sessions[$0] } }

    /// Returns the id for a new session: `first`, then counting up; `nil` if all 255 are in use.
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

/// The state of one session of a head unit.
struct HeadUnitSession: Sendable {
    /// The id, 1 to 255.
    let id: UInt8
    /// The version of the frames that the head unit sends.
    var headerVersion: UInt8
    /// The negotiated version.
    var version: ProtocolVersion
    /// Whether the ACK fixed the version; if not, the device's next frame does.
    var isVersionFixed: Bool
    /// The hash that EndService must carry.
    let hashID: Int32
    /// The MTU that the ACK announced, in bytes; `nil` if it announced none.
    var mtu: Int?
    /// The open services.
    var services: Set<UInt8> = [SDL.ServiceType.rpc.rawValue]
    /// The registered app.
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

    /// The limit on requests that are kept as unanswered.
    ///
    /// It is the number of pending requests that sdl_core permits an app in its flood window.
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

    /// Returns the oldest unanswered request of a function.
    func oldestUnanswered(_ function: String) -> SDL.RPC? {
        order.lazy.compactMap { unanswered[$0] }.first { $0.functionName == function }
    }
}

/// The head unit's data about an app from its registration.
struct RegisteredApp: Sendable {
    private let hasAudio: Bool
    private let hasVideo: Bool
    /// The key of the app's memory.
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
