import BuiltInProtocols
import HTTP
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import ScriptedPeers

struct WebSocketPeerTests {
    private static let connection = PeerConnection(address: .loopback, port: 40_000)

    private func peer(
        _ kind: PeerKind, _ settings: Value = [:],
        _ configure: (inout PeerScript) -> Void = { _ in }
    ) throws -> any Peer {
        var declaration = PeerDeclaration(
            name: "ws", kind: kind, settings: settings,
            position: SourcePosition(file: "suite.yaml", line: 1, column: 1))
        configure(&declaration.script)
        return try PeerFactory.builtIn.make(declaration)
    }

    private func see(
        _ peer: inout any Peer, _ kind: TCPEvent.Kind, sentByPeer: Bool = false
    ) -> [PeerCommand] {
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 80, sequence: TCPSequence(1), flags: [])
        return peer.observe(
            TCPEvent(
                kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0),
            on: Self.connection, sentByPeer: sentByPeer, withholdAnswer: false)
    }

    private func see(
        _ peer: inout any Peer, _ content: WebSocket.Message.Content
    ) -> [PeerCommand] {
        peer.observe(
            WebSocket.Message(content, bytes: []), on: Self.connection, sentByPeer: false,
            withholdAnswer: false)
    }

    private func request(_ target: String, _ protocols: String) -> WebSocket.Message.Content {
        .handshake(
            HTTPHead(
                .request(method: "GET", target: target),
                fields: [
                    HTTPHead.Field("Upgrade", "websocket"),
                    HTTPHead.Field("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                    HTTPHead.Field("Sec-WebSocket-Version", "13"),
                    HTTPHead.Field("Sec-WebSocket-Protocol", protocols),
                ]))
    }

    private func written(_ commands: [PeerCommand]) -> [String] {
        commands.map {
            guard case .write(_, let bytes) = $0 else { return "\($0)" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("a server accepts its path, chooses a subprotocol, greets and answers")
    func server() throws {
        var server = try peer(
            .webSocketServer, ["path": "/chat", "subprotocols": ["b", "a"]]
        ) {
            $0.greeting = [.bytes(ByteExpression(Array("hi".utf8), .text))]
            var answer = PeerScript.Answer()
            answer.conditions = [
                FieldCondition(
                    path: .answeredData, matcher: .starts(ByteExpression(Array("pi".utf8))),
                    position: SourcePosition(file: "", line: 1, column: 1))
            ]
            answer.sends = [.bytes(ByteExpression([1, 2]))]
            $0.answers = [answer]
        }
        _ = see(&server, .syn)
        let opened = written(see(&server, request("/chat?x=1", "a, b")))
        #expect(opened.count == 2)
        #expect(opened[0].contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(opened[0].contains("Sec-WebSocket-Protocol: b\r\n"))
        #expect(opened[1] == "\u{81}\u{2}hi" || opened[1].hasSuffix("hi"))
        let answers = see(
            &server,
            .frames(WebSocket.Frame(.text, Array("ping".utf8), maskingKey: [1, 2, 3, 4]), count: 1))
        #expect(answers == [.write(Self.connection, [0x82, 2, 1, 2])])
        #expect(
            see(&server, .frames(WebSocket.Frame(.text, Array("no".utf8)), count: 1)) == [])
        #expect(
            see(&server, .frames(WebSocket.Frame(.ping, [7]), count: 1)) == [
                .write(Self.connection, [0x8A, 1, 7])
            ])
        #expect(
            see(&server, .frames(WebSocket.Frame(.close, [3, 0xE8]), count: 1)) == [
                .write(Self.connection, [0x88, 2, 3, 0xE8]), .close(Self.connection),
            ])
    }

    @Test("a server refuses another path")
    func refused() throws {
        var server = try peer(.webSocketServer, ["path": "/chat"])
        _ = see(&server, .syn)
        let commands = see(&server, request("/other", "a"))
        #expect(written(commands)[0].hasPrefix("HTTP/1.1 404 "))
        #expect(written(commands)[0].contains("\r\nConnection: close\r\n"))
        #expect(commands.last == .close(Self.connection))
    }

    @Test("a client sends the request when its connection is established, and masks its frames")
    func client() throws {
        var client = try peer(.webSocketClient, ["path": "/x", "subprotocols": ["a", "b"]]) {
            $0.greeting = [.bytes(ByteExpression(Array("hi".utf8), .text))]
        }
        #expect(try client.perform("connect", arguments: .null) == [.connect])
        _ = see(&client, .syn, sentByPeer: true)
        let requested = written(see(&client, .established, sentByPeer: true))
        #expect(requested.first?.hasPrefix("GET /x HTTP/1.1\r\nHost: 127.0.0.1:80\r\n") == true)
        #expect(requested.first?.contains("Sec-WebSocket-Protocol: a, b\r\n") == true)
        let head = HTTPHead(
            .response(status: 101, reason: ""), fields: [HTTPHead.Field("Upgrade", "websocket")])
        guard case .write(_, let bytes)? = see(&client, .handshake(head)).first else {
            Issue.record("no greeting")
            return
        }
        #expect(bytes.count == 8 && bytes[0] == 0x81 && bytes[1] == 0x82)
        #expect(bytes[6] ^ bytes[2] == UInt8(ascii: "h"))
        let sent = try client.send(
            "websocket.close", fields: [], answering: nil, on: nil)
        #expect(sent.count == 1)
        // Only a Close frame with a payload can contain a status code.
        let status: (FieldPath, Value?) = (
            FieldPath(components: [.name("close"), .name("status_code")]), .integer(1001)
        )
        let emptied: (FieldPath, Value?) = (FieldPath(components: [.name("data")]), .string(""))
        #expect(throws: PeerError.self) {
            try client.send("websocket.text", fields: [status], answering: nil, on: nil)
        }
        #expect(throws: PeerError.self) {
            try client.send("websocket.close", fields: [emptied, status], answering: nil, on: nil)
        }
    }

    @Test("The header of a frame that a step sends has the fields that the step gives")
    func headers() throws {
        var server: any Peer = try peer(.webSocketServer)
        _ = see(&server, .syn)
        _ = see(&server, request("/", ""))
        func sent(_ message: String, _ fields: [(String, Value)]) throws -> [UInt8]? {
            let fields = fields.map { (FieldPath($0.0) ?? .violation, Optional($0.1)) }
            let commands = try server.send(message, fields: fields, answering: nil, on: nil)
            guard case .write(_, let bytes)? = commands.first else { return nil }
            return bytes
        }
        #expect(try sent("websocket.text", [("text", .string("a"))]) == [0x81, 1, 0x61])
        #expect(
            try sent("websocket.close", [("websocket.mask", .bool(true))]) == [
                0x88, 0x82, 0x37, 0xFA, 0x21, 0x3D, 0x34, 0x12,
            ])
        #expect(
            try sent(
                "websocket.ping",
                [
                    ("websocket.fin", .bool(false)), ("websocket.rsv", .integer(2)),
                    ("websocket.opcode", .integer(11)), ("websocket.payload_length", .integer(5)),
                ]) == [0x2B, 5])
        #expect(
            try sent(
                "websocket.binary",
                [("data", .bytes([1, 2, 3])), ("websocket.frames", .integer(2))]) == [
                    0x02, 2, 1, 2, 0x80, 1, 3,
                ])
        #expect(try sent("websocket.continuation", []) == [0x80, 0])
    }

    @Test("A Close frame that answers the one of a step is not answered")
    func closedByStep() throws {
        for kind in [PeerKind.webSocketServer, .webSocketClient] {
            var peer = try peer(kind)
            let isClient = kind == .webSocketClient
            _ = see(&peer, .syn, sentByPeer: isClient)
            let head = HTTPHead(
                .response(status: 101, reason: ""),
                fields: [HTTPHead.Field("Upgrade", "websocket")])
            _ = see(&peer, isClient ? .handshake(head) : request("/", ""))
            let close = WebSocket.Frame(.close, [3, 0xE8])
            _ = try peer.send("websocket.close", fields: [], answering: nil, on: nil)
            _ = peer.observe(
                WebSocket.Message(.frames(close, count: 1), bytes: []), on: Self.connection,
                sentByPeer: true, withholdAnswer: false)
            #expect(
                see(&peer, .frames(close, count: 1))
                    == (isClient ? [] : [.close(Self.connection)]))
        }
    }

    @Test("A server can end each connection after its handshake")
    func turnedAway() throws {
        var answer = PeerScript.Answer()
        answer.message = "websocket.request"
        answer.end = .close
        var server: any Peer = try peer(.webSocketServer) { $0.answers = [answer] }
        _ = see(&server, .syn)
        let commands = see(&server, request("/", ""))
        #expect(written([commands[0]])[0].hasPrefix("HTTP/1.1 101 "))
        #expect(
            Array(commands.dropFirst()) == [
                .write(Self.connection, [0x88, 2, 3, 0xE8]), .close(Self.connection),
            ])
    }
}
