import Testing

@testable import HTTP
@testable import Wire

/// What becomes of a connection after a request for another protocol.
extension HTTPConnectionTests {
    @Test("A later upgrade turns the connection into a WebSocket, and a refusal leaves it HTTP")
    func upgrade() {
        let ask =
            "GET /c HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: x\r\n\r\n"
        let accept = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}"
        for size in [1, .max] {
            let accepted = Self.decode(
                [
                    .client(Self.get), .server(Self.ok), .client(ask),
                    .server(String(accept.dropLast())), .server("\u{1}\u{2}hi"),
                ], size: size, ends: nil)
            #expect(
                accepted.map(\.name).prefix(4) == [
                    "http.request", "http.response", "websocket.request", "websocket.response",
                ])
            let refused = Self.decode(
                [
                    .client(ask), .server("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno"),
                    .client(Self.get), .server(Self.ok),
                ], size: size)
            #expect(
                refused.map(\.name) == [
                    "websocket.request", "http.response", "http.request", "http.response",
                ])
            #expect(
                Self.values(refused, "http.response_for.uri") == [nil, "/c", nil, "/a"])
        }
    }

    @Test("A refused handshake leaves the connection HTTP, and may be followed by another one")
    func refusedHandshake() {
        func ask(_ path: String) -> Piece {
            .client(
                "GET \(path) HTTP/1.1\r\nHost: h\r\nUpgrade: websocket, foo\r\n"
                    + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        }
        let accept =
            "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
        for size in [1, .max] {
            let messages = Self.decode(
                [
                    ask("/1"), .server("HTTP/1.1 403 No\r\nContent-Length: 9\r\n\r\nForbidden"),
                    ask("/2"),
                    .server("HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n"),
                    .server("2\r\nno\r\n0\r\n\r\n"), .client(Self.get), .server(Self.ok),
                    ask("/3"), .server(accept), .server("\u{1}\u{1}a"), .server("\u{0}\u{1}b"),
                    .client("\u{1}\u{0}"),
                ], size: size, ends: nil, by: WebSocket.streamProtocol)
            #expect(
                messages.map(\.name) == [
                    "websocket.request", "websocket.response", "websocket.request",
                    "websocket.response", "http.request", "http.response", "websocket.request",
                    "websocket.response",
                ])
            #expect(
                Self.values(messages.filter { $0.side == .second }, "http.response.code")
                    == [403, 404, 200, 101])
            #expect(messages.allSatisfy { $0.violation == nil })
            let withoutLength = Self.decode(
                [ask("/"), .server("HTTP/1.1 403 No\r\n\r\nForbidden")], size: size,
                by: WebSocket.streamProtocol)
            #expect(withoutLength.map(\.name) == ["websocket.request", "websocket.response"])
        }
    }

    @Test("Frames are read if the answer to the handshake is missing, or nobody saw the request")
    func halfOfHandshake() {
        let ask = WebSocketTests.request.bytes
        let frame = "\u{1}\u{0}"
        for known in [HTTP.streamProtocol, WebSocket.streamProtocol] {
            let client = Self.decode(
                [.client(String(decoding: ask, as: UTF8.self)), .client("\u{9}\u{0}" + frame)],
                ends: nil, by: known)
            #expect(client.map(\.name) == ["websocket.request", "websocket.ping"])
            let lost = Self.decode(
                [
                    .client(String(decoding: ask, as: UTF8.self)), .lostServer(60),
                    .client("\u{9}\u{0}"),
                ], ends: nil, by: known)
            #expect(lost.map(\.name) == ["websocket.request", "websocket.ping"])
            let server = Self.decode(
                [
                    .server(String(decoding: WebSocketTests.response.bytes, as: UTF8.self)),
                    .server("\u{9}\u{0}"), .client("\u{A}\u{0}"),
                ], ends: nil, by: known)
            #expect(server.map(\.name).prefix(2) == ["websocket.response", "websocket.ping"])
        }
    }

    @Test("After CONNECT or a change of protocol, the bytes of both sides are data")
    func tunnel() {
        let messages = Self.decode([
            .client("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"),
            .server("HTTP/1.1 200 OK\r\n\r\nab"), .client("GET"), .server("c"),
        ])
        #expect(messages.dropFirst(2).map { $0.fields["text"] } == ["ab", "GET", "c"])
        #expect(messages.dropFirst(2).allSatisfy { $0.name == "http.data" })
    }
}
