import Testing

@testable import BuiltInProtocols
@testable import HTTP
@testable import Wire

/// HTTP in both directions of a connection.
struct HTTPConnectionTests {
    /// Bytes that one side sends, or a number of its bytes that are missing.
    enum Piece {
        case client(String)
        case server(String)
        case lostClient(Int)
        case lostServer(Int)

        var side: ConnectionSide {
            switch self {
            case .client, .lostClient: .first
            case .server, .lostServer: .second
            }
        }
    }

    struct Decoded: Equatable {
        var side: ConnectionSide
        var name: String
        var bytes: [UInt8]
        var fields: Value
        var violation: String?
        var range: Range<UInt64>
    }

    /// Decodes pieces, each cut again into parts of `size` bytes.
    static func decode(
        _ pieces: [Piece], size: Int = .max, ends: StreamEnd? = .closed,
        by known: StreamProtocol = HTTP.streamProtocol
    ) -> [Decoded] {
        var decoder = known.makeDecoder(
            DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
        var offsets: [ConnectionSide: UInt64] = [:]
        var decoded: [Decoded] = []
        func consume(_ messages: [StreamMessage], _ side: ConnectionSide) {
            decoded += messages.map {
                Decoded(
                    side: side, name: $0.content.name, bytes: $0.content.bytes,
                    fields: $0.content.fields, violation: $0.content.violation,
                    range: $0.ranges[0].lowerBound..<($0.ranges.last?.upperBound ?? 0))
            }
        }
        for piece in pieces {
            let side = piece.side
            var offset = offsets[side] ?? 0
            var messages: [StreamMessage] = []
            switch piece {
            case .client(let text), .server(let text):
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    let part = Array(rest.prefix(size))
                    decoder.consume(part.span.bytes, from: side, at: offset, into: &messages)
                    offset += UInt64(part.count)
                    rest = rest.dropFirst(part.count)
                    #expect(decoder.oldestPendingOffset(of: side) <= offset)
                }
            case .lostClient(let count), .lostServer(let count):
                offset += UInt64(count)
                decoder.gap(upTo: offset, from: side, into: &messages)
            }
            offsets[side] = offset
            consume(messages, side)
        }
        guard let ends else { return decoded }
        for side in ConnectionSide.allCases {
            var messages: [StreamMessage] = []
            decoder.finish(side, ends, into: &messages)
            consume(messages, side)
        }
        return decoded
    }

    static func values(_ messages: [Decoded], _ path: String) -> [Value?] {
        messages.map { message in FieldPath(path).flatMap { message.fields[$0] } }
    }

    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    @Test("A request and its response have Wireshark's names, lower-case headers and a body")
    func fields() {
        let messages = Self.decode([
            .client(
                "POST /a?b HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 3\r\n\r\nabc"),
            .server(
                "HTTP/1.1 201 Made\r\nContent-Type: application/json; charset=utf-8\r\n"
                    + "Content-Length: 7\r\n\r\n{\"a\":1}"),
        ])
        #expect(
            messages.map(\.fields) == [
                [
                    "http": ["request": ["method": "POST", "uri": "/a?b", "version": "HTTP/1.1"]],
                    "headers": ["host": "h", "x-a": "1, 2", "content-length": "3"], "length": 3,
                    "text": "abc",
                ],
                [
                    "http": [
                        "response": ["code": 201, "phrase": "Made", "version": "HTTP/1.1"],
                        "response_for": ["method": "POST", "uri": "/a?b"],
                    ],
                    "headers": [
                        "content-type": "application/json; charset=utf-8", "content-length": "7",
                    ], "length": 7, "json": ["a": 1],
                ],
            ])
    }

    @Test("Pipelined requests are paired with responses in order, and a 1xx response answers none")
    func pairing() {
        let messages = Self.decode([
            .client(
                "GET /a HTTP/1.1\r\nHost: h\r\n\r\nHEAD /b HTTP/1.1\r\nHost: h\r\n\r\n"
                    + "PUT /c HTTP/1.1\r\nHost: h\r\n\r\n"),
            .server(
                Self.ok + "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"
                    + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
            .client(Self.get), .server("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
        ])
        let responses = messages.filter { $0.side == .second }
        #expect(
            Self.values(responses, "http.response_for.uri") == ["/a", "/b", "/c", "/c", "/a"])
        #expect(Self.values(responses, "length") == [2, 0, 0, 0, 0])
        #expect(!messages.contains { $0.name == "http.malformed" })
    }

    @Test("A response of 1xx is not final, except the change of protocol")
    func interim() {
        func isInterim(_ status: Int) -> Bool {
            HTTP.Message(
                .head(HTTPHead(.response(status: status, reason: ""), fields: [])), bytes: []
            )
            .isInterim
        }
        #expect(
            [100, 101, 102, 103, 199, 200, 404].map(isInterim) == [
                true, false, true, true, true, false, false,
            ])
        #expect(!HTTP.Message(.data, bytes: []).isInterim)
    }

    @Test(
        "Bytes that are not a message become a malformed one, and the next message is found",
        arguments: [
            "GET /a HTTP/1.1\r\nHost h\r\n\r\n",
            "GET /a HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "GET /a HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n",
            "GET /a HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
            "GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            "hello\r\n", "\u{16}\u{3}\u{1}",
        ])
    func malformed(_ text: String) {
        let messages = Self.decode([.client(text), .client(Self.get)])
        #expect(messages.last?.fields["http"]?["request"]?["uri"] == "/a", "\(messages)")
        #expect(messages.first?.name == "http.malformed" || text.contains("ab"), "\(messages)")
        #expect(messages.contains { $0.name == "http.malformed" })
        #expect(messages.map(\.range.count).reduce(0, +) == (text + Self.get).utf8.count)
    }

    @Test("Syntax that a sender must not use is a violation, and the message is still read")
    func violations() {
        func violation(_ text: String) -> String? {
            var decoder = HTTP.ConnectionDecoder(of: DissectionStack([]))
            var messages: [StreamMessage] = []
            decoder.consume(text.utf8.span.bytes, from: .first, at: 0, into: &messages)
            #expect(messages.count == 1, "\(messages)")
            return messages.first?.content.violation
        }
        #expect(violation(Self.get) == nil)
        let expected = [
            "GET / HTTP/1.1\r\n\r\n": "a request without Host (RFC 9112 3.2)",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n":
                "a request with 2 Host fields (RFC 9112 3.2)",
            "GET / HTTP/1.1\nHost: a\n\n": "a line ends without CR (RFC 9112 2.2)",
            "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n":
                "a field continues in the next line (RFC 9112 5.2)",
            "GET / HTTP/1.1\r\nHost : a\r\nHost: a\r\n\r\n":
                "\"Host \" is not a field name (RFC 9112 5.1)",
            "\r\n\(Self.get)": "an empty line before the message (RFC 9112 2.2)",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0\r\n\r\n": "Content-Length with Transfer-Encoding (RFC 9112 6.2)",
            "HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n":
                "204 with Content-Length (RFC 9110 8.6)",
            "GET / HTTP/1.1\r\nHost: a\r\nX: a\rY: b\r\n\r\n": "a CR without LF (RFC 9112 2.2)",
            "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n":
                "the control character 0x0 (RFC 9110 5.5)",
            "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7F}\r\n\r\n":
                "the control character 0x7f (RFC 9110 5.5)",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n":
                "Transfer-Encoding in HTTP/1.0 (RFC 9112 6.1)",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\n\r\n":
                "a line ends without CR (RFC 9112 7.1)",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: \u{1}\r\n\r\n":
                "the control character 0x1 (RFC 9110 5.5)",
            "HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n":
                "several values of Content-Length (RFC 9110 8.6)",
            "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n":
                "401 without WWW-Authenticate (RFC 9110 15.5.2)",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\n\r\n":
                "upgrade is not an option of Connection (RFC 9110 7.8)",
            "GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n":
                "a target that is not a URI reference (RFC 9112 3.2)",
            "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n":
                "no space after the status code (RFC 9112 4)",
        ]
        for (text, words) in expected { #expect(violation(text) == words, "\(text)") }
    }

    @Test("A Content-Length has any number of digits, and a wrong one is found at its field")
    func digits() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
        let zeros = String(repeating: "0", count: 40)
        let messages = Self.decode([.client(head + zeros + "5\r\n\r\nhello")])
        #expect(messages.map(\.name) == ["http.request"])
        #expect(Self.values(messages, "length") == [5])
        let endless = Self.decode(
            [.client(head + "9" + zeros + "\r\n\r\nhello" + Self.get)], ends: nil)
        #expect(endless.isEmpty)
        let wrong = Self.decode([.client(head + "5x\r\n\r\n")])
        let error = wrong.first?.fields["error"]?.stringValue ?? ""
        #expect(error.contains("http.content_length at byte 26"), "\(error)")
    }

    @Test("What one message of a connection forbids another one to do is a violation")
    func acrossMessages() {
        var decoder = HTTP.ConnectionDecoder(of: DissectionStack([]))
        var messages: [StreamMessage] = []
        func consume(_ text: String, _ side: ConnectionSide) {
            decoder.consume(text.utf8.span.bytes, from: side, at: 0, into: &messages)
        }
        consume("GET / HTTP/1.0\r\n\r\n", .first)
        consume("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .second)
        consume("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", .first)
        consume(Self.get, .first)
        #expect(
            messages.map(\.content.violation) == [
                nil, "Transfer-Encoding to a client of HTTP/1.0 (RFC 9112 6.1)", nil,
                "a request after Connection: close (RFC 9112 9.6)",
            ])
    }

    @Test(
        "A gap in a body loses that message only; another loses the pairing until the next request")
    func gaps() {
        let body = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let inBody = Self.decode([
            .client(Self.get + Self.get), .server(body + "ab"), .lostServer(5),
            .server("cd" + Self.ok),
        ])
        #expect(inBody.map(\.name) == ["http.request", "http.request", "http.response"])
        #expect(Self.values(inBody, "http.response_for.uri").last == "/a")
        let between = Self.decode([
            .client(Self.get), .lostServer(50), .server("st of it\r\n" + Self.ok),
            .client(Self.get), .server(Self.ok),
        ])
        #expect(
            Self.values(between.filter { $0.side == .second }, "http.response_for.uri")
                == [nil, "/a"])
        #expect(!between.contains { $0.name == "http.malformed" })
    }

    @Test("On a connection that is HTTP the method of a request is any token")
    func methods() {
        let long = String(repeating: "M", count: 40)
        let methods = ["GET", "BASELINE2", "m-search", "!#$%&'*+-.^_`|~", long, "_A"]
        for size in [16, .max] {
            let messages = Self.decode(
                methods.map { .client("\($0) /a HTTP/1.1\r\nHost: h\r\n\r\n") }, size: size)
            #expect(Self.values(messages, "http.request.method") == methods.map(Value.string))
            #expect(messages.allSatisfy { $0.violation == nil })
        }
        let rest = Self.decode([.client(Self.get), .client("body")], ends: nil)
        #expect(rest.map(\.name) == ["http.request", "http.malformed"])
        let wrong = Self.decode([.client("G(T /a HTTP/1.1\r\nHost: h\r\n\r\n"), .client(Self.get)])
        #expect(wrong.map(\.name) == ["http.malformed", "http.request"])
    }
}
