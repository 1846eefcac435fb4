import Suites
import TCPIP
import Wire

/// A real program as counterpart of the device (`process`): what the program sends goes out as it
/// is, through the line.
struct ProcessPeer: ProgramPeer {
    /// `process`.
    static let kind = PeerKind.process

    /// The name that the suite gives it.
    let name: String
    var live = LiveConnections()
    /// It relays TCP.
    var isDatagram: Bool { false }

    /// Makes a peer; the program itself is the stage's.
    init(_ declaration: PeerDeclaration) {
        name = declaration.name
    }

    /// It relays: what arrives at its port is what the program has sent.
    var servesLink: Bool { true }

    /// Sends on what the program has sent; no bytes are its end of the connection.
    mutating func receive(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] {
        bytes.isEmpty ? [.close(connection)] : [.write(connection, bytes)]
    }

    /// Follows the device's connections; the program ends its side itself.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if let event = message as? TCPEvent {
            _ = live.follow(event, on: connection, sentByPeer: sentByPeer)
            if event.kind == .fin { live.forget(connection) }
        }
        return []
    }
}
