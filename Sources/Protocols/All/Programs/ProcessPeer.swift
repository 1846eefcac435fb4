import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// A real program as counterpart of the device (`process`).
///
/// What the program sends passes unchanged through the link impairment.
struct ProcessPeer: ProgramPeer {
    /// The peer kind `process`.
    static let kind = PeerKind.process

    /// The name that the suite gives it.
    let name: String
    var live = LiveConnections()
    /// `false`: it relays TCP.
    var isDatagram: Bool { false }

    /// Creates a peer; the stage runs the program itself.
    init(_ declaration: PeerDeclaration) {
        name = declaration.name
    }

    /// `true`: it relays the bytes that the program has sent to its port.
    var servesLink: Bool { true }

    /// Relays the bytes that the program has sent; no bytes mean that it has closed the connection.
    mutating func receive(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] {
        bytes.isEmpty ? [.close(connection)] : [.write(connection, bytes)]
    }

    /// Tracks the device's connections; the program ends its side itself.
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
