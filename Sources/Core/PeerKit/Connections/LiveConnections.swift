import SuiteLanguage
import TCPIP
import Wire

/// The connections of a peer that a program plays.
package struct LiveConnections {
    /// The live connections, oldest first; for datagrams, the ends that have sent some.
    package private(set) var all: [PeerConnection] = []

    /// The limit on connections that are kept; beyond it the oldest is dropped.
    private static let countMax = 4_096

    /// Creates an empty list.
    package init() {}

    /// The connection that was opened last, or the source of the latest datagram.
    package var latest: PeerConnection? { all.last }

    /// Makes a connection the latest one.
    package mutating func meet(_ connection: PeerConnection) {
        forget(connection)
        all.append(connection)
        if all.count > Self.countMax { all.removeFirst() }
    }

    /// Removes a connection that has ended.
    package mutating func forget(_ connection: PeerConnection) {
        all.removeAll { $0 == connection }
    }

    /// Tracks the device's connections; returns whether it has ended its side of this one.
    package mutating func follow(
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

/// A peer that a program plays: steps can end connections, but the program decides what is sent.
package protocol ProgramPeer: Peer {
    /// Its connections.
    var live: LiveConnections { get set }
    /// Whether it exchanges datagrams.
    var isDatagram: Bool { get }
}

extension ProgramPeer {
    /// The connection that was opened last, or the source of the latest datagram.
    package var latestConnection: PeerConnection? { live.latest }

    /// Throws: the program decides what is sent.
    package mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "the program of \(name) decides what is sent")
    }

    /// Carries out `close` and `reset` on the latest connection.
    package mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let latest = isDatagram ? nil : live.latest
        let commands = try end(latest, by: action, arguments)
        latest.map { live.forget($0) }
        return commands
    }
}
