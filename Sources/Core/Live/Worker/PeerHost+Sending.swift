import Judge
import PeerKit
import SuiteLanguage
import Trace
import Wire

/// What a peer sends because of a step or of a liveness probe.
extension PeerHost {
    /// Lets a peer send what a step defines; nothing is sent if the device has left the peer.
    ///
    /// - Returns: The bytes that were sent, if no message of the trace needs to show them.
    func send(_ demand: Demand.Send) throws -> (isSent: Bool, watch: ByteWatch?) {
        let index = try self.index(of: demand.from)
        try advanceTime(index)
        let due = try endedConnections.unlessLeft(index, isDrawn: isDrawn) {
            () throws(PeerError) in
            try self.commands(for: demand, of: index)
        }
        guard var commands = due else {
            skip(demand.step, of: demand.from)
            return (false, nil)
        }
        let sent = try reshape(&commands, demand)
        commands = hostedPeers[index].peer.carry(commands)
        try perform(commands, of: index)
        guard demand.needsMark, let bytes = sent,
            let connection = commands.lazy.compactMap(\.written).first
        else { return (true, nil) }
        let protected = try hostedPeers[index].protected(bytes, on: connection, demand)
        let caller = Endpoint(address: connection.address, port: connection.port)
        let callee = hostedPeers[index].meetingPoints.first { $0.holds(caller) }?.callee
        let watch = ByteWatch(
            protected ?? bytes, from: callee == nil ? nil : caller, to: callee ?? caller,
            step: demand.step.number, isBroken: demand.corruption?.isEmpty == false,
            protecting: protected == nil ? nil : bytes)
        return (true, watch)
    }

    private func commands(
        for demand: Demand.Send, of index: Int
    ) throws(PeerError) -> [PeerCommand] {
        let peer = hostedPeers[index].peer
        let place =
            connection(of: demand.connection, at: index)
            ?? connection(of: demand.answering, at: index)
            ?? demand.to.flatMap { latest(of: $0, facing: index) }
        guard let bytes = demand.bytes ?? demand.encoded else {
            return try hostedPeers[index].peer.send(
                demand.message, fields: demand.fields, answering: demand.answering?.content,
                on: place)
        }
        guard let connection = place ?? peer.latestConnection else {
            throw peer.noConnection
        }
        return [.write(connection, bytes)]
    }

    /// Lets a peer send a liveness probe to a device, if their connection allows it.
    func query(_ peer: String, _ question: String, of device: String) -> Bool {
        guard let index = hostedPeers.firstIndex(where: { $0.peer.name == peer }),
            let connection = latest(of: device, facing: index),
            // A peer that connects knows which of its connections carries a session.
            let commands = try? hostedPeers[index].peer.send(
                question, fields: [], answering: nil, on: isCalling(index) ? nil : connection)
        else { return false }
        return (try? perform(hostedPeers[index].peer.carry(commands), of: index)) != nil
    }

    private func isCalling(_ index: Int) -> Bool {
        hostedPeers[index].meetingPoints.contains { $0.callee != nil }
    }

    /// Returns the most recently opened connection between a device and a peer that is still open.
    private func latest(of device: String, facing index: Int) -> PeerConnection? {
        guard
            let meetingPoint = hostedPeers[index].meetingPoints.first(where: { $0.device == device }
            )
        else {
            return nil
        }
        let open = meetingPoint.port.connections
        return opened[meetingPoint.endpoint]?.last(where: open.contains) ?? open.last
    }

    /// Corrupts the first bytes to be written, which are the message's, as the step defines.
    private func reshape(
        _ commands: inout [PeerCommand], _ demand: Demand.Send
    ) throws -> [UInt8]? {
        for index in commands.indices {
            guard case .write(let connection, let message) = commands[index] else { continue }
            guard let bytes = demand.corruption.map({ $0.applied(to: message) }) ?? message else {
                throw WorkerError(
                    detail: "step \(demand.step.number): \(demand.message) has \(message.count) "
                        + "bytes, which is too few for its \"corrupt\", or nothing is left of it")
            }
            commands[index] =
                demand.segmentSize.map { .writeSegments(connection, bytes, size: $0) }
                ?? .write(connection, bytes)
            return bytes
        }
        return nil
    }
}

extension HostedPeer {
    /// Returns the encrypted form of bytes that were sent; `nil` if the peer does not use TLS.
    fileprivate func protected(
        _ bytes: [UInt8], on connection: PeerConnection, _ demand: Demand.Send
    ) throws -> [UInt8]? {
        guard declaration.usesTLS else { return nil }
        for port in meetingPoints.map(\.port) where port.connections.contains(connection) {
            if let protected = port.takeProtected(bytes, on: connection) { return protected }
        }
        throw WorkerError(
            detail: "step \(demand.step.number): the bytes are sent later than the step, so that "
                + "it is not known how they are encrypted; expect tls.handshakeFinished before, and "
                + "do not impair the link")
    }
}

extension PeerCommand {
    /// The connection that it writes on; `nil` if it writes nothing.
    fileprivate var written: PeerConnection? {
        switch self {
        case .write(let connection, _), .writeSegments(let connection, _, _),
            .packet(let connection, _):
            connection
        case .connect, .close, .reset, .closeAll: nil
        }
    }
}
