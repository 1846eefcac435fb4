import PeerKit

/// The peers that a device has left: it was the first to end a connection with them.
///
/// What such a peer should have done on that connection cannot be done, and that is no fault of the
/// harness. The trace lacks it, and the matcher decides what that means for the case.
struct EndedConnections {
    private struct Link: Hashable {
        let peer: Int
        let connection: PeerConnection
    }

    /// The connections that one of the two parties has ended.
    private var ended: Set<Link> = []
    /// The positions of the peers that were left.
    private var left: Set<Int> = []

    /// Records a message on a connection of the peer at a position.
    ///
    /// - Parameter isLast: Whether its sender sends nothing after it.
    mutating func record(
        _ message: String, on connection: PeerConnection, of peer: Int, sentByPeer: Bool,
        isLast: Bool = false
    ) {
        let link = Link(peer: peer, connection: connection)
        switch message {
        case "tcp.SYN": ended.remove(link)
        case _ where isLast || message == "tcp.FIN" || message == "tcp.RST":
            if ended.insert(link).inserted, !sentByPeer { left.insert(peer) }
        // Over iAP2, sessions end while their link stays.
        case "ea.close" where !sentByPeer: left.insert(peer)
        default: break
        }
    }

    /// Returns the commands of the peer at a position.
    ///
    /// `nil` if they are impossible only because the device has ended a connection or a session, or
    /// because a drawn run acts before the device has opened one.
    func unlessLeft(
        _ peer: Int, isDrawn: Bool = false, _ commands: () throws(PeerError) -> [PeerCommand]
    ) throws(PeerError) -> [PeerCommand]? {
        do throws(PeerError) {
            return try commands()
        } catch {
            let isLeft =
                (isDrawn || left.contains(peer))
                && [.noConnection, .noSession].contains(error.code)
            if isLeft { return nil }
            throw error
        }
    }
}
