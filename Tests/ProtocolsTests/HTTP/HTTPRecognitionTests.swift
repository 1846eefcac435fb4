import Testing

@testable import BuiltInProtocols
@testable import HTTP
@testable import Wire

/// How HTTP is distinguished from other text protocols.
struct HTTPRecognitionTests {
    private static func recognised(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let found = Recognition(
            of: bytes.span.bytes,
            among: DissectionStack(ProtocolRegistry.builtIn.streamProtocols).candidates(in: .tcp))
        switch found {
        case .match(let match): return match.name
        case .undecided: return "undecided"
        case .none: return "none"
        }
    }

    @Test("HTTP is recognised by its first line; a WebSocket handshake is left to WebSocket")
    func first() {
        let expected = [
            "POST / HTTP/1.1\r\n": "http", "PROPFIND /a HTTP/1.0\r\nHo": "http",
            "HTTP/1.1 200 OK\r\n": "http", "HTTP/1.1 200\r\n": "http",
            "GET / HTTP/1.1\r\nHost: a\r\n": "undecided",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n": "http", "GET / HTTP/1.1\nHost: a\n\n": "http",
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n": "websocket",
            "GET /diffusion HTTP/1.1\r\nUpgrade: websocket\r\n\r\n": "diffusion",
            "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n": "websocket",
            "HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n": "http",
            "POST /a": "undecided", "HTTP/1.": "undecided", "GET /": "undecided",
        ]
        for (text, name) in expected { #expect(Self.recognised(text) == name, "\(text)") }
    }

    @Test(
        "Lines of other protocols are not HTTP, and the decision is immediate",
        arguments: [
            "PUT 1\r\n", "POST\r\n", "PING\r\n", "EHLO me\r\n", "PRI * HTTP/2.0\r\n",
            "INVITE sip:a SIP/2.0\r\n", "OPTIONS rtsp://a RTSP/1.0\r\n", "GET name\r\n", "DEL a",
            "get / HTTP/1.1\r\n", "BASELINE2 / HTTP/1.1\r\n", "m-search * HTTP/1.1\r\n",
            "$ a HTTP/1.1\r\n",
            "HTTP/2 200\r\n", "HTTP/1.1 20 OK\r\n",
            "Hello GET / HTTP/1.1\r\n",
        ])
    func others(_ text: String) { #expect(Self.recognised(text) == "none") }

    @Test("Headers that are longer than recognition examines are HTTP")
    func long() {
        let cookie = String(repeating: "a", count: 5_000)
        #expect(Self.recognised("GET / HTTP/1.1\r\nCookie: \(cookie)") == "http")
        #expect(Self.recognised("POST /\(cookie)") == "none")
    }
}
