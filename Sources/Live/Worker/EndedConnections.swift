import Peers

/// The peers that a device has left: it was the first to end a connection with them.
///
/// What such a peer was to do on that connection cannot be done, and that is no fault of the
/// harness: the trace lacks it, and the matcher says what that means for the case.
struct EndedConnections {
    private struct Link: Hashable {
        let peer: Int
        let connection: PeerConnection
    }

    /// The connections that one of the two has ended.
    private var ended: Set<Link> = []
    /// The positions of the peers that were left.
    private var left: Set<Int> = []

    /// Takes note of a message on a connection of the peer at a position.
    mutating func note(
        _ message: String, on connection: PeerConnection, of peer: Int, sentByPeer: Bool
    ) {
        let link = Link(peer: peer, connection: connection)
        switch message {
        case "tcp.SYN": ended.remove(link)
        case "tcp.FIN", "tcp.RST":
            if ended.insert(link).inserted, !sentByPeer { left.insert(peer) }
        // Over iAP2 sessions end while their link stays.
        case "ea.close" where !sentByPeer: left.insert(peer)
        default: break
        }
    }

    /// What the peer at a position does; `nil` if all that keeps it from that is a connection, or a
    /// session, that the device has ended.
    func unlessLeft(
        _ peer: Int, _ commands: () throws(PeerError) -> [PeerCommand]
    ) throws(PeerError) -> [PeerCommand]? {
        do throws(PeerError) {
            return try commands()
        } catch {
            let isLeft = left.contains(peer) && [.noConnection, .noSession].contains(error.code)
            if isLeft { return nil }
            throw error
        }
    }
}
