import Protocols
import Suites

/// A server of nothing (`tcp.server`): it accepts connections, reads what comes and says nothing.
///
/// It is for suites that judge a client by its connections alone.
public struct TCPServerPeer: Peer {
    /// `tcp.server`.
    public static let kind = "tcp.server"

    /// The name that the suite gives it.
    public let name: String
    /// Live connections, the oldest first.
    private var live: [PeerConnection] = []

    /// Makes a server.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` for any setting but `port`.
    public init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        for setting in declaration.settings.objectValue ?? [] where setting.name != "port" {
            throw PeerError(
                .unknownSetting, "a TCP server has no setting \"\(setting.name)\"",
                advice: "it takes port alone")
        }
    }

    /// Follows the device's connections, and ends its side when the device ends its own.
    public mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        guard let event = message as? TCPEvent else { return [] }
        switch event.kind {
        case .syn where !sentByPeer:
            live.removeAll { $0 == connection }
            live.append(connection)
        case .fin where !sentByPeer:
            live.removeAll { $0 == connection }
            return [.close(connection)]
        case .rst, .refused:
            live.removeAll { $0 == connection }
        default:
            break
        }
        return []
    }

    /// Refuses: a server of nothing has no messages.
    public mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "a TCP server cannot send \(message)")
    }

    /// Carries out `close` and `reset` on the latest connection.
    public mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard action == "close" || action == "reset" else {
            throw PeerError.unknownAction(action, of: Self.kind, "a TCP server")
        }
        guard arguments == .null else {
            throw PeerError.takesNoArgument(action, of: name)
        }
        guard let latest = live.popLast() else {
            throw PeerError(
                .noConnection, "the device holds no connection to \(name)",
                advice: "expect tcp.SYN of the device first")
        }
        return [action == "close" ? .close(latest) : .reset(latest)]
    }
}
