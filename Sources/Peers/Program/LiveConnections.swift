import Suites
import TCPIP
import Wire

/// The connections of a peer that a program plays.
struct LiveConnections {
    /// Those that live, the oldest first; of datagrams the ends that have sent some.
    private(set) var all: [PeerConnection] = []

    /// Connections that are remembered; of more the oldest is forgotten.
    private static let countMax = 4_096

    /// The one that was opened last, or whence the latest datagram came.
    var latest: PeerConnection? { all.last }

    /// Makes a connection the latest one.
    mutating func meet(_ connection: PeerConnection) {
        forget(connection)
        all.append(connection)
        if all.count > Self.countMax { all.removeFirst() }
    }

    /// Forgets a connection that has ended.
    mutating func forget(_ connection: PeerConnection) { all.removeAll { $0 == connection } }

    /// Follows the connections that the device opens; whether it has ended its side of this one.
    mutating func follow(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> Bool {
        switch event.kind {
        case .syn where !sentByPeer: meet(connection)
        case .fin where !sentByPeer:
            forget(connection)
            return true
        case .rst, .refused: forget(connection)
        default: break
        }
        return false
    }
}

/// A peer that a program plays: steps have it end connections, what is said the program says.
protocol ProgramPeer: Peer {
    /// Its connections.
    var live: LiveConnections { get set }
    /// Whether it exchanges datagrams.
    var isDatagram: Bool { get }
}

extension ProgramPeer {
    /// The connection that was opened last, or whence the latest datagram came.
    var latestConnection: PeerConnection? { live.latest }

    /// Refuses: what is said the program says.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "the program of \(name) sends what it likes")
    }

    /// Carries out `close` and `reset` on the latest connection.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let latest = isDatagram ? nil : live.latest
        let commands = try end(latest, by: action, arguments)
        latest.map { live.forget($0) }
        return commands
    }
}
