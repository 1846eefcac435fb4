import Diffusion
import HTTP
import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// A simulated Diffusion server (`session.server`).
///
/// It opens sessions over WebSocket, keeps them while their connection is lost, and resumes them.
/// Its knowledge of the device comes from the trace. It takes times from `advance`.
struct SessionServerPeer: Peer, ConnectionKeeper {
    /// The peer kind `session.server`.
    static let kind = PeerKind.sessionServer

    /// The name that the suite gives it.
    let name: String
    var settings = SessionServerSettings()
    var connections = ConnectionTable<SessionConnection>()
    var sessions = SessionStore()
    /// The latest time that it was given, in nanoseconds.
    private(set) var now: Int64 = 0
    /// The behaviours for the next connections, in order.
    private var fates: [ConnectionBehaviour]

    /// Creates a server with the settings of a declaration.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        try settings.apply(declaration.settings)
        fates = settings.connections
    }

    /// The connection that the device opened last, of those that have not ended.
    var latestConnection: PeerConnection? { connections.live.last }

    /// Reacts to what the trace shows; see `Peer`.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if let event = message as? TCPEvent {
            return observe(event, on: connection, sentByPeer: sentByPeer)
        }
        guard !sentByPeer, !connections.hasEnded(connection) else { return [] }
        connections.open(connection, SessionConnection())
        var commands = accept(connection)
        guard connections[connection] != nil else { return commands }
        switch message {
        case let connect as Diffusion.Connect:
            commands += answer(connect, on: connection, withholdsAnswer: withholdAnswer)
        case let message as Diffusion.Message:
            commands += react(to: message, on: connection, withholdsAnswer: withholdAnswer)
        case let message as WebSocket.Message:
            commands += react(to: message, on: connection, withholdsAnswer: withholdAnswer)
        default: break
        }
        return commands
    }

    private mutating func observe(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch (event.kind, sentByPeer) {
        case (.syn, false):
            forget(connection)
            connections.begin(connection, SessionConnection())
        case (.established, false):
            return accept(connection)
        case (.fin, false):
            forget(connection)
            return [.close(connection)]
        case (.rst, _), (.refused, _):
            forget(connection)
        default: break
        }
        return []
    }

    /// Carries out the actions of `PeerKind`; see `Peer`.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        switch action {
        case "answer":
            let answer = try SettingForm.answer.read(SettingReader("answer", arguments))
            fates.insert(ConnectionBehaviour(answer: answer), at: 0)
            return []
        case "configure":
            try settings.configure(arguments, of: name, example: "pings: ignore")
            if arguments["connections"] != nil { fates = settings.connections }
            return []
        default: return try performPlain(action, arguments)
        }
    }

    private mutating func performPlain(
        _ action: String, _ arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard arguments == .null else {
            throw PeerError.takesNoArgument(action, of: name)
        }
        switch action {
        case "forget":
            sessions.forgetAll()
            return []
        case "close", "reset":
            let connection = try liveConnection(nil)
            return end(connection, action == "close" ? .close : .reset)
        case "abort":
            return end(try sessionConnection(nil), .abort)
        case "ping":
            return sendSystemPing(on: try sessionConnection(nil))
        default:
            throw PeerError.unknownAction(action, of: Self.kind, "a session server")
        }
    }

    // MARK: - Time

    /// When the next connection must be ended or pinged; see `Peer`.
    var nextDeadline: Int64? {
        connections.values.compactMap { $0.nextDeadline(pingPeriod: settings.systemPing) }.min()
    }

    /// Ends and pings connections that are due; see `Peer`.
    mutating func advance(to now: Int64) -> [PeerCommand] {
        self.now = max(self.now, now)
        var commands: [PeerCommand] = []
        for connection in connections.live {
            guard let state = connections[connection] else { continue }
            if let due = state.endsAt, due <= now, let fate = state.fate?.end {
                commands += end(connection, fate)
            } else if let last = state.pingedAt, settings.systemPing > 0,
                last + settings.systemPing <= now
            {
                // A client that leaves a ping unanswered for a whole period is considered gone.
                commands +=
                    state.awaitsPong ? end(connection, .abort) : sendSystemPing(on: connection)
            }
        }
        return commands
    }
}

// MARK: - Connections

extension SessionServerPeer {
    /// Returns the given connection, or else the latest one; throws if it has no session.
    func sessionConnection(_ connection: PeerConnection?) throws(PeerError) -> PeerConnection {
        let connection = try liveConnection(connection)
        guard connections[connection]?.hasSession == true else {
            throw PeerError(
                .noSession, "the device has no session with \(name) on its connection",
                advice: "expect diffusion.response from \(name) first")
        }
        return connection
    }

    /// Assigns an established connection its behaviour.
    private mutating func accept(_ connection: PeerConnection) -> [PeerCommand] {
        guard connections[connection] != nil, connections[connection]?.fate == nil else {
            return []
        }
        let fate = fates.isEmpty ? ConnectionBehaviour() : fates.removeFirst()
        connections[connection]?.fate = fate
        return fate.accepts ? [] : scheduleEnd(of: connection)
    }

    /// Ends a connection now or later, if its behaviour says so.
    mutating func scheduleEnd(of connection: PeerConnection) -> [PeerCommand] {
        guard let fate = connections[connection]?.fate, let end = fate.end, end != .nothing else {
            return []
        }
        guard fate.after > 0 else { return self.end(connection, end) }
        connections[connection]?.endsAt = now + fate.after
        return []
    }

    /// Ends a connection.
    mutating func end(
        _ connection: PeerConnection, _ end: ConnectionBehaviour.End
    ) -> [PeerCommand] {
        defer { forget(connection) }
        switch end {
        case .nothing: return []
        case .close: return [.close(connection)]
        case .reset: return [.reset(connection)]
        case .abort:
            let isUpgraded = connections[connection]?.isUpgraded == true
            sessions.end(on: connection)
            return (isUpgraded ? [write(.abort, on: connection)] : []) + [.close(connection)]
        }
    }

    /// Removes a connection that has ended; its session is kept.
    private mutating func forget(_ connection: PeerConnection) {
        guard connections.forget(connection) else { return }
        sessions.detach(connection, at: now)
    }
}
