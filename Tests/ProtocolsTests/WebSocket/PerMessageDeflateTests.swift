import CZlib
import TestSupport
import Testing

@testable import BuiltInProtocols
@testable import Diffusion
@testable import HTTP
@testable import Wire

/// Messages compressed by DEFLATE (RFC 7692).
@Suite("permessage-deflate")
struct PerMessageDeflateTests {
    /// Decodes what both sides send on a connection whose server has agreed to the given extension.
    private func decode(
        agreed: String?, server: [[UInt8]] = [], client: [[UInt8]] = [],
        by known: StreamProtocol = WebSocket.streamProtocol
    ) -> [WebSocket.Message] {
        let stack = DissectionStack(ProtocolRegistry.builtIn.streamProtocols)
        var decoder = known.makeDecoder(stack)
        var messages: [StreamMessage] = []
        var offsets: [ConnectionSide: UInt64] = [:]
        func give(_ bytes: [UInt8], _ side: ConnectionSide) {
            decoder.consume(
                bytes.span.bytes, from: side, at: offsets[side, default: 0], into: &messages)
            offsets[side, default: 0] += UInt64(bytes.count)
        }
        var response = WebSocketTests.response
        if let agreed {
            response.fields.append(HTTPHead.Field("Sec-WebSocket-Extensions", agreed))
        }
        give(WebSocketTests.request.bytes, .first)
        give(response.bytes, .second)
        server.forEach { give($0, .second) }
        client.forEach { give($0, .first) }
        for side in ConnectionSide.allCases { decoder.finish(side, .closed, into: &messages) }
        return messages.compactMap { $0.content as? WebSocket.Message }.filter {
            if case .handshake = $0.content { false } else { true }
        }
    }

    private func frame(
        _ payload: [UInt8], _ opcode: WebSocket.Opcode = .text, isFinal: Bool = true,
        isPacked: Bool = true, masked: Bool = false
    ) -> [UInt8] {
        WebSocket.Frame(
            opcode, payload, isFinal: isFinal, reserved: isPacked ? 4 : 0,
            maskingKey: masked ? [1, 2, 3, 4] : nil
        ).bytes
    }

    private func texts(_ messages: [WebSocket.Message]) -> [String?] {
        messages.map { $0.fields["text"]?.stringValue }
    }

    private func error(_ message: WebSocket.Message?) -> String {
        message?.fields["error"]?.stringValue ?? ""
    }

    // MARK: - RFC 7692 7.2.3

    private static let hello: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]

    @Test(
        "the examples of the specification decode to Hello",
        arguments: [
            [0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
            [0x41, 0x03, 0xf2, 0x48, 0xcd, 0x80, 0x04, 0xc9, 0xc9, 0x07, 0x00],
            [0xc1, 0x0b, 0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00],
            [0xc1, 0x08, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
            [
                0xc1, 0x0d, 0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07,
                0x00,
            ],
        ] as [[UInt8]])
    func examples(bytes: [UInt8]) {
        let messages = decode(agreed: "permessage-deflate", server: [bytes])
        #expect(texts(messages) == ["Hello"])
        #expect(messages.first?.anomalies.isEmpty == true)
    }

    @Test("the example of a shared window needs the message before it")
    func sharedWindow() {
        let again: [UInt8] = [0xf2, 0x00, 0x11, 0x00, 0x00]
        let shared = decode(
            agreed: "permessage-deflate", server: [frame(Self.hello), frame(again)])
        #expect(texts(shared) == ["Hello", "Hello"])
        let apart = decode(
            agreed: "permessage-deflate; server_no_context_takeover",
            server: [frame(Self.hello), frame(again), frame(Self.hello)])
        #expect(texts(apart) == ["Hello", nil, "Hello"])
        #expect(error(apart[1]).contains("too far back"), "\(error(apart[1]))")
    }

    @Test("an empty message is one empty block")
    func empty() {
        #expect(texts(decode(agreed: "permessage-deflate", server: [frame([0])])) == [""])
    }

    // MARK: - Sides

    @Test("each side has a window of its own, and the client's frames are decompressed too")
    func sides() {
        let text = "the quick brown fox jumps over the lazy dog, and over the lazy dog again"
        var (fromServer, fromClient) = (Deflater(), Deflater())
        let server = (0..<3).map { frame(fromServer.pack("\($0) \(text)")) }
        let client = (0..<3).map { frame(fromClient.pack("\(text) \($0)"), masked: true) }
        let messages = decode(agreed: "permessage-deflate", server: server, client: client)
        #expect(
            texts(messages)
                == (0..<3).map { "\($0) \(text)" } + (0..<3).map { "\(text) \($0)" })
    }

    @Test("an agreement for one side does not apply to the other")
    func takeoverOfOneSide() {
        var (fromServer, fromClient) = (Deflater(), Deflater())
        let words = ["over and over and over again", "over and over and over again"]
        let server = words.map { frame(fromServer.pack($0)) }
        let client = words.map { frame(fromClient.pack($0), masked: true) }
        let messages = decode(
            agreed: "permessage-deflate; client_no_context_takeover", server: server,
            client: client)
        #expect(texts(messages) == [words[0], words[1], words[0], nil])
    }

    @Test("Diffusion's messages are decompressed before they are read")
    func diffusion() {
        var head = WebSocketTests.response
        head.fields.append(HTTPHead.Field("Sec-WebSocket-Extensions", "permessage-deflate"))
        var packer = Deflater()
        let ping = frame(packer.pack([0, 55, 9]), .binary)
        let messages = StreamPieces.decode(
            [head.bytes + ping], by: Diffusion.streamProtocol)
        #expect(messages.last?.content.name == "diffusion.systemPing")
    }

    // MARK: - Windows

    @Test(
        "a message may refer back as far as the agreed window, and no further",
        arguments: [9, 10, 12, 15])
    func window(bits: Int) {
        let parameter = bits == 15 ? "" : "; server_max_window_bits=\(bits)"
        var random = SeededGenerator(seed: UInt64(bits))
        // The noise repeats after exactly one window, so that each reference spans the whole
        // window.
        let noise = (0..<(1 << bits)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let payload = noise + noise
        var packer = Deflater(windowBits: bits)
        let packed = packer.pack(payload)
        let messages = decode(
            agreed: "permessage-deflate\(parameter)", server: [frame(packed, .binary)])
        #expect(messages.first?.fields["data"] == .bytes(payload))
        guard bits < 15 else { return }
        var wide = Deflater(windowBits: 15)
        let tooWide = decode(
            agreed: "permessage-deflate; server_max_window_bits=\(bits - 1)",
            server: [frame(wide.pack(payload), .binary)])
        #expect(error(tooWide.first).contains("too far back"), "\(error(tooWide.first))")
    }

    @Test("a window of eight bits is possible")
    func smallestWindow() {
        let messages = decode(
            agreed: "permessage-deflate; client_max_window_bits=8; server_max_window_bits=\"8\"",
            server: [frame(Self.hello)], client: [frame(Self.hello, masked: true)])
        #expect(texts(messages) == ["Hello", "Hello"])
    }

    // MARK: - What is wrong

    @Test(
        "an invalid answer leaves compressed messages unread, with the reason",
        arguments: [
            "server_max_window_bits=7", "server_max_window_bits=16", "server_max_window_bits=08",
            "client_max_window_bits", "server_no_context_takeover=1", "mystery",
            "server_max_window_bits=9; server_max_window_bits=9",
        ])
    func nonsense(parameters: String) {
        let messages = decode(
            agreed: "permessage-deflate; \(parameters)",
            server: [frame(Self.hello), frame(Array("plain".utf8), isPacked: false)])
        #expect(texts(messages) == [nil, "plain"])
        #expect(error(messages.first).contains("the server agreed to"))
    }

    @Test("a compressed message without an agreement is a violation")
    func notAgreed() {
        let messages = decode(agreed: nil, server: [frame(Self.hello, .binary)])
        #expect(messages.first?.anomalies.map(\.severity) == [.violation])
        let other = decode(agreed: "x-webkit-other", server: [frame(Self.hello, .binary)])
        #expect(other.first?.anomalies.map(\.severity) == [.warning])
    }

    @Test("a control frame or a further fragment that is marked as compressed is a violation")
    func marked() {
        let ping = frame([1], .ping)
        let fragments =
            frame(Array(Self.hello[..<3]), isFinal: false)
            + frame(Array(Self.hello[3...]), .continuation)
        let messages = decode(agreed: "permessage-deflate", server: [ping, fragments])
        #expect(messages.map(\.anomalies.count) == [1, 1])
        #expect(messages.allSatisfy { $0.anomalies.first?.specification == "RFC 7692 6" })
        #expect(texts(messages) == [nil, "Hello"])
    }

    @Test("a message that is not DEFLATE is malformed, and so is one that refers back to it")
    func damaged() {
        let messages = decode(
            agreed: "permessage-deflate",
            server: [frame([0xFF, 0xFF, 0xFF]), frame(Self.hello), frame([65], isPacked: false)])
        #expect(
            messages.map(\.name) == [
                "websocket.malformed", "websocket.malformed", "websocket.text",
            ])
        #expect(error(messages[1]).contains("an earlier message"))
    }

    @Test("a message that ends within a block is malformed")
    func cut() {
        let messages = decode(agreed: "permessage-deflate", server: [frame([0x00, 0x05, 0x00])])
        #expect(messages.map(\.name) == ["websocket.malformed"])
    }

    @Test("a final block at the very end is read, with a warning")
    func finalBlock() {
        let final: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        let messages = decode(agreed: "permessage-deflate", server: [frame(final)])
        #expect(texts(messages) == ["Hello"])
        #expect(messages.first?.anomalies.map(\.severity) == [.warning])
    }

    @Test("a small message that decompresses to too much is stopped at the limit")
    func bomb() {
        var packer = Deflater()
        let zeroes = [UInt8](repeating: 0, count: WebSocket.Limits.unpacked + 1)
        let packed = packer.pack(zeroes)
        #expect(packed.count < 20_000)
        let messages = decode(agreed: "permessage-deflate", server: [frame(packed, .binary)])
        #expect(error(messages.first).contains("it unpacks to more than"))
        #expect(messages.first?.unread?.fields == [])
        var other = Deflater()
        let most = other.pack(Array(zeroes.prefix(1 << 18)))
        let whole = decode(
            agreed: "permessage-deflate", server: [frame(most, .binary), frame(packed, .binary)])
        #expect(whole.map(\.name) == ["websocket.binary", "websocket.malformed"])
        #expect(whole.map { $0.unread == nil } == [true, false])
    }

    @Test("text is judged by its decompressed bytes")
    func text() {
        var packer = Deflater()
        let messages = decode(
            agreed: "permessage-deflate", server: [frame(packer.pack([0xFF, 0xFE]))])
        #expect(messages.first?.anomalies.map(\.specification) == ["RFC 6455 8.1"])
    }

    // MARK: - Random input

    @Test("messages of any size, compression and cut are decoded", arguments: 1...12)
    func roundTrips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bits = Int.random(in: 9...15, using: &random)
        let keeps = Bool.random(using: &random)
        var packer = Deflater(windowBits: bits, level: Int32.random(in: 0...9, using: &random))
        var expected: [[UInt8]] = []
        var bytes: [UInt8] = []
        for _ in 0..<8 {
            let count = Int.random(in: 0...3000, using: &random)
            let letters = UInt8.random(in: 0...255, using: &random)
            let payload = (0..<count).map { _ in UInt8.random(in: 0...letters, using: &random) }
            expected.append(payload)
            if !keeps { packer = Deflater(windowBits: bits) }
            let packed = packer.pack(payload)
            let middle = Int.random(in: 0...packed.count, using: &random)
            bytes += frame(Array(packed[..<middle]), .binary, isFinal: false)
            bytes += frame(Array(packed[middle...]), .continuation, isPacked: false)
        }
        let takeover = keeps ? "" : "; server_no_context_takeover"
        let messages = decode(
            agreed: "permessage-deflate; server_max_window_bits=\(bits)\(takeover)",
            server: StreamPieces.cut(bytes, &random))
        #expect(messages.map { $0.fields["data"] } == expected.map(Value.bytes))
    }

    @Test("each damaged message gives either a message or a malformed one", arguments: 1...12)
    func damage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var packer = Deflater()
        let count = 20
        let frames = (0..<count).map { number -> [UInt8] in
            var packed = packer.pack("message \(number) of some that are alike")
            for _ in 0..<Int.random(in: 0...3, using: &random) where !packed.isEmpty {
                let place = Int.random(in: packed.indices, using: &random)
                packed[place] = UInt8.random(in: 0...255, using: &random)
            }
            return frame(packed, .binary)
        }
        let messages = decode(agreed: "permessage-deflate", server: frames)
        #expect(messages.count == count)
        #expect(
            messages.allSatisfy { ["websocket.binary", "websocket.malformed"].contains($0.name) })
    }
}

/// Compresses messages as a sender does (RFC 7692 7.2.1), through zlib.
private struct Deflater {
    private let windowBits: Int
    private let level: Int32
    private var history: [UInt8] = []

    init(windowBits: Int = 15, level: Int32 = 6) {
        self.windowBits = windowBits
        self.level = level
    }

    mutating func pack(_ text: String) -> [UInt8] { pack(Array(text.utf8)) }

    /// Returns the message without its last four bytes, with earlier messages as the dictionary.
    mutating func pack(_ payload: [UInt8]) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            deflateEnd(stream)
            stream.deallocate()
        }
        let size = Int32(MemoryLayout<z_stream>.size)
        deflateInit2_(
            stream, level, Z_DEFLATED, Int32(-windowBits), 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size
        )
        // zlib itself refers back a little less far than the window (zlib.h, deflateInit2).
        let dictionary = Array(history.suffix((1 << windowBits) - 262))
        if !dictionary.isEmpty {
            deflateSetDictionary(stream, dictionary, UInt32(dictionary.count))
        }
        history = Array((history + payload).suffix(1 << windowBits))
        var input = payload
        var output = [UInt8](repeating: 0, count: payload.count + payload.count / 100 + 1024)
        let room = output.count
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                deflate(stream, Z_SYNC_FLUSH)
                return room - Int(stream.pointee.avail_out)
            }
        }
        return Array(output[..<(count - 4)])
    }
}
