import ExternalAccessory
import PeerKit
import Wire

/// The phone's side of sessions with an accessory, by protocol string (document 000).
extension AppPeer {
    /// Reacts to a message of an accessory.
    mutating func react(
        to message: ExternalAccessory.Message, on connection: PeerConnection
    ) -> [PeerCommand] {
        switch message.content {
        case .accessory(let accessory):
            meet(accessory)
            return []
        case .ready:
            return openChosen(of: accessories)
        case .connected(let accessory):
            meet(accessory)
            // The accessory of the notification has priority; others count only if it offers
            // nothing.
            let first = openChosen(of: [accessory])
            return first.isEmpty ? openChosen(of: accessories) : first
        case .disconnected(let id):
            accessories.removeAll { $0.id == id }
            return []
        case .opened:
            return beginSession(on: connection)
        case .data(_, let bytes):
            return consume(bytes, on: connection)
        case .control, .open, .refused, .close, .malformed:
            return []
        }
    }

    private mutating func meet(_ accessory: ExternalAccessory.Accessory) {
        accessories.removeAll { $0.id == accessory.id }
        accessories.append(accessory)
    }

    /// Processes the bytes of a hub: the index of the dedicated string that the app may use.
    private mutating func consume(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] {
        guard
            case .session(let id, ExternalAccessory.controlString)? =
                connections[connection]?.purpose, let index = bytes.first
        else { return [] }
        announcedIndex = index
        guard settings.choosesString else { return [] }
        connections.forget(connection)
        return [.close(connection)]
            + call(for: .session(accessory: id, string: ExternalAccessory.dedicatedString(index)))
    }

    /// Opens a session with the first string in the app library's order.
    ///
    /// Does nothing if the app does not choose the string.
    private mutating func openChosen(
        of accessories: [ExternalAccessory.Accessory]
    ) -> [PeerCommand] {
        guard settings.choosesString else { return [] }
        let order = [
            ExternalAccessory.multisessionString, ExternalAccessory.controlString,
            ExternalAccessory.legacyString,
        ].filter { $0 != ExternalAccessory.multisessionString || settings.systemVersion >= 9 }
        for string in order {
            if let accessory = accessories.first(where: { $0.protocols.contains(string) }) {
                return call(for: .session(accessory: accessory.id, string: string))
            }
        }
        return []
    }

    /// The word for the dedicated string whose index the hub sent last.
    private static let dedicated = "dedicated"

    /// Opens a session with the protocol string that a suite gives.
    mutating func open(_ argument: Value) throws(PeerError) -> [PeerCommand] {
        guard settings.transport == .iap else {
            throw PeerError(
                .badArgument, "over TCP there are no sessions by protocol string",
                advice: "set `transport: iap` for \(name)")
        }
        guard var string = argument.stringValue, !string.isEmpty else {
            throw PeerError(
                .badArgument, "open takes a protocol string",
                advice: "write `do: {\(name).open: \(ExternalAccessory.multisessionString)}`")
        }
        if string == Self.dedicated {
            guard let announcedIndex else {
                throw PeerError(
                    .noSession, "the hub has sent \(name) no index",
                    advice: "open \(ExternalAccessory.controlString) and expect ea.data before")
            }
            string = ExternalAccessory.dedicatedString(announcedIndex)
        }
        guard
            let accessory = accessories.last(where: { $0.protocols.contains(string) })
                ?? accessories.last
        else {
            throw PeerError(
                .noConnection, "\(name) has been notified of no accessory",
                advice: "write `do: \(name).connect` and expect ea.ready before")
        }
        return call(for: .session(accessory: accessory.id, string: string))
    }

    /// Sends plain bytes in a session with an accessory.
    mutating func sendData(
        _ fields: [(FieldPath, Value?)], on connection: PeerConnection
    ) throws(PeerError) -> [PeerCommand] {
        guard connections[connection]?.string != nil else {
            throw PeerError(
                .noSession, "the connection is not a session with an accessory",
                advice: "name the session's connection by \"on\"")
        }
        var data: [UInt8] = []
        for (path, value) in fields {
            guard path.description == "ea.data", case .bytes(let bytes)? = value else {
                throw PeerError(
                    .unknownField, "\(path) of ea.data cannot be replaced",
                    advice: "give ea.data as bytes")
            }
            data = bytes
        }
        return [.write(connection, data)]
    }
}
