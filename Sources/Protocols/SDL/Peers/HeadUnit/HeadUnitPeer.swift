import PeerKit
import SDL
import SuiteLanguage
import TCPIP
import Wire

/// A simulated SDL head unit (`sdl.head-unit`).
///
/// It accepts sessions, registers apps and answers every request, as sdl_core does with a user who
/// agrees to everything. Its knowledge of the device comes from the trace. Its own state advances
/// with the messages that it sends, whether on its own or because a suite requests them: an app is
/// registered when a response with `success: true` has been sent.
package struct HeadUnitPeer: Peer, ConnectionKeeper {
    /// The peer kind `sdl.head-unit`.
    package static let kind = PeerKind.headUnit

    /// The name that the suite gives it.
    package let name: String
    var settings = HeadUnitSettings()
    package var connections = ConnectionTable<HeadUnitConnection>()
    /// The data of every app, registered or not.
    var memories: [AppMemory.Key: AppMemory] = [:]
    private var connectionCount = 0
    private var hashCount = 0
    /// The reasons why it did not answer.
    var unansweredReasons = UnansweredReasons()
    var requestCount: Int32 = 0

    /// Creates a head unit with the settings of a declaration.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    package init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        try settings.apply(declaration.settings)
    }

    /// Reacts to what the trace shows; see `Peer`.
    package mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        switch message {
        case let event as TCPEvent:
            return observe(event, on: connection, sentByPeer: sentByPeer)
        case let message as SDL.Message where !sentByPeer:
            guard !connections.hasEnded(connection) else { return [] }
            open(connection)
            return react(
                to: message, on: connection,
                withholdsAnswer: withholdAnswer || settings.isSilent(about: message.name))
        default:
            return []
        }
    }

    private mutating func observe(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch (event.kind, sentByPeer) {
        case (.syn, false):
            endApps(on: connection)
            connectionCount += 1
            connections.begin(connection, HeadUnitConnection(number: connectionCount))
            return []
        case (.fin, false):
            forget(connection)
            return [.close(connection)]
        case (.rst, _):
            forget(connection)
            return []
        default:
            return []
        }
    }

    private mutating func react(
        to message: SDL.Message, on connection: PeerConnection, withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard speaks(message, on: connection) else { return [] }
        connections[connection]?.change(message.header.sessionID) { session in
            guard !session.isVersionFixed else { return }
            session.headerVersion = message.header.version
            session.version = ProtocolVersion(message.header.version)
        }
        switch message.content {
        case .control(let frame, _):
            return react(to: frame, message, on: connection, withholdsAnswer: withholdsAnswer)
        case .rpc(let rpc) where rpc.type == .request:
            return answer(rpc, message, on: connection, withholdsAnswer: withholdsAnswer)
        case .malformed(let error):
            unansweredReasons.record("could not read a message: \(error)")
            return []
        case .encrypted:
            unansweredReasons.record("cannot read encrypted data: it has not agreed to encryption")
            return []
        default:
            return []
        }
    }

    /// Whether it reads a frame.
    ///
    /// A head unit drops frames above the version that it supports or has answered in.
    private mutating func speaks(
        _ message: SDL.Message, on connection: PeerConnection
    ) -> Bool {
        let session = connections[connection]?.sessions[message.header.sessionID]
        let spoken = max(settings.protocolVersion.major, session?.headerVersion ?? 0)
        guard message.header.version > spoken else { return true }
        unansweredReasons.record(
            "dropped a frame of version \(message.header.version) (\(message.name)), because it "
                + "speaks \(spoken)")
        return false
    }

    /// Returns the reasons why it did not answer; see `Peer`.
    package mutating func takeUnansweredReasons() -> [String] { unansweredReasons.take() }

    /// Carries out the actions of `PeerKind`; see `Peer`.
    package mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        if action != "configure", arguments != .null {
            throw PeerError.takesNoArgument(action, of: name)
        }
        switch action {
        case "ignitionOff":
            _ = try liveConnection(nil)
            return turnIgnitionOff()
        case "forget":
            forgetApps()
            return []
        case "close", "reset":
            let connection = try liveConnection(nil)
            forget(connection)
            return try end(connection, by: action, arguments)
        case "configure":
            try settings.configure(arguments, of: name, example: "language: DE-DE")
            return []
        default:
            throw PeerError.unknownAction(action, of: Self.kind, "a head unit")
        }
    }
}

// MARK: - Connections

extension HeadUnitPeer {
    /// The connection that the device opened last, of those that have not ended.
    ///
    /// Connections with a session have priority.
    package var latestConnection: PeerConnection? {
        connections.live.last { connections[$0]?.sessions.isEmpty == false }
            ?? connections.live.last
    }

    private mutating func open(_ connection: PeerConnection) {
        guard connections[connection] == nil else { return }
        connectionCount += 1
        connections.open(connection, HeadUnitConnection(number: connectionCount))
    }

    /// Removes a connection that has ended, and its sessions.
    package mutating func forget(_ connection: PeerConnection) {
        endApps(on: connection)
        connections.forget(connection)
    }

    /// Encodes a message for a connection and assigns its message id.
    mutating func write(
        _ message: OutgoingMessage, on connection: PeerConnection
    ) -> [PeerCommand] {
        guard var state = connections[connection] else { return [] }
        connections[connection] = nil
        let bytes = message.bytes(
            numberedBy: &state.nextMessageID,
            maximumPayload: HeadUnitSettings.maximumPayload(
                version: message.version,
                mtu: state.sessions[message.sessionID]?.mtu ?? settings.mtu))
        connections[connection] = state
        return [.write(connection, bytes)]
    }

    /// Returns a hash that no app has been given yet.
    mutating func nextHash() -> String {
        hashCount += 1
        return NotificationParameters.hash(hashCount, settings.hashes)
    }
}
