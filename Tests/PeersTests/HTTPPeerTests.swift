import BuiltInProtocols
import HTTP
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import ScriptedPeers
@testable import SuiteLanguage

/// HTTP servers and clients with scripted messages.
struct HTTPPeerTests {
    private static let connection = PeerConnection(address: .loopback, port: 40_000)
    private static let position = SourcePosition(file: "suite.yaml", line: 1, column: 1)

    private func peer(
        _ kind: PeerKind, _ configure: (inout PeerScript) -> Void = { _ in }
    ) throws -> any Peer {
        var declaration = PeerDeclaration(
            name: "web", kind: kind, settings: [:], position: Self.position)
        configure(&declaration.script)
        var peer = try PeerFactory.builtIn.make(declaration)
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 8080, sequence: TCPSequence(1), flags: [])
        for kind in [TCPEvent.Kind.syn] {
            _ = peer.observe(
                TCPEvent(
                    kind, from: .loopback, to: .loopback, header: header, segmentLength: 0,
                    stream: 0), on: Self.connection,
                sentByPeer: declaration.kind == .httpClient, withholdAnswer: false)
        }
        return peer
    }

    private func established(_ peer: inout any Peer) -> [String] {
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 8080, sequence: TCPSequence(1), flags: [])
        return written(
            peer.observe(
                TCPEvent(
                    .established, from: .loopback, to: .loopback, header: header,
                    segmentLength: 0, stream: 0), on: Self.connection, sentByPeer: true,
                withholdAnswer: false))
    }

    private func message(_ head: HTTPHead) -> HTTP.Message {
        HTTP.Message(.head(head), bytes: head.bytes)
    }

    private func request(
        _ method: String, _ target: String, _ fields: [HTTPHead.Field] = []
    ) -> HTTP.Message {
        message(HTTPHead(.request(method: method, target: target), fields: fields))
    }

    private func written(_ commands: [PeerCommand]) -> [String] {
        commands.map {
            guard case .write(_, let bytes) = $0 else { return "\($0)" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func query(_ peer: inout any Peer, _ message: HTTP.Message) -> [String] {
        written(
            peer.observe(
                message, on: Self.connection, sentByPeer: false, withholdAnswer: false))
    }

    private func answer(
        _ start: String?, _ send: HTTPTemplate, after: Duration = .zero,
        message: String = "http.request"
    ) -> PeerScript.Answer {
        var answer = PeerScript.Answer()
        answer.message = message
        if let start {
            answer.conditions = [
                FieldCondition(
                    path: .answeredBytes, matcher: .starts(ByteExpression(Array(start.utf8))),
                    position: Self.position)
            ]
        }
        answer.sends = [.http(send)]
        answer.after = after
        return answer
    }

    private static func response(_ status: Int, _ body: String) -> HTTPTemplate {
        var template = HTTPTemplate(start: .response(status: status, reason: "R"))
        template.body = ByteExpression(Array(body.utf8))
        return template
    }

    @Test(
        "A server answers by the request line, HEAD without a body, and honours Connection: close")
    func server() throws {
        let answers = [
            answer("GET /a ", Self.response(200, "hi")), answer(nil, Self.response(404, "")),
        ]
        var server = try peer(.httpServer) { $0.answers = answers }
        #expect(
            query(&server, request("GET", "/a")) == [
                "HTTP/1.1 200 R\r\nContent-Length: 2\r\n\r\nhi"
            ])
        #expect(
            query(&server, request("GET", "/b")) == ["HTTP/1.1 404 R\r\nContent-Length: 0\r\n\r\n"])
        var heads = try peer(.httpServer) { $0.answers = [answer(nil, Self.response(200, "hi"))] }
        #expect(
            query(&heads, request("HEAD", "/a")) == ["HTTP/1.1 200 R\r\nContent-Length: 2\r\n\r\n"])
        let last = query(&heads, request("GET", "/", [HTTPHead.Field("Connection", "close")]))
        #expect(last.count == 2 && last[1] == "\(PeerCommand.close(Self.connection))")
    }

    @Test("Responses are sent in the order of their requests, whatever their delays")
    func order() throws {
        let answers = [
            answer("GET /slow ", Self.response(200, "slow"), after: .milliseconds(50)),
            answer(nil, Self.response(200, "fast"), after: .milliseconds(5)),
        ]
        var server = try peer(.httpServer) { $0.answers = answers }
        #expect(query(&server, request("GET", "/slow")) == [])
        #expect(query(&server, request("GET", "/fast")) == [])
        #expect(written(server.advance(to: 49_000_000)) == [])
        let sent = written(server.advance(to: 50_000_000))
        #expect(sent.map { String($0.suffix(4)) } == ["slow", "fast"])
        #expect(query(&server, request("GET", "/fast")) == [])
        #expect(written(server.advance(to: 55_000_000)).count == 1)
    }

    @Test("A client sends a request with Host, and the next one after a response")
    func client() throws {
        let first = HTTPTemplate(
            start: .request(method: "GET", target: ByteExpression(Array("/a".utf8), .text)))
        var next = HTTPTemplate(
            start: .request(method: "POST", target: ByteExpression(Array("/b".utf8), .text)))
        next.json = .object([.init(name: "n", value: .literal(1))])
        next.fields = [.init(name: "Host", value: ByteExpression(Array("x".utf8), .text))]
        let entry = answer(nil, next, message: "http.response")
        var client = try peer(.httpClient) {
            $0.greeting = [.http(first)]
            $0.answers = [entry]
        }
        #expect(established(&client) == ["GET /a HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"])
        let head = HTTPHead(.response(status: 200, reason: "OK"), fields: [])
        #expect(
            query(&client, message(head)) == [
                "POST /b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 7\r\n\r\n{\"n\":1}"
            ])
    }

    @Test("A step sets the fields of a message; others, and the other end's messages, are refused")
    func steps() throws {
        func path(_ text: String) throws -> FieldPath { try #require(FieldPath(text)) }
        var server = try peer(.httpServer)
        let sent = try server.send(
            "http.response",
            fields: [
                (try path("http.response.code"), 404), (try path("headers"), ["X-A": "b", "N": 1]),
                (try path("headers.x-c"), "d"), (try path("text"), "no"),
            ], answering: request("GET", "/"), on: nil)
        #expect(
            written(sent) == [
                "HTTP/1.1 404 Not Found\r\nX-A: b\r\nN: 1\r\nx-c: d\r\nContent-Length: 2\r\n\r\nno"
            ])
        #expect(throws: PeerError.self) {
            try server.send("http.request", fields: [], answering: nil, on: nil)
        }
        #expect(throws: PeerError.self) {
            try server.send(
                "http.response", fields: [(path("length"), 1)], answering: nil, on: nil)
        }
        var client = try peer(.httpClient)
        let requested = try client.send(
            "http.request",
            fields: [
                (try path("http.request.method"), "PUT"), (try path("json"), [1]),
            ], answering: nil, on: nil)
        #expect(
            written(requested) == [
                "PUT / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 3\r\n\r\n[1]"
            ])
    }

    @Test("A server of plain bytes answers a request by its bytes on the wire")
    func plain() throws {
        var entry = PeerScript.Answer()
        entry.conditions = [
            FieldCondition(
                path: .answeredData, matcher: .starts(ByteExpression(Array("GET /".utf8))),
                position: Self.position)
        ]
        entry.sends = [.bytes(ByteExpression(Array("HTTP/1.0 200 OK\r\n\r\n".utf8)))]
        var server = try peer(.tcpServer) { $0.answers = [entry] }
        #expect(query(&server, request("GET", "/")) == ["HTTP/1.0 200 OK\r\n\r\n"])
        #expect(query(&server, request("PUT", "/")) == [])
    }
}
