import HTTP
import PeerKit
import SDL
import SDLPeers
import ScriptedPeers
import SuiteLanguage
import TCPIP
import Wire

/// Encodes messages that a program names: of HTTP, of a WebSocket server, and of SDL.
struct ProgramEncoder {
    /// The last request for a WebSocket on each connection.
    private var handshakes: [PeerConnection: HTTPHead] = [:]
    /// The last HTTP method on each connection.
    private var methods: [PeerConnection: String] = [:]
    private var nextMessageID: UInt32 = 1

    /// Records what answers depend on.
    mutating func handle(_ message: any DissectedMessage, on connection: PeerConnection) {
        switch message {
        case let event as TCPEvent where event.kind == .fin || event.kind == .rst:
            handshakes[connection] = nil
            methods[connection] = nil
        case let message as WebSocket.Message:
            if case .handshake(let head) = message.content { handshakes[connection] = head }
        default: if let method = message.httpMethod { methods[connection] = method }
        }
    }

    /// Returns the bytes of a message.
    ///
    /// - Parameters:
    ///   - message: The name of the message.
    ///   - with: The values by field paths.
    ///   - connection: The connection to send on.
    /// - Throws: `PeerError` for a message or a field that cannot be encoded.
    mutating func bytes(
        of message: String, _ with: Value, on connection: PeerConnection
    ) throws(PeerError) -> [UInt8] {
        let fields = try Self.fields(with)
        switch message {
        case "http.request", "http.response":
            return try OutgoingHTTP(message, fields)
                .bytes(host: connection.description, answering: methods[connection])
        case "websocket.response": return try acceptance(fields, on: connection)
        case _ where message.hasPrefix("sdl."): return try rpc(message, fields)
        default:
            guard let frame = try OutgoingFrame(message, fields) else {
                throw PeerError(
                    .badArgument, "\(message) cannot be sent by its name",
                    advice: "send its bytes as {\"hex\": ...}")
            }
            return frame.bytes(isMasked: false)
        }
    }

    private static func fields(_ with: Value) throws(PeerError) -> [(FieldPath, Value?)] {
        var fields: [(FieldPath, Value?)] = []
        for member in with.objectValue ?? [] {
            guard let path = FieldPath(member.name) else {
                throw PeerError(.badArgument, "\"\(member.name)\" is not a path of a field")
            }
            let hex = member.value.objectValue?.count == 1 ? member.value["hex"]?.stringValue : nil
            fields.append(
                (path, hex.flatMap([UInt8].init(hexDigits:)).map(Value.bytes) ?? member.value))
        }
        return fields
    }

    /// Returns the acceptance of the last request for a WebSocket, with further header fields.
    private func acceptance(
        _ fields: [(FieldPath, Value?)], on connection: PeerConnection
    ) throws(PeerError) -> [UInt8] {
        guard let request = handshakes[connection] else {
            throw PeerError(.badArgument, "there is no request for a WebSocket on \(connection)")
        }
        do throws(WebSocket.HandshakeRefusal) {
            var head = try WebSocket.acceptance(of: request)
            for case (FieldPath("headers"), .object(let members)?) in fields {
                head.fields += members.map {
                    HTTPHead.Field($0.name, $0.value.stringValue ?? $0.value.suiteText)
                }
            }
            return head.bytes
        } catch {
            return HTTPHead(
                .response(status: error.rawValue, reason: HTTPHead.reason(of: error.rawValue)),
                fields: []
            ).message([])
        }
    }

    /// Encodes an SDL message; the default is version 5 and session 1.
    private mutating func rpc(
        _ message: String, _ fields: [(FieldPath, Value?)]
    ) throws(PeerError) -> [UInt8] {
        let parts = message.split(separator: ".").map(String.init)
        var outgoing: OutgoingMessage?
        if parts.count == 2,
            let frame = SDL.ControlFrame.allCases.first(where: { $0.messageName == parts[1] })
        {
            outgoing = OutgoingMessage(
                frame, service: SDL.ServiceType.rpc.rawValue, version: 5, sessionID: 1)
        } else if parts.count == 3,
            let type = SDL.RPCType.allCases.first(where: { "\($0)" == parts[2] }),
            let rpc = SDL.RPC(
                type, parts[1], correlationID: type == .notification ? -1 : 1, parameters: [:])
        {
            outgoing = OutgoingMessage(rpc, version: 5, sessionID: 1)
        }
        guard var outgoing else {
            throw PeerError(.badArgument, "there is no message \(message)")
        }
        for (path, value) in fields { try outgoing.replace(path, with: value) }
        return outgoing.bytes(numberedBy: &nextMessageID, maximumPayload: nil)
    }
}
