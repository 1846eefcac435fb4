import HTTP
import SDL
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import BuiltInProtocols
@testable import PeerKit

/// Peers whose part a program plays, and the messages that it names.
struct AdapterPeerTests {
    private static let connection = PeerConnection(address: .loopback, port: 40_000)

    private func peer(_ kind: PeerKind = .adapter, _ settings: Value = [:]) throws -> any Peer {
        try PeerFactory.builtIn.make(
            PeerDeclaration(
                name: "p", kind: kind, settings: settings,
                position: SourcePosition(file: "suite.yaml", line: 1, column: 1)))
    }

    private func see(
        _ peer: inout any Peer, _ kind: TCPEvent.Kind, sentByPeer: Bool = false
    ) -> [PeerCommand] {
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 80, sequence: TCPSequence(1), flags: [])
        return see(
            &peer,
            TCPEvent(
                kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0),
            sentByPeer: sentByPeer)
    }

    private func see(
        _ peer: inout any Peer, _ message: any DissectedMessage, sentByPeer: Bool = false
    ) -> [PeerCommand] {
        peer.observe(
            message, on: Self.connection, sentByPeer: sentByPeer, withholdAnswer: false)
    }

    private func sent(_ peer: inout any Peer, _ message: String, _ with: Value) throws -> [UInt8] {
        let commands = try peer.consume(
            order: ["send": ["message": .string(message), "with": with]])
        guard case .write(Self.connection, let bytes)? = commands.first else { return [] }
        return bytes
    }

    @Test("HTTP messages are written by name, and the response to HEAD has no body")
    func http() throws {
        var peer = try peer()
        _ = see(&peer, .syn)
        let head = HTTPHead(.request(method: "HEAD", target: "/"), fields: [])
        _ = see(&peer, HTTP.Message(.head(head), bytes: head.bytes))
        let bytes = try sent(&peer, "http.response", ["http.response.code": 404, "text": "no"])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n")
    }

    @Test("The request for a WebSocket is accepted, and then frames are sent unmasked")
    func webSocket() throws {
        var peer = try peer()
        _ = see(&peer, .syn)
        #expect(throws: PeerError.self) { try sent(&peer, "websocket.response", [:]) }
        let head = HTTPHead(
            .request(method: "GET", target: "/"),
            fields: [
                HTTPHead.Field("Upgrade", "websocket"),
                HTTPHead.Field("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                HTTPHead.Field("Sec-WebSocket-Version", "13"),
            ])
        _ = see(&peer, WebSocket.Message(.handshake(head), bytes: []))
        let bytes = try sent(
            &peer, "websocket.response", ["headers": ["Sec-WebSocket-Protocol": "a"]])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") && text.contains("Protocol: a\r\n"))
        #expect(
            try sent(&peer, "websocket.binary", ["data": ["hex": "0a ff"]]) == [0x82, 2, 10, 255])
    }

    @Test("SDL messages are written by name, with the fields of their headers")
    func sdl() throws {
        var peer = try peer()
        _ = see(&peer, .syn)
        let bytes = try sent(
            &peer, "sdl.Show.response",
            ["sdl.session_id": 7, "rpc.correlation_id": 9, "params": ["success": true]])
        var decoder = SDL.streamProtocol.makeDecoder(DissectionStack([]))
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, from: .first, at: 0, into: &messages)
        let message = try #require(messages.first?.content)
        #expect(message.name == "sdl.Show.response")
        #expect(message.fields["sdl"]?["session_id"] == 7)
        #expect(message.fields["rpc"]?["correlation_id"] == 9)
        #expect(message.fields["params"]?["success"] == true)
    }

    @Test("An invalid message is an error of the program, with the valid ones")
    func wrong() throws {
        var peer = try peer()
        _ = see(&peer, .syn)
        for (message, with) in [
            ("sdl.Shw.response", [:]), ("iap2.control", [:]), ("http.response", ["length": 1]),
            ("http.response", ["a[": 1]), ("websocket.text", ["fin": 1]),
        ] as [(String, Value)] {
            #expect(throws: PeerError.self, "\(message)") { try sent(&peer, message, with) }
        }
        var datagrams = try self.peer(.adapter, ["transport": "udp"])
        _ = see(
            &datagrams,
            UDPDatagram(
                from: .loopback, to: .loopback,
                header: UDPHeader(sourcePort: 40_000, destinationPort: 1, length: 8), stream: 0,
                bytes: []))
        #expect(throws: PeerError.self) { try sent(&datagrams, "http.response", [:]) }
    }

    @Test(
        "Steps end the latest connection of either peer and send nothing",
        arguments: [PeerKind.adapter, .process])
    func steps(kind: PeerKind) throws {
        var peer = try peer(kind)
        #expect(throws: PeerError.self) { try peer.perform("close", arguments: .null) }
        _ = see(&peer, .syn)
        #expect(peer.latestConnection == Self.connection)
        #expect(throws: PeerError.self) {
            try peer.send("tcp.data", fields: [], answering: nil, on: nil)
        }
        #expect(try peer.perform("reset", arguments: .null) == [.reset(Self.connection)])
        #expect(peer.latestConnection == nil)
        _ = see(&peer, .syn)
        #expect(see(&peer, .fin) == (kind == .adapter ? [.close(Self.connection)] : []))
        #expect(peer.latestConnection == nil)
    }
}
