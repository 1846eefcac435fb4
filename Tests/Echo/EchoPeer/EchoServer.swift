import EchoProtocol
import PeerKit
import SuiteLanguage
import TCPIP
import Wire

extension PeerModule {
    /// A server of the echo protocol.
    public static let echoServer = PeerModule(EchoServer.kind) {
        declaration, _ throws(PeerError) in
        EchoServer(declaration)
    }
}

/// A server that sends back the text of each request.
struct EchoServer: Peer {
    /// The name, settings and actions that suites may use.
    static let kind = PeerKind(
        name: "echo.server", summary: "A server that repeats each text.", protocolName: "echo",
        defaultPort: 7_007, settings: [FieldDescription("silent", .boolean)],
        actions: [.close] + PeerAction.line, deviceRole: "echo.client")

    let name: String
    private let isSilent: Bool
    /// The open connections, the oldest first.
    private var connections: [PeerConnection] = []

    init(_ declaration: PeerDeclaration) {
        name = declaration.name
        isSilent = declaration.settings["silent"] == true
    }

    var latestConnection: PeerConnection? { connections.last }

    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        guard !sentByPeer else { return [] }
        switch message {
        case let event as TCPEvent where event.kind == .syn: connections.append(connection)
        case let event as TCPEvent where event.kind == .fin: return [.close(connection)]
        case let event as TCPEvent where event.kind == .rst:
            connections.removeAll { $0 == connection }
        case var request as EchoMessage where request.kind == .request:
            guard !isSilent, !withholdAnswer else { return [] }
            request.kind = .answer
            return [.write(connection, request.bytes)]
        default: break
        }
        return []
    }

    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        guard let connection = connection ?? latestConnection else {
            throw PeerError(.noConnection, "the device holds no connection to \(name)")
        }
        let requested = answering as? EchoMessage
        guard message == "echo.answer",
            var answer = EchoMessage(.answer, requested?.number ?? 1, requested?.text ?? [])
        else { throw PeerError(.unknownMessage, "\(kind) cannot send \(message)") }
        for (path, value) in fields {
            switch (path.description, value) {
            case ("echo.number", .integer(let number)?):
                answer.number = UInt8(clamping: number)
            case ("text", .string(let text)?): answer.text = Array(text.utf8.prefix(255))
            default:
                throw PeerError(.unknownField, "\(path) of \(message) cannot be replaced")
            }
        }
        return [.write(connection, answer.bytes)]
    }

    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard action == "close", let connection = latestConnection else {
            throw PeerError(.unknownAction, "\(kind) cannot \(action) now")
        }
        return [.close(connection)]
    }
}
