import ExternalAccessory
import PeerKit
import TCPIP

// MARK: - Connections and links

extension IAP2AccessoryPeer {
    /// Reacts to an event on a connection of a phone.
    mutating func observe(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch (event.kind, sentByPeer) {
        case (.syn, false):
            forget(connection)
            phoneConnections[connection] = PhoneConnection(syn: event)
            return []
        case (.established, false):
            guard let called = phoneConnections[connection]?.syn.destination else { return [] }
            // A phone whose free connection is gone has opened this one; otherwise this is another
            // phone.
            let phone = phones.firstIndex {
                $0.free == nil && $0.address == connection.address && $0.called == called
            }
            if let phone {
                phones[phone].free = connection
            } else {
                phones.append(
                    Phone(address: connection.address, called: called, free: connection))
            }
            return occupy()
        case (.fin, false), (.rst, _):
            for place in phoneConnections[connection]?.sessions.values.map(\.self) ?? [] {
                _ = accessories.observe(
                    event, on: place, sentByPeer: sentByPeer, withholdAnswer: false)
            }
            forget(connection)
            return event.kind == .fin ? [.close(connection)] : []
        default:
            return []
        }
    }

    /// Removes a connection, its link and its sessions.
    mutating func forget(_ connection: PeerConnection) {
        for place in phoneConnections[connection]?.sessions.values.map(\.self) ?? [] {
            places[place] = nil
        }
        phoneConnections[connection] = nil
        for index in phones.indices {
            if phones[index].free == connection { phones[index].free = nil }
            phones[index].links = phones[index].links.filter { $0.value != connection }
        }
        phones.removeAll { $0.free == nil && $0.links.isEmpty }
    }

    /// Lets connected accessories open their links on free connections.
    mutating func occupy() -> [PeerCommand] {
        var commands: [PeerCommand] = []
        for index in phones.indices {
            guard let connection = phones[index].free,
                let accessory = accessories.accessories.first(where: {
                    $0.id != 0 && phones[index].links[$0.id] == nil
                })
            else { continue }
            phones[index].free = nil
            phones[index].links[accessory.id] = connection
            let identification = IAP2.Identification(
                name: accessory.name, model: accessory.model,
                manufacturer: accessory.manufacturer, serialNumber: String(accessory.id),
                protocols: accessory.protocols)
            phoneConnections[connection]?.end = IAP2.AccessoryEnd(
                identification, proposing: Self.proposal)
            phoneConnections[connection]?.accessoryID = accessory.id
            commands += serve(connection) { end, time in
                end.start(at: time)
                return []
            }
        }
        return commands
    }

    /// Runs an action on the accessory's end of a link, and returns the packets to send.
    mutating func serve(
        _ connection: PeerConnection,
        _ body: (inout IAP2.AccessoryEnd, Duration) -> [IAP2.AccessoryEnd.Event]
    ) -> [PeerCommand] {
        guard var end = phoneConnections[connection]?.end else { return [] }
        let events = body(&end, time)
        let packets = end.takePackets().map { PeerCommand.packet(connection, $0) }
        phoneConnections[connection]?.end = end
        let hasEnded = events.contains { event in
            if case .closed = event { true } else { false }
        }
        guard hasEnded else { return packets }
        // After a broken link, nothing more is sent on its connection.
        for place in phoneConnections[connection]?.sessions.values.map(\.self) ?? [] {
            accessories.end(place)
        }
        forget(connection)
        return packets + [.close(connection)]
    }
}

// MARK: - Sessions

extension IAP2AccessoryPeer {
    /// Reacts to an app's message about sessions.
    mutating func observe(
        _ message: ExternalAccessory.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        switch message.content {
        case .open(let wish):
            guard let id = wish.id.map({ UInt16(truncatingIfNeeded: $0) }),
                let phoneConnection = phoneConnections[connection]
            else { return [] }
            let place = newPlace(of: id, on: connection)
            var requested = wish
            requested.accessoryID = phoneConnection.accessoryID
            _ = accessories.observe(
                phoneConnection.syn, on: place, sentByPeer: false, withholdAnswer: false)
            return translate(
                accessories.observe(
                    ExternalAccessory.Message(.open(requested)), on: place, sentByPeer: false,
                    withholdAnswer: withholdsAnswer))
        case .close(let session):
            let id = session.id.map { UInt16(truncatingIfNeeded: $0) }
            guard let id, let place = phoneConnections[connection]?.sessions.removeValue(forKey: id)
            else {
                return []
            }
            places[place] = nil
            accessories.end(place)
            return []
        default:
            return []
        }
    }

    /// Returns the open session on a link that carries SDL; the latest, if there are several.
    func dataSession(on connection: PeerConnection) -> PeerConnection? {
        let places = phoneConnections[connection]?.sessions.values.filter {
            accessories.speaksSDL(on: $0)
        }
        return places?.max { $0.port < $1.port }
    }

    /// Translates the commands of the accessories for their sessions to commands for the links.
    mutating func translate(_ commands: [PeerCommand]) -> [PeerCommand] {
        commands.flatMap { command -> [PeerCommand] in
            switch command {
            case .connect, .closeAll: return [command]
            case .write(let place, let bytes), .packet(let place, let bytes):
                // Bytes that belong to no session are sent unchanged.
                guard phoneConnections[place] == nil else { return [command] }
                return write(bytes, in: place)
            case .writeSegments(let place, let bytes, let size):
                guard phoneConnections[place] == nil else { return [command] }
                return write(bytes, in: place).map { command in
                    guard case .packet(let connection, let packet) = command else {
                        return command
                    }
                    return .writeSegments(connection, packet, size: size)
                }
            case .close(let place), .reset(let place): return close(place)
            }
        }
    }

    private mutating func write(_ bytes: [UInt8], in place: PeerConnection) -> [PeerCommand] {
        guard let spot = places[place] else { return [] }
        if spot.isAnswered {
            return serve(spot.connection) { end, time in
                end.send(bytes, session: spot.session, at: time)
                return []
            }
        }
        // The first bytes that the accessories write in a session are the answer to its request.
        places[place]?.isAnswered = true
        guard accessories.hasOpened(place) else { return close(place) }
        return serve(spot.connection) { end, time in
            end.open(session: spot.session, at: time)
            return []
        }
    }

    private mutating func close(_ place: PeerConnection) -> [PeerCommand] {
        guard let spot = places.removeValue(forKey: place) else { return [] }
        phoneConnections[spot.connection]?.sessions[spot.session] = nil
        return serve(spot.connection) { end, time in
            end.close(session: spot.session, at: time)
            return []
        }
    }
}
