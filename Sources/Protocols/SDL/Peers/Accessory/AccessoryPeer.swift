import ExternalAccessory
import PeerKit
import SDL
import SuiteLanguage
import TCPIP
import Wire

/// Accessories (`iap.accessory`) whose sessions with a phone's apps lead to a head unit.
///
/// It announces the accessories, answers each session request as the suite says, sends the index of
/// the dedicated string on the hub, and lets one head unit speak SDL in all the other sessions.
struct AccessoryPeer: Peer {
    /// The peer kind `iap.accessory`.
    static let kind = PeerKind.accessory

    /// The purpose of a connection of the phone, as far as the trace has shown it.
    enum ConnectionRole {
        /// The phone has sent nothing yet; the connection's SYN.
        case fresh(TCPEvent?)
        /// The phone gets notifications of accessories on it.
        case control
        /// A session that was requested.
        case session(AccessorySession)
    }

    /// The name that the suite gives it.
    let name: String
    var settings = AccessorySettings()
    var headUnit: HeadUnitPeer
    /// The phone's live connections.
    var roles: [PeerConnection: ConnectionRole] = [:]
    /// The phone's live connections, oldest first.
    var live: [PeerConnection] = []
    /// The accessories and their ids; the id is 0 while an accessory is not connected.
    var accessories: [ExternalAccessory.Accessory]
    /// The ids whose connect notifications are not sent yet, because no phone was there.
    var untold: [UInt32] = []
    private var accessoryCount: UInt32 = 0
    var sessionCount: UInt32 = 0
    /// The number of sessions requested so far, by kind of string.
    var requestCounts: [AccessoryString: Int] = [:]
    /// The number of control sessions that have been sent an index.
    var indexCount = 0

    /// Creates accessories with the settings of a declaration.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    init(_ declaration: PeerDeclaration) throws(PeerError) {
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
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        switch message {
        case let event as TCPEvent:
            return observe(event, on: connection, sentByPeer: sentByPeer)
        case let message as ExternalAccessory.Message where !sentByPeer:
            return react(to: message, on: connection, withholdsAnswer: withholdAnswer)
        case is SDL.Message where !sentByPeer:
            guard case .session(let session)? = roles[connection], session.isOpen else {
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
            roles[connection] = .fresh(event)
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
            roles[connection] = .control
            return introduce(on: connection)
        case .open(let wish):
            var syn: TCPEvent?
            if case .fresh(let event)? = roles[connection] { syn = event }
            let requested = AccessorySession(
                accessoryID: wish.accessoryID ?? 0, protocolString: wish.protocolString ?? "",
                syn: syn)
            roles[connection] = .session(requested)
            if !live.contains(connection) { live.append(connection) }
            return withholdsAnswer ? [] : answer(requested, on: connection)
        case .data(_, let bytes):
            guard settings.echoes, !withholdsAnswer, speaksSDL(on: connection) else { return [] }
            return [.write(connection, bytes)]
        case .malformed:
            guard case .fresh? = roles[connection] else { return [] }
            return [.close(connection)]
        default:
            return []
        }
    }

    /// The connection of the session that was requested last, or else the latest connection.
    var latestConnection: PeerConnection? { latestSession { _ in true } ?? live.last }

    /// Returns the connection of the latest session that satisfies a condition.
    func latestSession(where isMeant: (AccessorySession) -> Bool) -> PeerConnection? {
        live.last { connection in
            if case .session(let session)? = roles[connection] { isMeant(session) } else { false }
        }
    }

    mutating func forget(_ connection: PeerConnection) {
        roles[connection] = nil
        live.removeAll { $0 == connection }
    }

    // MARK: - Accessories

    /// Assigns an accessory the id by which it is known from now on.
    private mutating func connect(_ index: Int) {
        accessoryCount += 1
        accessories[index].id = accessoryCount
    }

    /// Returns the notifications for a phone that has just connected.
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
        live.filter { if case .control? = roles[$0] { true } else { false } }
    }

    /// Connects an accessory, and notifies each connected phone, or the first one that connects.
    mutating func connect(named name: Value) throws(PeerError) -> [PeerCommand] {
        let index = try accessory(name, isConnected: false)
        connect(index)
        let accessory = accessories[index]
        if controls.isEmpty { untold.append(accessory.id) }
        return controls.map { .write($0, ExternalAccessory.BusLine.connected(accessory)) }
    }

    /// Disconnects an accessory: notifies each phone, and ends the accessory's sessions.
    mutating func disconnect(named name: Value) throws(PeerError) -> [PeerCommand] {
        let index = try accessory(name, isConnected: true)
        let id = accessories[index].id
        accessories[index].id = 0
        untold.removeAll { $0 == id }
        let sessions = live.filter { connection in
            if case .session(let session)? = roles[connection] {
                session.accessoryID == id
            } else {
                false
            }
        }
        let stated = controls.map {
            PeerCommand.write($0, ExternalAccessory.BusLine.disconnected(id: id))
        }
        return stated + sessions.flatMap { end($0, isReset: false) }
    }

    /// The first accessory of this name that is, or is not, connected.
    private func accessory(_ name: Value, isConnected: Bool) throws(PeerError) -> Int {
        let names = accessories.map(\.name)
        guard let text = name.stringValue, names.contains(text) else {
            throw PeerError(
                .badArgument, "\(self.name) has no accessory \(name.suiteText)",
                advice: Suggestion.advice(for: name.stringValue ?? "", in: names))
        }
        let index = accessories.firstIndex { $0.name == text && ($0.id != 0) == isConnected }
        guard let index else {
            throw PeerError(
                .badArgument,
                "the accessory \"\(text)\" is \(isConnected ? "not connected" : "connected") now",
                advice: isConnected ? "connect it before" : "declare it with `connected: false`")
        }
        return index
    }
}
