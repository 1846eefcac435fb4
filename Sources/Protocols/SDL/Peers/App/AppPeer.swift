import ExternalAccessory
import PeerKit
import SDL
import SuiteLanguage
import TCPIP
import Wire

/// A simulated phone with an SDL app (`sdl.app`).
///
/// It connects to the device, a head unit, starts a session and registers, as an app library does.
/// Its knowledge of the device comes from the trace. Without a request it does what a library does:
/// it goes as far as the setting `upTo` says, and answers heartbeats.
struct AppPeer: Peer, ConnectionKeeper {
    /// The peer kind `sdl.app`.
    static let kind = PeerKind.app

    /// The name that the suite gives it.
    let name: String
    var settings = AppSettings()
    var connections = ConnectionTable<AppConnection>()
    /// The purposes of connections that are being opened, in order.
    private var planned: [AppConnection.Purpose] = []
    var correlationID: Int32 = 0
    /// The known accessories, in the order in which they were announced.
    var accessories: [ExternalAccessory.Accessory] = []
    /// The index that a hub sent last; `nil` if none did.
    var announcedIndex: UInt8?
    /// The latest time that it was given, in nanoseconds.
    var clock: Int64 = 0
    /// The reasons why it did not do what an app does without a request.
    var unansweredReasons = UnansweredReasons()

    /// Creates an app with the settings of a declaration.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        try settings.apply(declaration.settings)
    }

    /// Reacts to what the trace shows; see `Peer`.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        switch message {
        case let event as TCPEvent:
            return observe(event, on: connection, sentByPeer: sentByPeer)
        case let message as ExternalAccessory.Message where !sentByPeer:
            return react(to: message, on: connection)
        case let message as SDL.Message where !sentByPeer:
            return react(
                to: message, on: connection,
                withholdsAnswer: withholdAnswer || settings.isSilent(about: message.name))
        default:
            return []
        }
    }

    /// Returns the reasons why it did not do what an app does without a request; see `Peer`.
    mutating func takeUnansweredReasons() -> [String] { unansweredReasons.take() }

    private mutating func observe(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch (event.kind, sentByPeer) {
        case (.syn, true):
            connections.begin(
                connection, AppConnection(purpose: planned.isEmpty ? .plain : planned.removeFirst())
            )
            return []
        case (.synAck, false):
            return begin(connection)
        case (.fin, false):
            connections.forget(connection)
            return [.close(connection)]
        case (.rst, _), (.refused, _):
            connections.forget(connection)
            return []
        default:
            return []
        }
    }

    /// Sends the first bytes of a connection, according to its purpose.
    private mutating func begin(_ connection: PeerConnection) -> [PeerCommand] {
        switch connections[connection]?.purpose {
        case .plain: return beginSession(on: connection)
        case .control: return [.write(connection, ExternalAccessory.BusLine.control)]
        case .session(let accessory, let string):
            let line = ExternalAccessory.BusLine.session(
                accessory: accessory, protocolString: string)
            return [.write(connection, line)]
        case nil: return []
        }
    }

    /// Carries out the actions of `PeerKind`; see `Peer`.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        switch action {
        case "connect":
            try refuse(arguments, of: action)
            return call(for: settings.transport == .tcp ? .plain : .control)
        case "open":
            return try open(arguments)
        case "register":
            try refuse(arguments, of: action)
            return try send(
                "sdl.RegisterAppInterface.request", fields: [], answering: nil, on: nil)
        case "end":
            let connection = try session(under: arguments)
            connections.forget(connection)
            return [.close(connection)]
        case "close", "reset":
            let commands = try end(connections.live.last, by: action, arguments)
            connections.live.last.map { _ = connections.forget($0) }
            return commands
        case "configure":
            try settings.configure(arguments, of: name, example: "upTo: session")
            return []
        default:
            throw PeerError.unknownAction(action, of: Self.kind, "an app")
        }
    }

    private func refuse(_ arguments: Value, of action: String) throws(PeerError) {
        guard arguments != .null else { return }
        throw PeerError.takesNoArgument(action, of: name)
    }
}

// MARK: - Connections

extension AppPeer {
    /// The connection that was opened last, of those that have not ended.
    ///
    /// Connections that carry SDL have priority.
    var latestConnection: PeerConnection? {
        connections.live.last { connections[$0]?.carriesSDL ?? false } ?? connections.live.last
    }

    /// Connects to the device.
    mutating func call(for purpose: AppConnection.Purpose) -> [PeerCommand] {
        planned.append(purpose)
        return [.connect]
    }

    /// Returns the latest session with a protocol string.
    private func session(under string: Value) throws(PeerError) -> PeerConnection {
        guard
            let latest = connections.live.last(where: {
                connections[$0]?.string == string.stringValue
            })
        else {
            throw PeerError(
                .noConnection, "\(name) has no session under \(string.jsonText())",
                advice: "open it, and expect ea.opened, before")
        }
        return latest
    }

    /// The bytes in the header of a frame from version 2 on.
    private static let headerSize = 12

    /// Encodes a message for a connection and assigns its message id.
    mutating func write(
        _ message: OutgoingMessage, on connection: PeerConnection
    ) -> [PeerCommand] {
        guard var state = connections[connection] else { return [] }
        let agreed =
            message.version < 5
            ? nil : (state.session(message.sessionID) ?? state.session)?.maximumPayload
        let own = settings.mtu.map { $0 - Self.headerSize }
        let bytes = message.bytes(
            numberedBy: &state.nextMessageID,
            maximumPayload: [agreed, own].compactMap(\.self).min())
        connections[connection] = state
        return [.write(connection, bytes)]
    }
}
