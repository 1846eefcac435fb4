import HTTP
import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// An end of WebSocket connections on any path (`websocket.server`, `websocket.client`).
///
/// It performs the handshake, answers pings and the close, and sends what its script says.
struct WebSocketPeer: Peer {
    /// The peer kind `websocket.server`; `websocket.client` is the other end.
    static let kind = PeerKind.webSocketServer

    /// The state of a connection.
    private struct Connection {
        let name: PeerConnection
        var state: ScriptedConversation
        var isOpen = false
        var isClosing = false
    }

    /// The name that the suite gives it.
    let name: String
    /// The kind of peer.
    let kind: PeerKind
    private let script: PeerScript
    private let path: String?
    private let subprotocols: [String]
    /// The live connections, oldest first.
    private var live: [Connection] = []
    /// Why it could not decide what to answer.
    private(set) var fault: PeerError?
    /// The commands that wait to be sent.
    private var waiting = WaitingCommands()
    /// The number of frames that a client has masked, each with a different key.
    private var maskCount: UInt32 = 0

    /// The limit on connections that are followed; beyond it the oldest is dropped.
    private static let connectionsMax = 1_024

    /// Creates a server or a client.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` for a setting that it does not have.
    init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        kind = declaration.kind
        script = declaration.script
        path = declaration.settings["path"]?.stringValue
        subprotocols =
            declaration.settings["subprotocols"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let known = ["port", "path", "subprotocols"]
        for setting in declaration.settings.objectValue ?? [] where !known.contains(setting.name) {
            throw PeerError(
                .unknownSetting, "a \(kind) has no setting \"\(setting.name)\"",
                advice: Suggestion.advice(for: setting.name, in: known))
        }
    }

    /// Whether it connects to the device.
    private var calls: Bool { kind.callsDevice }

    /// The connection that was opened last and has not ended.
    var latestConnection: PeerConnection? { live.last?.name }

    /// Follows the connections, performs handshakes, and answers as the table says.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if let event = message as? TCPEvent {
            return follow(event, on: connection, sentByPeer: sentByPeer)
        }
        guard let message = message as? WebSocket.Message,
            let index = live.firstIndex(where: { $0.name == connection })
        else { return [] }
        guard !sentByPeer else {
            if case .frames(let frame, _) = message.content, frame.opcode == .close {
                live[index].isClosing = true
            }
            return []
        }
        switch message.content {
        case .handshake(let head):
            return withholdAnswer ? [] : shakeHands(head, message, index)
        case .frames(let frame, _):
            return withholdAnswer ? [] : answer(frame, message, index)
        case .malformed: return []
        }
    }

    private mutating func follow(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch event.kind {
        case .syn where sentByPeer == calls:
            live.removeAll { $0.name == connection }
            let state = ScriptedConversation(answerCount: script.answers.count)
            live.append(Connection(name: connection, state: state))
            if live.count > Self.connectionsMax { live.removeFirst() }
        case .established where calls && sentByPeer:
            let host = PeerConnection(
                address: event.destination, port: event.header.destinationPort)
            return [.write(connection, request(to: host).bytes)]
        case .fin where !sentByPeer:
            live.removeAll { $0.name == connection }
            return [.close(connection)]
        case .rst, .refused: live.removeAll { $0.name == connection }
        default: break
        }
        return []
    }

    // MARK: - The handshake

    /// Returns the head of a WebSocket request (RFC 6455 4.1).
    private func request(to host: PeerConnection) -> HTTPHead {
        var fields = [
            HTTPHead.Field("Host", host.description), HTTPHead.Field("Upgrade", "websocket"),
            HTTPHead.Field("Connection", "Upgrade"),
            HTTPHead.Field("Sec-WebSocket-Key", Base64.text(of: Array("conform's nonce.".utf8))),
            HTTPHead.Field("Sec-WebSocket-Version", "13"),
        ]
        if !subprotocols.isEmpty {
            fields.append(
                HTTPHead.Field("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")))
        }
        return HTTPHead(.request(method: "GET", target: path ?? "/"), fields: fields)
    }

    private mutating func shakeHands(
        _ head: HTTPHead, _ message: WebSocket.Message, _ index: Int
    ) -> [PeerCommand] {
        let connection = live[index].name
        guard !calls else {
            guard head.isWebSocket else { return [.close(connection)] }
            return open(index) + reply(to: message, index)
        }
        if let path, head.path != path { return refuse(404, "Not Found", connection) }
        do throws(WebSocket.HandshakeRefusal) {
            var acceptance = try WebSocket.acceptance(of: head)
            let offered = head["Sec-WebSocket-Protocol"].map(Self.tokens) ?? []
            // RFC 6455 4.2.2: one of the subprotocols that the client offers, or none.
            if let chosen = subprotocols.first(where: offered.contains) {
                acceptance.fields.append(HTTPHead.Field("Sec-WebSocket-Protocol", chosen))
            }
            return [.write(connection, acceptance.bytes)] + open(index)
                + reply(to: message, index)
        } catch {
            return refuse(error.rawValue, "Refused", connection)
        }
    }

    private func refuse(
        _ status: Int, _ reason: String, _ connection: PeerConnection
    ) -> [PeerCommand] {
        let head = HTTPHead(
            .response(status: status, reason: reason),
            fields: [
                HTTPHead.Field("Content-Length", "0"), HTTPHead.Field("Connection", "close"),
            ])
        return [.write(connection, head.bytes), .close(connection)]
    }

    private static func tokens(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == " " }.map(String.init)
    }

    private mutating func open(_ index: Int) -> [PeerCommand] {
        live[index].isOpen = true
        live[index].state.keepAliveDue = script.keepAlive.map { waiting.time(after: $0.interval) }
        return frames(script.greeting, index)
    }

    // MARK: - Frames

    private mutating func answer(
        _ frame: WebSocket.Frame, _ message: WebSocket.Message, _ index: Int
    ) -> [PeerCommand] {
        let connection = live[index].name
        switch frame.opcode {
        case .ping:
            return [write(WebSocket.Frame(.pong, frame.payload), connection)]
                + reply(to: message, index)
        case .close where !live[index].isClosing:
            let last = reply(to: message, index)
            guard !live[index].isClosing else { return last }
            live[index].isClosing = true
            let reply = WebSocket.Frame(.close, Array(frame.payload.prefix(2)))
            return last + [write(reply, connection)] + (calls ? [] : [.close(connection)])
        case .close: return calls ? [] : [.close(connection)]
        default: return reply(to: message, index)
        }
    }

    /// Returns what the table answers to a message: nothing if no entry is for it.
    private mutating func reply(
        to message: WebSocket.Message, _ index: Int
    ) -> [PeerCommand] {
        let connection = live[index].name
        let found: ScriptedConversation.Reply?
        do throws(PeerError) {
            found = try live[index].state.answer(to: message, by: script)
        } catch {
            fault = fault ?? error
            return []
        }
        guard let reply = found else { return [] }
        var commands = frames(reply.written, index)
        switch reply.end {
        case .close?:
            live[index].isClosing = true
            commands.append(write(WebSocket.Frame(.close, [0x03, 0xE8]), connection))
            commands.append(.close(connection))
        case .reset?:
            live[index].isClosing = true
            commands.append(.reset(connection))
        case nil: break
        }
        return waiting.consume(commands, after: reply.after)
    }

    /// Returns the frames of a script's sends: binary for hexadecimal bytes, text otherwise.
    private mutating func frames(_ sends: [PeerScript.Send], _ index: Int) -> [PeerCommand] {
        let connection = live[index].name
        var commands: [PeerCommand] = []
        for send in sends {
            guard case .bytes(let expression) = send,
                let bytes = live[index].state.bytes(of: send)
            else { continue }
            let opcode: WebSocket.Opcode = expression.notation == .hex ? .binary : .text
            commands.append(write(WebSocket.Frame(opcode, bytes), connection))
        }
        return commands
    }

    /// Returns the command that writes a frame; a client's frames are masked (RFC 6455 5.3).
    private mutating func write(
        _ frame: WebSocket.Frame, _ connection: PeerConnection
    ) -> PeerCommand {
        var frame = frame
        if calls, frame.maskingKey == nil {
            maskCount &+= 1
            let key = maskCount &* 0x9E37_79B9
            frame.maskingKey = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> $0) }
        }
        return .write(connection, frame.bytes)
    }

    // MARK: - Time

    /// When the next waiting command or keep-alive is due.
    var nextDeadline: Int64? {
        (live.compactMap(\.state.keepAliveDue) + [waiting.nextDeadline].compactMap(\.self)).min()
    }

    /// Returns the commands that are due.
    mutating func advance(to now: Int64) -> [PeerCommand] {
        var commands = waiting.advance(to: now)
        guard let keepAlive = script.keepAlive else { return commands }
        for index in live.indices {
            guard let due = live[index].state.keepAliveDue, due <= now else { continue }
            live[index].state.keepAliveDue = waiting.time(after: keepAlive.interval)
            commands += frames(keepAlive.sends, index)
        }
        return commands
    }

    // MARK: - Sends and actions of steps

    /// Sends a frame with the fields of its content and of its header.
    ///
    /// - Throws: `PeerError` if there is no such message or field, or no open WebSocket.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        guard let outgoing = try OutgoingFrame(message, fields) else {
            throw PeerError(.unknownMessage, "a \(kind) cannot send \(message)")
        }
        let target = connection ?? latestConnection
        guard let target, live.contains(where: { $0.name == target && $0.isOpen }) else {
            throw PeerError(
                .noConnection, "the device holds no WebSocket to \(name)",
                advice: "expect the handshake first")
        }
        return [.write(target, outgoing.bytes(isMasked: calls))]
    }

    /// Carries out `connect` of a client, and `close` and `reset` on the latest connection.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard action == "connect", calls else {
            let commands = try end(latestConnection, by: action, arguments)
            live.removeLast()
            return commands
        }
        guard arguments == .null else { throw PeerError.takesNoArgument(action, of: name) }
        return [.connect]
    }
}
