import TestSupport
import Testing

@testable import HTTP
@testable import Wire

/// Helpers for the bytes of one direction, in the pieces in which they arrive.
enum StreamPieces {
    /// Decodes the pieces and returns the messages.
    static func decode(
        _ pieces: [[UInt8]], by known: StreamProtocol = WebSocket.streamProtocol,
        isEnded: Bool = true
    ) -> [StreamMessage] {
        var decoder = known.makeDecoder()
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for piece in pieces {
            decoder.consume(piece.span.bytes, at: offset, into: &messages)
            offset += UInt64(piece.count)
        }
        if isEnded { decoder.finish(into: &messages) }
        return messages
    }

    /// Cuts bytes at random positions.
    static func cut(
        _ bytes: [UInt8], _ random: inout SeededGenerator
    ) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, min(rest.count, 40)), using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// Returns name, ranges and fields of each message, for comparisons.
    static func summary(_ messages: [StreamMessage]) -> [String] {
        messages.map { "\($0.content.name) \($0.ranges) \($0.content.fields.jsonText())" }
    }
}

struct WebSocketTests {
    static let request = HTTPHead(
        .request(method: "GET", target: "/chat?a=1%202&b"),
        fields: [
            HTTPHead.Field("Host", "example.org"), HTTPHead.Field("Upgrade", "WebSocket"),
            HTTPHead.Field("Connection", "Upgrade"),
        ])
    static let response = HTTPHead(
        .response(status: 101, reason: "Switching Protocols"),
        fields: [HTTPHead.Field("upgrade", "websocket")])
    private static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    private func decode(_ frames: [WebSocket.Frame], from head: HTTPHead = response)
        -> [WebSocket.Message]
    {
        StreamPieces.decode([head.bytes + frames.flatMap(\.bytes)]).dropFirst()
            .compactMap { $0.content as? WebSocket.Message }
    }

    private func payloads(_ messages: [WebSocket.Message]) -> [[UInt8]] {
        messages.compactMap { message in
            if case .frames(let frame, _) = message.content { frame.payload } else { nil }
        }
    }

    @Test("the examples of the specification are decoded")
    func examples() throws {
        // RFC 6455 5.7
        let plain: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]
        let masked: [UInt8] = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
        ]
        let pieces: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]
        for (head, bytes, count) in [
            (Self.response, plain, 1), (Self.request, masked, 1), (Self.response, pieces, 2),
        ] {
            let message = try #require(StreamPieces.decode([head.bytes + bytes]).last)
            #expect(message.content.name == "websocket.text")
            #expect(message.content.fields["text"] == "Hello")
            #expect(message.content.fields["websocket"]?["frames"] == .integer(Int64(count)))
            #expect(message.content.anomalies.isEmpty)
        }
        #expect(WebSocket.Frame(.text, Array("Hello".utf8)).bytes == plain)
        #expect(
            WebSocket.Frame(.text, Array("Hello".utf8), maskingKey: Self.key).bytes == masked)
    }

    @Test(
        "lengths are written in their shortest form, and every form is read",
        arguments: [
            0, 125, 126, 127, 0xFFFF, 0x10000, 70_000,
        ])
    func lengths(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for key in [nil, Self.key] {
            let frame = WebSocket.Frame(.binary, payload, maskingKey: key)
            let extra = count < 126 ? 0 : count <= 0xFFFF ? 2 : 8
            #expect(frame.bytes.count == 2 + extra + (key?.count ?? 0) + count)
            let messages = decode([frame], from: key == nil ? Self.response : Self.request)
            #expect(payloads(messages) == [payload])
            #expect(messages.flatMap(\.anomalies).isEmpty)
        }
    }

    @Test("control frames may come between the fragments of a message")
    func interleaved() {
        let messages = decode([
            WebSocket.Frame(.binary, [1, 2], isFinal: false), WebSocket.Frame(.ping, [9]),
            WebSocket.Frame(.continuation, [3], isFinal: false), WebSocket.Frame(.pong, [9]),
            WebSocket.Frame(.continuation, [4]),
        ])
        #expect(messages.map(\.name) == ["websocket.ping", "websocket.pong", "websocket.binary"])
        #expect(payloads(messages).last == [1, 2, 3, 4])
        #expect(messages.flatMap(\.anomalies).isEmpty)
    }

    @Test("everything that the specification forbids is reported", arguments: anomalies)
    func anomaly(frames: [WebSocket.Frame], words: String) {
        let found = decode(frames).flatMap(\.anomalies)
        #expect(found.contains { $0.text.contains(words) }, "\(found)")
    }

    static let anomalies: [([WebSocket.Frame], String)] = [
        ([WebSocket.Frame(.text, [0x41], maskingKey: key)], "server is masked"),
        ([WebSocket.Frame(.text, [0xC3, 0x28])], "not UTF-8"),
        ([WebSocket.Frame(.ping, [1], isFinal: false)], "in fragments"),
        ([WebSocket.Frame(.ping, [UInt8](repeating: 1, count: 126))], "126 bytes"),
        ([WebSocket.Frame(.continuation, [1])], "continuation without a message"),
        (
            [WebSocket.Frame(.text, [0x41], isFinal: false), WebSocket.Frame(.text, [0x41])],
            "within another"
        ),
        ([WebSocket.Frame(WebSocket.Opcode(rawValue: 3), [])], "opcode 3"),
        ([WebSocket.Frame(.binary, [], reserved: 2)], "reserved bits"),
        ([WebSocket.Frame(.binary, [], reserved: 4)], "first reserved bit"),
        ([WebSocket.Frame(.close, [3])], "half a status code"),
        ([WebSocket.Frame(.close, [3, 0xED])], "status code 1005"),
        ([WebSocket.Frame(.close, [3, 0xE8, 0xFF])], "reason that is not UTF-8"),
    ]

    @Test("a client's frame without a mask and a padded length are reported")
    func unmasked() {
        let frames = decode([WebSocket.Frame(.text, [0x41])], from: Self.request)
        #expect(frames.flatMap(\.anomalies).map(\.text) == ["a frame of the client is not masked"])
        let padded = StreamPieces.decode([Self.response.bytes + [0x82, 126, 0, 1, 7]])
        #expect(padded.last?.content.anomalies.first?.text.contains("shortest") == true)
    }

    @Test("a close has its status code and reason")
    func close() throws {
        let message = try #require(
            decode([WebSocket.Frame(.close, [0x03, 0xE8] + Array("bye".utf8))]).first)
        #expect(message.fields["close"] == ["status_code": 1000, "reason": "bye"])
        #expect(message.anomalies.isEmpty)
    }

    @Test("a message whose rest does not follow is malformed, unless its sender has closed")
    func unfinished() {
        let first = WebSocket.Frame(.text, [0x41], isFinal: false)
        #expect(decode([first]).map(\.name) == ["websocket.malformed"])
        let closed = decode([first, WebSocket.Frame(.close, [0x03, 0xE8])])
        #expect(closed.map(\.name) == ["websocket.close"])
        #expect(closed.flatMap(\.anomalies).isEmpty)
    }

    @Test("the messages and their positions do not depend on how the bytes are cut")
    func cuts() {
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let isClient = Bool.random(using: &random)
            var bytes = (isClient ? Self.request : Self.response).bytes
            var isOpen = false
            for _ in 0..<12 {
                let payload = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let isFinal = Bool.random(using: &random)
                let frame = WebSocket.Frame(
                    isOpen ? .continuation : .binary, payload, isFinal: isFinal,
                    maskingKey: isClient ? Self.key : nil)
                isOpen = !isFinal
                bytes += frame.bytes
            }
            let whole = StreamPieces.summary(StreamPieces.decode([bytes]))
            let single = StreamPieces.decode(bytes.map { [$0] })
            #expect(StreamPieces.summary(single) == whole, "seed \(seed)")
            let random2 = StreamPieces.decode(StreamPieces.cut(bytes, &random))
            #expect(StreamPieces.summary(random2) == whole, "seed \(seed)")
            #expect(!whole.isEmpty)
        }
    }

    @Test("no input traps the decoder, and every byte of a stream belongs to a message")
    func anyBytes() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var bytes = Self.request.bytes + WebSocket.Frame(.text, [1, 2, 3]).bytes
            bytes += (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let messages = StreamPieces.decode(StreamPieces.cut(bytes, &random))
            let covered = messages.flatMap(\.ranges).reduce(0) { $0 + $1.count }
            #expect(covered == bytes.count, "seed \(seed): \(messages.map(\.content.name))")
        }
    }

    @Test("after a gap nothing is guessed, and the skipped bytes are reported once")
    func gap() {
        var decoder = WebSocket.streamProtocol.makeDecoder()
        var messages: [StreamMessage] = []
        let head = Self.response.bytes
        decoder.consume(head.span.bytes, at: 0, into: &messages)
        decoder.gap(upTo: UInt64(head.count + 10), into: &messages)
        let frame = WebSocket.Frame(.text, [0x41]).bytes
        for round in 0..<3 {
            decoder.consume(
                frame.span.bytes, at: UInt64(head.count + 10 + round * frame.count),
                into: &messages)
        }
        decoder.finish(into: &messages)
        #expect(messages.map(\.content.name) == ["websocket.response", "websocket.malformed"])
        #expect(messages.last?.ranges.first?.count == 9)
    }

    @Test("a frame that nobody reads on is not reported, but what was wrong before is")
    func abandoned() {
        func names(_ frames: [UInt8]) -> [String] {
            var decoder = WebSocket.streamProtocol.makeDecoder()
            var messages: [StreamMessage] = []
            let bytes = Self.response.bytes + frames
            decoder.consume(bytes.span.bytes, at: 0, into: &messages)
            decoder.finish(.abandoned, into: &messages)
            return messages.map(\.content.name)
        }
        #expect(names([0x81, 5, 0x41]) == ["websocket.response"])
        #expect(names([0x01, 1, 0x41]) == ["websocket.response"])
        #expect(
            names([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0])
                == ["websocket.response", "websocket.malformed"])
    }

    @Test("a payload beyond the limit is refused before it is buffered")
    func limit() {
        let bytes = Self.response.bytes + [0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0]
        let messages = StreamPieces.decode([bytes])
        #expect(messages.last?.content.name == "websocket.malformed")
    }

    @Test("a handshake is recognised by its complete header, not before")
    func recognition() {
        for head in [Self.request, Self.response] {
            let bytes = head.bytes
            for count in 0..<bytes.count {
                let front = Array(bytes.prefix(count))
                #expect(WebSocket.recognises(front.span.bytes) == nil)
            }
            #expect(WebSocket.recognises(bytes.span.bytes) == true)
        }
        var plain = Self.request
        plain.fields = []
        var refusal = Self.response
        refusal.start = .response(status: 404, reason: "Not Found")
        for other in [plain.bytes, refusal.bytes, [0x10, 0x07], Array("GEX".utf8)] {
            #expect(WebSocket.recognises(other.span.bytes) == false)
        }
    }

    @Test("a header gives its parts, with field names in lower case")
    func head() throws {
        let message = try #require(StreamPieces.decode([Self.request.bytes]).first?.content)
        #expect(message.name == "websocket.request")
        #expect(message.fields["http"]?["request"]?["uri"] == "/chat?a=1%202&b")
        #expect(message.fields["headers"]?["host"] == "example.org")
        #expect(Self.request.path == "/chat")
        #expect(Self.request.query == [HTTPHead.Field("a", "1 2"), HTTPHead.Field("b", "")])
        #expect(try HTTPHead(parsing: Self.request.bytes) == Self.request)
    }
}
