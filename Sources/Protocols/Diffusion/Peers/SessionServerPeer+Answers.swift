import Diffusion
import HTTP
import PeerKit

/// Answers that the server gives by itself.
extension SessionServerPeer {
    /// Answers a client's request for a session.
    ///
    /// If a suite answers, the upgrade is accepted anyway.
    mutating func answer(
        _ connect: Diffusion.Connect, on connection: PeerConnection, withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard var state = connections[connection], !state.isUpgraded, let fate = state.fate,
            fate.accepts
        else { return [] }
        state.connect = connect
        connections[connection] = state
        let wanted = fate.answer ?? answer(to: connect)
        if case .status(let status) = wanted, !withholdsAnswer {
            return refuse(status, on: connection)
        }
        do throws(WebSocket.HandshakeRefusal) {
            let upgrade = try WebSocket.acceptance(of: connect.head)
            connections[connection]?.isUpgraded = true
            let commands: [PeerCommand] = [.write(connection, upgrade.bytes)]
            guard !withholdsAnswer, case .code(let code) = wanted else { return commands }
            return commands + respond(response(code, on: connection), on: connection)
        } catch {
            return refuse(error.rawValue, on: connection)
        }
    }

    /// Returns the answer to a request according to the settings.
    private mutating func answer(to connect: Diffusion.Connect) -> ConnectionAnswer {
        if connect.parameters.first(where: { $0.name == "v" }).flatMap({ UInt8($0.value) }) == nil {
            return .code(Diffusion.ResponseCode.protocolError.rawValue)
        }
        guard connect.token != nil else { return settings.open }
        return session(wantedBy: connect) == nil ? settings.unknown : settings.resume
    }

    /// Returns the session whose token a client gives.
    private mutating func session(wantedBy connect: Diffusion.Connect?) -> ServerSession? {
        guard let token = connect?.token else { return nil }
        return sessions.session(of: Array(token.utf8), at: now, keeps: settings.keeps)
    }

    /// Sends an HTTP response instead of the upgrade, and ends the connection.
    mutating func refuse(_ status: Int, on connection: PeerConnection) -> [PeerCommand] {
        let head = HTTPHead(
            .response(status: status, reason: Self.reason(of: status)),
            fields: [
                HTTPHead.Field("Content-Length", "0"), HTTPHead.Field("Connection", "close"),
            ])
        return [.write(connection, head.bytes)] + end(connection, .close)
    }

    /// Returns the reason phrase of a status.
    static func reason(of status: Int) -> String {
        switch status {
        case 101: "Switching Protocols"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 426: "Upgrade Required"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Status \(status)"
        }
    }

    /// Returns the server's own response with a code; a successful one contains the session.
    mutating func response(
        _ code: UInt8, on connection: PeerConnection
    ) -> OutgoingResponse {
        let state = connections[connection] ?? SessionConnection()
        var response = OutgoingResponse(version: state.version, code: code)
        guard let known = Diffusion.ResponseCode(rawValue: code), known.isSuccess else {
            return response
        }
        var identity: Diffusion.ConnectResponse.Session
        if known != .ok, let kept = session(wantedBy: state.connect) {
            identity = kept.identity
        } else {
            identity = sessions.nextIdentity()
        }
        if state.version >= OutgoingResponse.firstVersionWithPing {
            identity.pingPeriod = settings.systemPing / 1_000_000
        }
        if state.version >= OutgoingResponse.firstVersionWithLast {
            let sequence = state.connect?.parameters.first { $0.name == "cs" }
                .flatMap { UInt32($0.value) }
            identity.last =
                known == .reconnected ? sequence ?? 0 : OutgoingResponse.maximumMessageSize
        }
        response.session = identity
        return response
    }

    /// Sends a response, and updates the session according to it.
    mutating func respond(
        _ response: OutgoingResponse, on connection: PeerConnection
    ) -> [PeerCommand] {
        var commands: [PeerCommand] = [
            .write(connection, WebSocket.Frame(.binary, response.payload).bytes)
        ]
        let known = Diffusion.ResponseCode(rawValue: response.code)
        guard known?.isSuccess == true, let identity = response.session else {
            let fate = connections[connection]?.fate?.end
            return commands + (fate == nil ? end(connection, .close) : scheduleEnd(of: connection))
        }
        connections[connection]?.hasSession = true
        connections[connection]?.pingedAt = now
        if let former = sessions.attach(identity, to: connection), former != connection {
            commands += end(former, .close)
        }
        return commands + scheduleEnd(of: connection)
    }

    /// Reacts to a message of a session.
    mutating func react(
        to message: Diffusion.Message, on connection: PeerConnection, withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard connections[connection]?.isUpgraded == true else { return [] }
        switch message.content {
        case .serviceRequest(Diffusion.userPing, let conversation, _):
            connections[connection]?.latestRequest = message
            let answers = connections[connection]?.fate?.answersPings ?? settings.answersPings
            guard answers, !withholdsAnswer else { return [] }
            return [
                write(.serviceResponse(conversation: conversation, body: []), on: connection)
            ]
        case .serviceRequest:
            connections[connection]?.latestRequest = message
        case .serviceResponse(let conversation, _), .serviceError(let conversation, _):
            if connections[connection]?.pingConversation == conversation {
                connections[connection]?.awaitsPong = false
            }
        case .close:
            sessions.end(on: connection)
            return end(connection, .close)
        default: break
        }
        return []
    }

    /// Reacts to a message of the WebSocket layer.
    mutating func react(
        to message: WebSocket.Message, on connection: PeerConnection, withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard !withholdsAnswer else { return [] }
        switch message.content {
        case .handshake where connections[connection]?.isUpgraded == false:
            return refuse(404, on: connection)
        case .frames(let frame, _) where frame.opcode == .ping:
            let pong = WebSocket.Frame(.pong, frame.payload)
            return [.write(connection, pong.bytes)]
        case .frames(let frame, _) where frame.opcode == .close:
            let answer = WebSocket.Frame(.close, Array(frame.payload.prefix(2)))
            return [.write(connection, answer.bytes)] + end(connection, .close)
        default: return []
        }
    }

    /// Sends a ping from the server.
    mutating func sendSystemPing(on connection: PeerConnection) -> [PeerCommand] {
        let conversation = nextConversation(on: connection)
        recordPing(conversation, on: connection)
        return [
            write(
                .serviceRequest(
                    service: Diffusion.systemPing, conversation: conversation, body: []),
                on: connection)
        ]
    }

    /// Records a ping that the server sends.
    mutating func recordPing(_ conversation: UInt64, on connection: PeerConnection) {
        connections[connection]?.pingConversation = conversation
        connections[connection]?.pingedAt = now
        connections[connection]?.awaitsPong = true
    }

    /// Returns the number of a new conversation of the server.
    mutating func nextConversation(on connection: PeerConnection) -> UInt64 {
        let number = connections[connection]?.nextConversation ?? 0
        connections[connection]?.nextConversation = number + 1
        return number
    }

    /// Returns the command that writes a message of a session as a frame.
    func write(
        _ content: Diffusion.Message.Content, on connection: PeerConnection
    ) -> PeerCommand {
        .write(
            connection, WebSocket.Frame(.binary, Diffusion.Message.payload(of: content)).bytes)
    }
}

/// A response to a connection request, before it is sent.
struct OutgoingResponse: Sendable, Hashable {
    /// The first version in which the period of the server's pings follows the token.
    static let firstVersionWithPing: UInt8 = 7
    /// The first version in which the largest message or recovery sequence follows the period.
    static let firstVersionWithLast: UInt8 = 18
    /// The largest message size, as it is announced.
    static let maximumMessageSize: UInt32 = 0x7FFF_FFFF

    var version: UInt8
    var code: UInt8
    var session: Diffusion.ConnectResponse.Session?

    /// The bytes within a frame.
    var payload: [UInt8] {
        Diffusion.ConnectResponse.payload(version: version, code: code, session: session)
    }
}

extension Diffusion.Connect {
    /// The token of the session that the client wants to resume.
    var token: String? { parameters.first { $0.name == "c" }?.value }
}
