import BuiltInProtocols
import Diffusion
import HTTP
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import DiffusionPeers
@testable import PeerKit

/// A session server and a client, connected by the codecs instead of a network.
struct SessionServerBench {
    /// Where a client puts its parameters.
    enum Carrier: CaseIterable {
        case query
        case headers
    }

    var peer: SessionServerPeer
    var now: Int64 = 1_000_000_000
    /// The server's commands other than writing, since they were last taken.
    var otherCommands: [PeerCommand] = []
    private var port: UInt16 = 40_000
    private var clientStreams: [PeerConnection: DiffusionStream] = [:]
    private var serverStreams: [PeerConnection: DiffusionStream] = [:]

    /// The key of the example in RFC 6455 1.3.
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    init(_ settings: Value = .object([])) throws {
        let position = SourcePosition(file: "test.yaml", line: 1, column: 1)
        peer = try SessionServerPeer(
            PeerDeclaration(
                name: "server", kind: .sessionServer, settings: settings, position: position))
        _ = peer.advance(to: now)
    }

    /// Opens a TCP connection.
    mutating func dial() -> PeerConnection {
        port += 1
        let connection = PeerConnection(address: .loopback, port: port)
        event(.syn, on: connection)
        event(.synAck, on: connection, sentByPeer: true)
        event(.established, on: connection)
        return connection
    }

    mutating func event(
        _ kind: TCPEvent.Kind, on connection: PeerConnection, sentByPeer: Bool = false
    ) {
        let header = TCPHeader(
            sourcePort: connection.port, destinationPort: 8080, sequence: TCPSequence(1), flags: [])
        let event = TCPEvent(
            kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0)
        let commands = peer.observe(
            event, on: connection, sentByPeer: sentByPeer, withholdAnswer: false)
        _ = consume(commands)
    }

    /// Requests a session and returns the messages of the server.
    mutating func connect(
        on connection: PeerConnection, token: String? = nil, version: String? = "25",
        carrier: Carrier = .query, without missing: String? = nil, withholding: Bool = false
    ) -> [any DissectedMessage] {
        var parameters = [("ty", "I"), ("ca", "8"), ("r", "60000")]
        if let version { parameters.insert(("v", version), at: 0) }
        if let token { parameters += [("c", token), ("cs", "7"), ("ss", "0")] }
        let query = parameters.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        var fields = [
            HTTPHead.Field("Host", "127.0.0.1"), HTTPHead.Field("Upgrade", "websocket"),
            HTTPHead.Field("Connection", "Upgrade"),
            HTTPHead.Field("Sec-WebSocket-Key", Self.key),
            HTTPHead.Field("Sec-WebSocket-Version", "13"),
        ]
        if carrier == .headers { fields += parameters.map { HTTPHead.Field($0.0, $0.1) } }
        fields.removeAll { $0.name == missing }
        let target = carrier == .query ? "/diffusion?\(query)" : "/diffusion"
        let head = HTTPHead(.request(method: "GET", target: target), fields: fields)
        return send(head.bytes, on: connection, withholding: withholding)
    }

    /// Sends a message of a session and returns the messages of the server.
    mutating func send(
        _ content: Diffusion.Message.Content, on connection: PeerConnection,
        withholding: Bool = false
    ) -> [any DissectedMessage] {
        let payload = Diffusion.Message.payload(of: content)
        return send(
            WebSocket.Frame(.binary, payload, maskingKey: [1, 2, 3, 4]).bytes, on: connection,
            withholding: withholding)
    }

    /// Sends bytes and returns the messages of the server.
    mutating func send(
        _ bytes: [UInt8], on connection: PeerConnection, withholding: Bool = false
    ) -> [any DissectedMessage] {
        var answers: [any DissectedMessage] = []
        for message in clientStreams[connection, default: DiffusionStream()].decode(bytes) {
            let commands = peer.observe(
                message, on: connection, sentByPeer: false, withholdAnswer: withholding)
            answers += consume(commands)
        }
        return answers
    }

    /// Advances the clock and returns the messages that the server sends by itself.
    mutating func wait(_ length: Duration) -> [any DissectedMessage] {
        now += Int64(length / .nanoseconds(1))
        return consume(peer.advance(to: now))
    }

    /// Performs an action of the server and returns its messages.
    mutating func perform(
        _ action: String, _ arguments: Value = .null
    ) throws -> [any DissectedMessage] {
        consume(try peer.perform(action, arguments: arguments))
    }

    /// Sends a message of the server and returns its messages.
    mutating func command(
        _ message: String, _ fields: [(String, Value?)] = []
    ) throws -> [any DissectedMessage] {
        let paths = try fields.map { (try #require(FieldPath($0.0)), $0.1) }
        return consume(try peer.send(message, fields: paths, answering: nil, on: nil))
    }

    /// Takes the server's commands other than writing.
    mutating func takeOtherCommands() -> [PeerCommand] {
        defer { otherCommands = [] }
        return otherCommands
    }

    private mutating func consume(_ commands: [PeerCommand]) -> [any DissectedMessage] {
        var messages: [any DissectedMessage] = []
        for command in commands {
            guard case .write(let connection, let bytes) = command else {
                otherCommands.append(command)
                continue
            }
            messages += serverStreams[connection, default: DiffusionStream()].decode(bytes)
        }
        return messages
    }
}

/// One direction of a connection.
private struct DiffusionStream {
    private var decoder = Diffusion.streamProtocol.makeDecoder(
        DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
    private var offset: UInt64 = 0

    mutating func decode(_ bytes: [UInt8]) -> [any DissectedMessage] {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, from: .first, at: offset, into: &messages)
        offset += UInt64(bytes.count)
        return messages.map(\.content)
    }
}

extension [any DissectedMessage] {
    var names: [String] { map(\.name) }

    /// Returns a field of the first message with the given name.
    func field(_ path: String, of name: String = "diffusion.response") -> Value? {
        first { $0.name == name }.flatMap { message in
            FieldPath(path).flatMap { message.field($0) }
        }
    }
}
