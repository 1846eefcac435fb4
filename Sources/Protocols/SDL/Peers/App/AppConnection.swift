import ExternalAccessory
import PeerKit
import SDL

/// The state of one connection of an app.
struct AppConnection: Sendable {
    /// The purpose of a connection.
    enum Purpose: Sendable, Hashable {
        /// Only SDL.
        case plain
        /// Notifications of accessories.
        case control
        /// A session with an accessory, under a protocol string.
        case session(accessory: UInt32, string: String)
    }

    /// The purpose of the connection.
    let purpose: Purpose
    /// The id of the next message that the app sends.
    var nextMessageID: UInt32 = 1
    /// The RPC sessions that have not ended, in the order in which they were started.
    private(set) var sessions: [AppSession] = []
    /// When the next heartbeats are due; `nil` if the app sends none without a request.
    var nextHeartbeat: Int64?
    /// Requests of the head unit that have not been answered, oldest first.
    var unanswered: [SDL.RPC] = []
    /// The last control frame of each kind that the head unit sent.
    var latestControl: [SDL.ControlFrame: SDL.Message] = [:]

    /// The RPC session that was started last, of those that have not ended.
    var session: AppSession? { sessions.last }

    /// Returns the RPC session with an id; `nil` if there is none.
    func session(_ id: UInt8) -> AppSession? { sessions.first { $0.id == id } }

    /// Adds a session that was started; it replaces a session with the same id.
    mutating func start(_ session: AppSession) {
        end(session.id)
        sessions.append(session)
    }

    /// Removes a session that has ended.
    mutating func end(_ id: UInt8) { sessions.removeAll { $0.id == id } }

    /// The protocol string of a session with an accessory.
    var string: String? {
        if case .session(_, let string) = purpose { string } else { nil }
    }

    /// Whether SDL may be sent on it.
    var carriesSDL: Bool {
        switch purpose {
        case .plain: true
        case .control: false
        case .session(_, let string): string != ExternalAccessory.controlString
        }
    }
}

/// The state of an RPC session of an app.
struct AppSession: Sendable {
    /// The id that the head unit assigned.
    let id: UInt8
    /// The version of the frames that the app sends.
    let version: UInt8
    /// The hash that EndService must carry; `nil` if the head unit sent none.
    let hashID: Int32?
    /// The largest payload of a frame; `nil` for the limit of the version.
    let maximumPayload: Int?

    /// Creates the session from a StartServiceACK.
    ///
    /// - Parameter own: The highest version that the app supports.
    init(_ message: SDL.Message, own: ProtocolVersion) {
        let parameters = message.controlParameters
        id = message.header.sessionID
        version = min(message.header.version, own.major)
        hashID = parameters["hashId"]?.integerValue.flatMap { Int32(exactly: $0) }
        let mtu = parameters["mtu"]?.integerValue.flatMap { Int(exactly: $0) }
        maximumPayload = mtu.map { max(1, $0 - 12) }
    }
}

extension OutgoingMessage {
    /// Creates an RPC message in a session of an app.
    init(_ rpc: SDL.RPC, in session: AppSession) {
        self.init(rpc, version: session.version, sessionID: session.id)
    }
}
