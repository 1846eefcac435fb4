import TestSupport
import Testing

@testable import SDL
@testable import Wire

@Suite("A decoder that is restored from its state at rest behaves the same")
struct SDLRestTests {
    private func decoder(behind bytes: [UInt8]) -> SDL.StreamDecoder {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: 0, into: &messages)
        return decoder
    }

    private let call = Wire.frame(.single, Wire.rpc("{}"))

    @Test("At rest, the offset and the agreement are kept")
    func rests() throws {
        let begun = try #require(decoder(behind: call).rest)
        #expect(begun.offset == UInt64(call.count))
        #expect(begun.agreement == 0x0105)
        #expect(SDL.StreamDecoder(begun).rest?.offset == begun.offset)
        let control = try #require(decoder(behind: Wire.frame(.control, service: 0)).rest)
        #expect(control.agreement == 0)
        let unbegun = try #require(SDL.StreamDecoder().rest)
        #expect(unbegun.offset == nil)
        #expect(SDL.StreamDecoder(unbegun).start == nil)
    }

    @Test("A decoder whose state does not fit into a word is kept")
    func keeps() {
        #expect(decoder(behind: Array(call.dropLast())).rest == nil, "a frame is unfinished")
        let first = Wire.frame(.first, Wire.announcement(total: 20, frames: 2))
        #expect(decoder(behind: first).rest == nil, "a message is unfinished")
        let other = Wire.frame(.single, Wire.rpc("{}"), session: 2)
        #expect(decoder(behind: call + other).rest == nil, "there are two sessions")
        #expect(decoder(behind: call + [0xFF]).rest == nil, "the decoder searches for a frame")
        var lossy = decoder(behind: call)
        var messages: [StreamMessage] = []
        lossy.gap(upTo: UInt64(call.count) + 5, into: &messages)
        lossy.consume(call.span.bytes, at: UInt64(call.count) + 5, into: &messages)
        #expect(messages.count == 1)
        #expect(lossy.rest == nil, "bytes were missing")
        #expect(SDL.StreamDecoder.Rest(at: 1 << 48, 0) == nil, "the offset is too large")
        #expect(SDL.StreamDecoder.Rest(at: (1 << 48) - 2, 7)?.offset == (1 << 48) - 2)
    }

    @Test("The state at rest of both sides fits into the three words of an existential")
    func size() {
        #expect(MemoryLayout<SDL.Directions>.size <= 3 * MemoryLayout<UInt>.size)
    }

    /// Returns frames of one session, with occasional other data.
    private func stream(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let payload = Wire.rpc("{}", bulk: random.bytes(Int.random(in: 0...40, using: &random)))
            switch Int.random(in: 0..<12, using: &random) {
            case 0: bytes += Wire.frame(.control, service: 0)
            case 1: bytes += Wire.frame(.single, payload, session: 2)
            case 2: bytes += Wire.frame(.single, payload, version: 4)
            case 3:
                let announcement = Wire.announcement(total: payload.count, frames: 1)
                bytes += Wire.frame(.first, announcement)
                bytes += Wire.frame(.consecutive, payload)
            case 4: bytes += random.bytes(Int.random(in: 1...20, using: &random))
            default: bytes += Wire.frame(.single, payload)
            }
        }
        return bytes
    }

    private func text(_ messages: [StreamMessage]) -> [String] {
        zip(Wire.summary(messages), messages).map { "\($0) \($1.content.anomalies)" }
    }

    @Test("A decoder that is restored wherever it rests finds the same messages as one that is not")
    func anyStream() {
        var random = SeededGenerator(seed: 48)
        var restCount = 0
        for round in 0..<600 {
            var whole = SDL.StreamDecoder()
            var resting = SDL.StreamDecoder()
            var expected: [StreamMessage] = []
            var found: [StreamMessage] = []
            var offset: UInt64 = 0
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                if Int.random(in: 0..<8, using: &random) == 0 {
                    offset += UInt64.random(in: 1...30, using: &random)
                    whole.gap(upTo: offset, into: &expected)
                    resting.gap(upTo: offset, into: &found)
                }
                var piece = stream(&random)
                if Bool.random(using: &random) { piece.removeLast(min(3, piece.count - 1)) }
                whole.consume(piece.span.bytes, at: offset, into: &expected)
                resting.consume(piece.span.bytes, at: offset, into: &found)
                offset += UInt64(piece.count)
                if let rest = resting.rest {
                    restCount += 1
                    resting = SDL.StreamDecoder(rest)
                }
            }
            whole.finish(into: &expected)
            resting.finish(into: &found)
            #expect(text(found) == text(expected), "round \(round)")
        }
        #expect(restCount > 100)
    }
}
