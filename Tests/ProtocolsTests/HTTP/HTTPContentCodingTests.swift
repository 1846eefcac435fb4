import CZlib
import TestSupport
import Testing

@testable import HTTP
@testable import Wire

/// Bodies with a `Content-Encoding` (RFC 9110 8.4).
struct HTTPContentCodingTests {
    private static let words = Array("{\"name\": \"lamp\"}".utf8)

    /// Compresses bytes with zlib's `windowBits`: 31 for gzip, 15 for zlib, -15 for raw DEFLATE.
    private static func packed(_ bytes: [UInt8], _ windowBits: Int32 = 31) -> [UInt8] {
        var stream = z_stream()
        var output = [UInt8](repeating: 0, count: min(bytes.count, 1 << 17) + 400)
        deflateInit2_(
            &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
        }
        return Array(output.prefix(Int(stream.total_out)))
    }

    private static func message(
        _ coding: String, _ body: [UInt8], status: Int = 200, _ further: [HTTPHead.Field] = []
    ) -> HTTP.Message {
        let head = HTTPHead(
            .response(status: status, reason: "OK"),
            fields: [HTTPHead.Field("Content-Encoding", coding)] + further)
        var message = HTTP.Message(.head(head), bytes: body)
        var allowance = InflationAllowance()
        message.setBody(body, of: body.count, &allowance)
        return message
    }

    private static func data(_ message: HTTP.Message) -> Value? {
        FieldPath("data").flatMap { message.field($0) }
    }

    @Test(
        "Content below more codings than are undone is not seen",
        arguments: [(4, false), (5, true)])
    func manyCodings(count: Int, isUnread: Bool) {
        let body = (0..<count).reduce(Self.words) { bytes, _ in Self.packed(bytes) }
        let codings = [String](repeating: "gzip", count: count).joined(separator: ", ")
        #expect((Self.message(codings, body).unread != nil) == isUnread)
    }

    @Test(
        "Codings are decoded, the last one first",
        arguments: [
            ("gzip", packed(words)), ("X-GZIP", packed(words)), ("deflate", packed(words, 15)),
            ("identity", words), ("deflate, gzip", packed(packed(words, 15))),
            ("gzip", packed(Array(words.prefix(5))) + packed(Array(words.dropFirst(5)))),
        ])
    func undone(_ coding: String, _ body: [UInt8]) {
        let plain = Self.message(coding, body)
        #expect(plain.fields["text"] == .string(String(decoding: Self.words, as: UTF8.self)))
        #expect(Self.data(plain) == .bytes(Self.words))
        #expect(plain.fields["length"] == .integer(Int64(body.count)))
        #expect(plain.violation == nil)
        let type = [HTTPHead.Field("Content-Type", "application/json")]
        #expect(Self.message(coding, body, type).fields["json"]?["name"] == "lamp")
    }

    @Test("A body in another coding and a partial body are left as they are")
    func left() {
        let body = Self.packed(Self.words)
        let type = [HTTPHead.Field("Content-Type", "application/json")]
        let part = Array(body.prefix(9))
        let messages = [
            (Self.message("br", body, type), body), (Self.message("gzip, br", body, type), body),
            (Self.message("gzip", part, status: 206, type), part),
            (Self.message("gzip", part, [HTTPHead.Field("Content-Range", "bytes 0-8/40")]), part),
            (Self.message("deflate", body, [HTTPHead.Field("Transfer-Encoding", "gzip")]), body),
            (Self.message("gzip, gzip, gzip, gzip, gzip", body), body),
        ]
        for (message, body) in messages {
            #expect(message.fields["data"] == .bytes(body) && message.violation == nil)
        }
        #expect(Self.message("gzip", []).violation == nil)
    }

    @Test("A body that is not valid in its coding is a violation and is left as it is")
    func damaged() {
        let body = Self.packed(Self.words)
        var wrongSum = body
        wrongSum[body.count - 8] ^= 1
        let expected = [
            ("gzip", Self.words, "the body is not gzip: incorrect header check"),
            ("gzip", Array(body.dropLast()), "the body is not gzip: it ends early"),
            ("gzip", wrongSum, "the body is not gzip: incorrect data check"),
            ("gzip", body + [0], "the body is not gzip: it ends early"),
            (
                "deflate", Self.packed(Self.words, 15) + [0],
                "the body is not deflate: 1 bytes follow its end"
            ),
        ]
        for (coding, body, words) in expected {
            let message = Self.message(coding, body)
            #expect(message.violation?.hasPrefix(words) == true, "\(message.violation ?? "none")")
            #expect(Self.data(message) == .bytes(body))
        }
        let raw = Self.message("deflate", Self.packed(Self.words, -15))
        #expect(Self.data(raw) == .bytes(Self.words))
        #expect(raw.violation == "the body is deflate without zlib (RFC 9110 8.4.1.2)")
    }

    @Test("A body that grows beyond the limit is not kept")
    func bounded() {
        let bomb = Self.packed([UInt8](repeating: 0, count: HTTP.Limits.body + 1))
        let message = Self.message("gzip", bomb)
        #expect(message.fields["data"] == nil && message.violation == nil)
        #expect(message.anomalies.count == 1)
        #expect(message.unread?.fields == ["data", "text", "json"])
        let most = Self.message("gzip", Self.packed([UInt8](repeating: 0, count: 1 << 18)))
        #expect(Self.data(most) == .bytes([UInt8](repeating: 0, count: 1 << 18)))
        #expect(most.unread == nil)
    }

    @Test("Many small bodies inflate to no more than one large one; ordinary ones are all kept")
    func allowance() {
        func kept(_ body: [UInt8]) -> Int {
            var allowance = InflationAllowance()
            var message = Self.message("gzip", [])
            return (0..<100).count { _ in
                message.setBody(body, of: body.count, &allowance)
                return message.unread == nil
            }
        }
        #expect(kept(Self.packed([UInt8](repeating: 0, count: 1 << 16))) == 4)
        var generator = SeededGenerator(seed: 7)
        let text = generator.bytes(1 << 10)
        #expect(kept(Self.packed(Array(repeatElement(text, count: 64).joined()))) == 100)
    }

    @Test("Any bytes are accepted")
    func hostile() {
        var generator = SeededGenerator(seed: 19)
        let body = Self.packed(Self.words)
        for coding in ["gzip", "deflate", "deflate, gzip"] {
            for _ in 0..<400 {
                var bytes = body
                bytes[generator.below(bytes.count)] = UInt8(generator.below(256))
                _ = Self.message(coding, bytes).fields
                _ = Self.message(coding, generator.bytes(generator.below(40))).anomalies
            }
        }
    }
}
