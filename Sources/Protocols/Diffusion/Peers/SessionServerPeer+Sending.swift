import Diffusion
import HTTP
import PeerKit
import SuiteLanguage
import Wire

/// Messages that a suite requests from the server.
extension SessionServerPeer {
    /// Sends the default of a message with fields replaced; see `Peer`.
    ///
    /// By default a response is what the server would have answered; with `code` among the fields,
    /// what it would have answered with that code. Effects that normally follow a message also
    /// follow here: a session begins with a successful response, and the connection ends with any
    /// other.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        let target = try liveConnection(connection)
        var outgoing = try defaultMessage(message, fields, answering: answering, on: target)
        for (path, value) in fields { try outgoing.replace(path, with: value) }
        return transmit(outgoing, on: target)
    }

    private mutating func defaultMessage(
        _ message: String, _ fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection
    ) throws(PeerError) -> OutgoingSessionMessage {
        let state = connections[connection] ?? SessionConnection()
        if message == "websocket.response" {
            return OutgoingSessionMessage(
                name: message, content: .handshake(try upgrade(state, fields)))
        }
        guard state.isUpgraded else {
            throw PeerError(
                .noSession, "the connection is not a WebSocket yet; \(message) cannot be sent",
                advice: "expect diffusion.connect first")
        }
        if message == "diffusion.response" {
            let chosen = fields.last { $0.0.description == "code" }?.1?.integerValue
            let code = chosen.flatMap { UInt8(exactly: $0) } ?? Diffusion.ResponseCode.ok.rawValue
            let isResumption = chosen == nil && state.connect?.token != nil
            let own = Diffusion.ResponseCode.reconnected.rawValue
            return OutgoingSessionMessage(
                name: message,
                content: .response(response(isResumption ? own : code, on: connection)))
        }
        if let frame = Self.frames[message] {
            return OutgoingSessionMessage(name: message, content: .frame(frame))
        }
        return OutgoingSessionMessage(
            name: message,
            content: .message(
                try content(message, answering: answering as? Diffusion.Message, on: connection)))
    }

    private static let frames: [String: WebSocket.Frame] = [
        "websocket.text": WebSocket.Frame(.text, []),
        "websocket.binary": WebSocket.Frame(.binary, []),
        "websocket.close": WebSocket.Frame(.close, [0x03, 0xE8]),
        "websocket.ping": WebSocket.Frame(.ping, []),
        "websocket.pong": WebSocket.Frame(.pong, []),
        "websocket.continuation": WebSocket.Frame(.continuation, []),
        "websocket.reserved": WebSocket.Frame(WebSocket.Opcode(rawValue: 3), []),
    ]

    /// Returns the head that accepts the client's request or, with another status, refuses it.
    private func upgrade(
        _ state: SessionConnection, _ fields: [(FieldPath, Value?)]
    ) throws(PeerError) -> HTTPHead {
        guard let connect = state.connect, !state.isUpgraded else {
            throw PeerError(
                .badField, "there is no handshake to answer",
                advice: "keep the server from answering it: `connections: [{accept: false, "
                    + "then: nothing}]`, or have it refuse with `do: {\(name).answer: 503}`")
        }
        let status = fields.last { $0.0.description == "http.response.code" }?.1?.integerValue
        if let status, status != 101 {
            return HTTPHead(
                .response(status: Int(status), reason: Self.reason(of: Int(status))),
                fields: [HTTPHead.Field("Content-Length", "0")])
        }
        do throws(WebSocket.HandshakeRefusal) {
            return try WebSocket.acceptance(of: connect.head)
        } catch {
            throw PeerError(
                .badField, "the client's request cannot be accepted (status \(error.rawValue))",
                advice: "give http.response.code")
        }
    }

    private mutating func content(
        _ message: String, answering: Diffusion.Message?, on connection: PeerConnection
    ) throws(PeerError) -> Diffusion.Message.Content {
        switch message {
        case "diffusion.systemPing":
            return .serviceRequest(
                service: Diffusion.systemPing, conversation: nextConversation(on: connection),
                body: [])
        case "diffusion.ping":
            return .serviceRequest(
                service: Diffusion.userPing, conversation: nextConversation(on: connection),
                body: [])
        case "diffusion.serviceRequest":
            return .serviceRequest(
                service: 0, conversation: nextConversation(on: connection), body: [])
        case "diffusion.serviceResponse", "diffusion.serviceError":
            let request = answering ?? connections[connection]?.latestRequest
            var conversation: UInt64 = 0
            if case .serviceRequest(_, let number, _)? = request?.content { conversation = number }
            return message == "diffusion.serviceResponse"
                ? .serviceResponse(conversation: conversation, body: [])
                : .serviceError(conversation: conversation, body: [])
        case "diffusion.topicValue": return .topicValue(topic: 1, body: [])
        case "diffusion.topicDelta": return .topicDelta(topic: 1, body: [])
        case "diffusion.abort": return .abort
        case "diffusion.close": return .close
        case "diffusion.other": return .other(type: 0x7F, body: [])
        default:
            let near = Suggestion.closest(
                to: message, in: OutgoingSessionMessage.protocols.messageNames)
            throw PeerError(
                .unknownMessage, "a session server cannot send \(message)",
                advice: near.map { "did you mean \"\($0)\"?" }
                    ?? "it sends responses, messages of sessions and frames of WebSocket")
        }
    }

    /// Sends a message, and applies its effects.
    private mutating func transmit(
        _ outgoing: OutgoingSessionMessage, on connection: PeerConnection
    ) -> [PeerCommand] {
        switch outgoing.content {
        case .response(let response): return respond(response, on: connection)
        case .handshake(let head):
            let isAgreed = if case .response(101, _) = head.start { true } else { false }
            connections[connection]?.isUpgraded = isAgreed
            return [.write(connection, head.bytes)] + (isAgreed ? [] : end(connection, .close))
        case .frame(let frame):
            let isEnd = frame.opcode == .close
            return [.write(connection, frame.bytes)] + (isEnd ? end(connection, .close) : [])
        case .message(.abort): return end(connection, .abort)
        case .message(let content):
            if case .serviceRequest(Diffusion.systemPing, let conversation, _) = content {
                recordPing(conversation, on: connection)
            }
            return [write(content, on: connection)]
        }
    }
}
