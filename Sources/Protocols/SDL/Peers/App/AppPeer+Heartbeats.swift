import PeerKit
import SDL

/// Heartbeats that the app sends without a request, from protocol version 3 on (SDL protocol 4.5).
extension AppPeer {
    /// Whether the app sends heartbeats in a session.
    private func beats(in session: AppSession) -> Bool { session.version >= 3 }

    /// Schedules the first heartbeats of a connection, one interval after its first session began.
    mutating func beginHeartbeats(on connection: PeerConnection) {
        guard let interval = settings.heartbeat, let state = connections[connection],
            state.nextHeartbeat == nil, state.sessions.contains(where: beats)
        else { return }
        connections[connection]?.nextHeartbeat = clock + interval
    }

    /// When the next heartbeat is due; see `Peer`.
    var nextDeadline: Int64? {
        guard settings.heartbeat != nil else { return nil }
        return connections.values.compactMap(\.nextHeartbeat).min()
    }

    /// Sends the heartbeats that are due; see `Peer`.
    mutating func advance(to now: Int64) -> [PeerCommand] {
        clock = max(clock, now)
        guard let interval = settings.heartbeat else { return [] }
        var commands: [PeerCommand] = []
        for connection in connections.live {
            guard let state = connections[connection], let due = state.nextHeartbeat, due <= clock
            else { continue }
            // A peer that was delayed does not send the heartbeats that it has missed.
            connections[connection]?.nextHeartbeat = max(due + interval, clock)
            for session in state.sessions where beats(in: session) {
                commands += write(heartbeat(in: session), on: connection)
            }
        }
        return commands
    }

    private func heartbeat(in session: AppSession) -> OutgoingMessage {
        OutgoingMessage(
            .heartbeat, service: SDL.ServiceType.control.rawValue, version: session.version,
            sessionID: session.id)
    }
}
