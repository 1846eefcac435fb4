import ExternalAccessory
import SDL
import Suites
import TCPIP
import Wire

/// Accessories (`iap.accessory`) that a phone's apps open sessions with, a head unit behind them.
///
/// It announces them, answers each wish for a session as the suite says, sends the index of the
/// dedicated string on the hub, and lets one head unit speak SDL in all the other sessions.
public struct AccessoryPeer: Peer {
    /// `iap.accessory`.
    public static let kind = PeerKind.accessory

    /// What a connection of the phone is for, as far as the trace has told.
    enum Line {
        /// It has said nothing yet; its SYN.
        case fresh(TCPEvent?)
        /// It is told of accessories.
        case control
        /// A session that was asked for.
        case session(AccessorySession)
    }

    /// The name that the suite gives it.
    public let name: String
    var settings = AccessorySettings()
    var headUnit: HeadUnitPeer
    /// The phone's live connections.
    var lines: [PeerConnection: Line] = [:]
    /// The same, the oldest first.
    var live: [PeerConnection] = []
    /// The accessories and what they are known by; the id is 0 while one is not connected.
    var accessories: [ExternalAccessory.Accessory]
    /// Connect notifications that no phone was there to hear.
    var untold: [UInt32] = []
    private var accessoryCount: UInt32 = 0
    var sessionCount: UInt32 = 0
    /// How many sessions of each kind of string have been asked for.
    var askedFor: [AccessoryString: Int] = [:]
    /// How many control sessions have been sent their index.
    var indexCount = 0

    /// Makes accessories with the settings of a declaration.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    public init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        try settings.apply(declaration.settings)
        headUnit = try HeadUnitPeer(
            PeerDeclaration(
                name: declaration.name, kind: HeadUnitPeer.kind, settings: settings.headUnit,
                position: declaration.position))
        accessories = settings.accessories.map(\.accessory)
        for index in accessories.indices where settings.accessories[index].isConnected {
            connect(index)
        }
    }

    /// Reacts to what the trace shows; see `Peer`.
    public mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        switch message {
        case let event as TCPEvent:
            return observe(event, on: connection, sentByPeer: sentByPeer)
        case let message as ExternalAccessory.Message where !sentByPeer:
            return react(to: message, on: connection, withholdsAnswer: withholdAnswer)
        case is SDL.Message where !sentByPeer:
            guard case .session(let session)? = lines[connection], session.isOpen else {
                return []
            }
            return headUnit.observe(
                message, on: connection, sentByPeer: false, withholdAnswer: withholdAnswer)
        default:
            return []
        }
    }

    private mutating func observe(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch (event.kind, sentByPeer) {
        case (.syn, false):
            forget(connection)
            lines[connection] = .fresh(event)
            live.append(connection)
            return []
        case (.fin, false):
            _ = headUnit.observe(
                event, on: connection, sentByPeer: sentByPeer, withholdAnswer: false)
            forget(connection)
            return [.close(connection)]
        case (.rst, _):
            _ = headUnit.observe(
                event, on: connection, sentByPeer: sentByPeer, withholdAnswer: false)
            forget(connection)
            return []
        default:
            return []
        }
    }

    private mutating func react(
        to message: ExternalAccessory.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        switch message.content {
        case .control:
            lines[connection] = .control
            return introduce(on: connection)
        case .open(let wish):
            var syn: TCPEvent?
            if case .fresh(let event)? = lines[connection] { syn = event }
            let asked = AccessorySession(
                accessoryID: wish.accessoryID ?? 0, protocolString: wish.protocolString ?? "",
                syn: syn)
            lines[connection] = .session(asked)
            if !live.contains(connection) { live.append(connection) }
            return withholdsAnswer ? [] : answer(asked, on: connection)
        case .data(_, let bytes):
            guard settings.echoes, !withholdsAnswer, speaksSDL(on: connection) else { return [] }
            return [.write(connection, bytes)]
        case .malformed:
            guard case .fresh? = lines[connection] else { return [] }
            return [.close(connection)]
        default:
            return []
        }
    }

    /// The connection of the session that was asked for last, or else the latest of any kind.
    public var latestConnection: PeerConnection? { latestSession { _ in true } ?? live.last }

    /// The connection of the latest session of some kind.
    func latestSession(where isMeant: (AccessorySession) -> Bool) -> PeerConnection? {
        live.last { connection in
            if case .session(let session)? = lines[connection] { isMeant(session) } else { false }
        }
    }

    mutating func forget(_ connection: PeerConnection) {
        lines[connection] = nil
        live.removeAll { $0 == connection }
    }

    // MARK: - Accessories

    /// Gives an accessory the id by which it is known from now on.
    private mutating func connect(_ index: Int) {
        accessoryCount += 1
        accessories[index].id = accessoryCount
    }

    /// What a phone is told that has just come.
    private mutating func introduce(on connection: PeerConnection) -> [PeerCommand] {
        let known = accessories.filter { $0.id != 0 && !untold.contains($0.id) }
        let later = accessories.filter { untold.contains($0.id) }
        untold = []
        var lines = known.map { ExternalAccessory.BusLine.accessory($0) }
        lines.append(ExternalAccessory.BusLine.ready)
        lines += later.map { ExternalAccessory.BusLine.connected($0) }
        return lines.map { .write(connection, $0) }
    }

    private var controls: [PeerConnection] {
        live.filter { if case .control? = lines[$0] { true } else { false } }
    }

    /// Connects an accessory, and tells each phone that is there, or the first one that comes.
    mutating func connect(named name: Value) throws(PeerError) -> [PeerCommand] {
        let index = try accessory(name, isConnected: false)
        connect(index)
        let accessory = accessories[index]
        if controls.isEmpty { untold.append(accessory.id) }
        return controls.map { .write($0, ExternalAccessory.BusLine.connected(accessory)) }
    }

    /// Takes an accessory away: tells each phone, and ends the accessory's sessions.
    mutating func disconnect(named name: Value) throws(PeerError) -> [PeerCommand] {
        let index = try accessory(name, isConnected: true)
        let id = accessories[index].id
        accessories[index].id = 0
        untold.removeAll { $0 == id }
        let sessions = live.filter { connection in
            if case .session(let session)? = lines[connection] {
                session.accessoryID == id
            } else {
                false
            }
        }
        let told = controls.map {
            PeerCommand.write($0, ExternalAccessory.BusLine.disconnected(id: id))
        }
        return told + sessions.flatMap { end($0, isReset: false) }
    }

    private func accessory(_ name: Value, isConnected: Bool) throws(PeerError) -> Int {
        let names = accessories.map(\.name)
        guard let text = name.stringValue, let index = names.firstIndex(of: text) else {
            throw PeerError(
                .badArgument, "\(self.name) has no accessory \(name.suiteText)",
                advice: Suggestion.advice(for: name.stringValue ?? "", in: names))
        }
        guard (accessories[index].id != 0) == isConnected else {
            throw PeerError(
                .badArgument,
                "the accessory \"\(text)\" is \(isConnected ? "not connected" : "connected") now",
                advice: isConnected ? "connect it before" : "declare it with `connected: false`")
        }
        return index
    }
}
