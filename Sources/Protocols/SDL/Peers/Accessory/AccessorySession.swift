import ExternalAccessory
import PeerKit
import TCPIP
import Wire

/// The state of a session that an app has requested.
struct AccessorySession: Sendable {
    /// The id of the accessory.
    let accessoryID: UInt32
    /// The protocol string.
    let protocolString: String
    /// The SYN segment that opened its connection.
    let syn: TCPEvent?
    /// The id that it was assigned; `nil` as long as it is not open.
    var id: UInt32?
    /// Whether the accessory has ended it.
    var isEnded = false

    /// Whether bytes may go both ways.
    var isOpen: Bool { id != nil && !isEnded }
    /// Whether it has not been answered yet.
    var isPending: Bool { id == nil && !isEnded }
    /// Whether it is a session with the hub, which carries no SDL.
    var isControl: Bool { protocolString == ExternalAccessory.controlString }
}

extension AccessoryPeer {
    /// Answers a session request as the suite says.
    mutating func answer(
        _ requested: AccessorySession, on connection: PeerConnection
    ) -> [PeerCommand] {
        let kind = AccessoryString(of: requested.protocolString)
        let total = requestCounts[.all, default: 0]
        let count = requestCounts[kind, default: 0]
        requestCounts[.all] = total + 1
        requestCounts[kind] = count + 1
        guard
            let accessory = accessories.first(where: {
                $0.id == requested.accessoryID && $0.id != 0
            })
        else { return refuse("no such accessory", on: connection) }
        guard accessory.protocols.contains(requested.protocolString) else {
            return refuse("\(requested.protocolString) is not declared", on: connection)
        }
        let behaviour: AccessorySettings.Behaviour
        if let own = settings.sessions[kind] {
            behaviour = own.at(count) ?? .accept
        } else {
            behaviour = settings.sessions[.all]?.at(total) ?? .accept
        }
        switch behaviour {
        case .accept: return open(connection)
        case .refuse: return refuse("no session now", on: connection)
        case .silent: return []
        case .drop: return open(connection, isDropped: true)
        }
    }

    /// Opens a session; on the hub, the index follows.
    mutating func open(
        _ connection: PeerConnection, as id: UInt32? = nil, isDropped: Bool = false
    ) -> [PeerCommand] {
        guard case .session(var session)? = roles[connection] else { return [] }
        sessionCount += 1
        let id = id ?? sessionCount
        session.id = id
        roles[connection] = .session(session)
        let line = PeerCommand.write(connection, ExternalAccessory.BusLine.opened(session: id))
        if isDropped { return [line] + end(connection, isReset: false) }
        guard session.isControl else {
            // For the head unit of the session, the connection begins here.
            if let syn = session.syn {
                _ = headUnit.observe(
                    syn, on: connection, sentByPeer: false, withholdAnswer: false)
            }
            return [line]
        }
        guard let index = nextIndex(of: session) else { return [line] }
        return [line, .write(connection, [index])]
    }

    private mutating func nextIndex(of session: AccessorySession) -> UInt8? {
        defer { indexCount += 1 }
        if let indices = settings.hubIndices { return indices.at(indexCount) }
        let declared = accessories.first { $0.id == session.accessoryID }?.protocols ?? []
        return ExternalAccessory.dedicatedIndices.first {
            declared.contains(ExternalAccessory.dedicatedString($0))
        }
    }

    /// Refuses a session and ends its connection.
    mutating func refuse(_ reason: String, on connection: PeerConnection) -> [PeerCommand] {
        [.write(connection, ExternalAccessory.BusLine.refused(reason))]
            + end(connection, isReset: false)
    }

    /// Ends a session from the accessory's side.
    mutating func end(_ connection: PeerConnection, isReset: Bool) -> [PeerCommand] {
        guard case .session(var session)? = roles[connection], !session.isEnded else { return [] }
        session.isEnded = true
        roles[connection] = .session(session)
        headUnit.forget(connection)
        return [isReset ? .reset(connection) : .close(connection)]
    }

    /// Whether a requested session has been opened.
    func hasOpened(_ connection: PeerConnection) -> Bool {
        if case .session(let session)? = roles[connection] { session.id != nil } else { false }
    }

    /// Whether the connection has an open session that carries SDL.
    func speaksSDL(on connection: PeerConnection) -> Bool {
        if case .session(let session)? = roles[connection] {
            session.isOpen && !session.isControl
        } else {
            false
        }
    }

    /// Records that the device has ended a session.
    mutating func end(_ connection: PeerConnection) {
        headUnit.forget(connection)
        forget(connection)
    }

    /// Sends the index of a dedicated string, or several bytes, on the latest control session.
    func sendIndex(_ index: Value) throws(PeerError) -> [PeerCommand] {
        let numbers = index.arrayValue ?? [index]
        let bytes = numbers.compactMap { $0.integerValue.flatMap { UInt8(exactly: $0) } }
        guard !bytes.isEmpty, bytes.count == numbers.count else {
            throw PeerError(
                .badArgument, "index takes an integer from 0 to 255, indices a list of them",
                advice: "write `do: {\(name).index: 4}`")
        }
        guard let connection = latestSession(where: { $0.isControl && $0.isOpen }) else {
            throw PeerError(
                .noSession, "the device has no control session with \(name)",
                advice: "expect ea.opened of the session on \(ExternalAccessory.controlString) "
                    + "first")
        }
        return [.write(connection, bytes)]
    }
}

extension Array {
    /// Returns the element at an index, or the last element after the end; `nil` if there is none.
    fileprivate func at(_ index: Int) -> Element? { index < count ? self[index] : last }
}
