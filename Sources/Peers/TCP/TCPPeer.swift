import Protocols
import Suites

/// An end of TCP connections without a protocol: `tcp.server` accepts them, `tcp.client` calls the
/// device when the suite says so.
///
/// It reads what comes and says nothing by itself; a suite has it send bytes. A suite that sends
/// none judges a client by its connections alone.
public struct TCPPeer: Peer {
    /// `tcp.server`.
    public static let kind = PeerKind.tcpServer.name

    /// The name that the suite gives it.
    public let name: String
    /// What it plays: `tcp.server` or `tcp.client`.
    public let kind: String
    /// Live connections, the oldest first.
    private var live: [PeerConnection] = []

    private static let settings = ["port"]

    /// Makes a server or a client.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` for a setting that it does not have.
    public init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        kind = declaration.kind
        for setting in declaration.settings.objectValue ?? []
        where !Self.settings.contains(setting.name) {
            throw PeerError(
                .unknownSetting, "a \(kind) has no setting \"\(setting.name)\"",
                advice: "it takes \(Self.settings.joined(separator: ", "))")
        }
    }

    private var isCaller: Bool { kind == PeerKind.tcpClient.name }

    /// The connection that was opened last and has not ended.
    public var latestConnection: PeerConnection? { live.last }

    /// Follows the connections, and ends its side when the device ends its own.
    public mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        guard let event = message as? TCPEvent else { return [] }
        switch event.kind {
        case .syn where sentByPeer == isCaller:
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

    /// Refuses: it has no messages, only bytes.
    public mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "a \(kind) cannot send \(message), only bytes")
    }

    /// Carries out `connect` of a client, and `close` and `reset` on the latest connection.
    public mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let actions = (isCaller ? ["connect"] : []) + ["close", "reset"]
        guard actions.contains(action) else {
            throw PeerError.unknownAction(
                action, of: kind, "a TCP \(isCaller ? "client" : "server")")
        }
        guard arguments == .null else {
            throw PeerError.takesNoArgument(action, of: name)
        }
        if action == "connect" { return [.connect] }
        guard let latest = live.popLast() else {
            throw PeerError(
                .noConnection,
                isCaller
                    ? "\(name) holds no connection to the device"
                    : "the device holds no connection to \(name)",
                advice: isCaller
                    ? "write `do: \(name).connect` before" : "expect tcp.SYN of the device first")
        }
        return [action == "close" ? .close(latest) : .reset(latest)]
    }
}
