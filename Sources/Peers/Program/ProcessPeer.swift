import Protocols
import Suites

/// A real program as counterpart of the device (`process`): what the program sends goes out as it
/// is, through the line.
public struct ProcessPeer: Peer {
    /// `process`.
    public static let kind = "process"

    /// The name that the suite gives it.
    public let name: String
    /// Live connections, the oldest first.
    private var live: [PeerConnection] = []

    /// Makes a peer; the program itself is the stage's.
    public init(_ declaration: PeerDeclaration) {
        name = declaration.name
    }

    /// It relays: what arrives at its port is what the program has sent.
    public var servesLink: Bool { true }

    /// Sends on what the program has sent; no bytes are its end of the connection.
    public mutating func receive(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] {
        bytes.isEmpty ? [.close(connection)] : [.write(connection, bytes)]
    }

    /// Follows the device's connections; the program ends its side itself.
    public mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        guard let event = message as? TCPEvent else { return [] }
        switch event.kind {
        case .syn where !sentByPeer:
            live.removeAll { $0 == connection }
            live.append(connection)
        case .fin, .rst, .refused: live.removeAll { $0 == connection }
        default: break
        }
        return []
    }

    /// The connection that was opened last.
    public var latestConnection: PeerConnection? { live.last }

    /// Refuses: what is said the program says.
    public mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "the program of \(name) sends what it likes")
    }

    /// Carries out `close` and `reset` on the latest connection.
    public mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let commands = try end(live.last, by: action, arguments)
        live.removeLast()
        return commands
    }
}
