import ExternalAccessory
import SDL

/// What an app remembers of one connection.
struct AppConnection: Sendable {
    /// What a connection is for.
    enum Purpose: Sendable, Hashable {
        /// SDL, and nothing else.
        case plain
        /// To be told of accessories.
        case control
        /// A session with an accessory, under a protocol string.
        case session(accessory: UInt32, string: String)
    }

    /// What it is for.
    let purpose: Purpose
    /// The id of the next message that the app sends.
    var nextMessageID: UInt32 = 1
    /// The RPC sessions that have not ended, in the order in which they were started.
    private(set) var sessions: [AppSession] = []
    /// When the next heartbeats are due; `nil` if the app sends none by itself.
    var nextHeartbeat: Int64?
    /// Requests of the head unit that have not been answered, the oldest first.
    var unanswered: [SDL.RPC] = []
    /// The last control frame of each kind that the head unit sent.
    var latestControl: [SDL.ControlFrame: SDL.Message] = [:]

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// The RPC session that was started last and has not ended.
    var session: AppSession? { sessions.last }

    /// The RPC session of that id; `nil` without one.
    func session(_ id: UInt8) -> AppSession? { sessions.first { $0.id == id } }

    /// A session is started.
    mutating func start(_ session: AppSession) {
        end(session.id)
        sessions.append(session)
    }

    /// A session has ended.
    mutating func end(_ id: UInt8) { sessions.removeAll { $0.id == id } }

    /// The protocol string of a session with an accessory.
    var string: String? {
        if case .session(_, let string) = purpose { string } else { nil }
    }

    /// Whether SDL may be spoken on it.
    var carriesSDL: Bool {
        switch purpose {
        case .plain: true
        case .control: false
        case .session(_, let string): string != ExternalAccessory.controlString
        }
    }
}

/// What an app remembers of its RPC session.
struct AppSession: Sendable {
    /// Its id, as the head unit assigned it.
    let id: UInt8
    /// The version of the frames that the app sends in it.
    let version: UInt8
    /// What EndService must carry; `nil` if the head unit told none.
    let hashID: Int32?
    /// Largest payload of a frame; `nil` for the version's own.
    let maximumPayload: Int?

    /// Reads a StartServiceACK.
    ///
    /// - Parameter own: The highest version that the app speaks.
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
    /// An RPC in a session of an app.
    init(_ rpc: SDL.RPC, in session: AppSession) {
        self.init(rpc, version: session.version, sessionID: session.id)
    }
}
