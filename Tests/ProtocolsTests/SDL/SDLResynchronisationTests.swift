import Testing

@testable import HTTP
@testable import SDL
@testable import Wire

@Suite("SDL: garbage and gaps")
struct SDLResynchronisationTests {
    private let frame = Wire.frame(.single, Wire.rpc("{}"))
    private let start = Wire.frame(.control, info: 1, session: 0, version: 1)

    /// Decodes a stream with the bytes of `gap` missing, as in a capture.
    private func decode(_ bytes: [UInt8], without gap: Range<Int>) -> [StreamMessage] {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        let before = Array(bytes[..<gap.lowerBound])
        decoder.consume(before.span.bytes, at: 0, into: &messages)
        decoder.gap(upTo: UInt64(gap.upperBound), into: &messages)
        let after = Array(bytes[gap.upperBound...])
        decoder.consume(after.span.bytes, at: UInt64(gap.upperBound), into: &messages)
        decoder.finish(into: &messages)
        return messages
    }

    private func names(_ messages: [StreamMessage]) -> [String] { messages.map(\.content.name) }

    @Test(
        "Garbage between frames is reported and the next frame is found, however the stream is cut")
    func garbage() {
        let noise = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        let bytes = start + frame + noise + frame
        let whole = Wire.decode(bytes)
        #expect(
            names(whole) == [
                "sdl.StartService", "sdl.ListFiles.request", "sdl.malformed", "sdl.malformed",
                "sdl.ListFiles.request",
            ])
        let at = UInt64(start.count + frame.count)
        #expect(whole[2].ranges == [at..<at + 1])
        #expect(whole[3].ranges == [at + 1..<at + UInt64(noise.count)])
        let single = Wire.decode(bytes, cuts: Array(1..<bytes.count))
        #expect(Wire.summary(single) == Wire.summary(whole))
    }

    @Test("Garbage is reported before further bytes arrive")
    func prompt() {
        let messages = Wire.decode(frame + [0xFF], finish: false)
        #expect(names(messages) == ["sdl.ListFiles.request", "sdl.malformed"])
    }

    @Test("Endless garbage is reported in pieces, so that little is buffered")
    func endlessGarbage() {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        let noise = [UInt8](repeating: 0xFF, count: 50_000)
        for index in 0..<10 {
            decoder.consume(noise.span.bytes, at: UInt64(index * noise.count), into: &messages)
        }
        #expect(500_000 - decoder.oldestPendingOffset <= UInt64(SDL.Limits.controlPayload))
        decoder.finish(into: &messages)
        #expect(messages.map(\.ranges).joined().reduce(0) { $0 + $1.count } == 500_000)
    }

    @Test("A stream that ends within a frame is reported")
    func truncated() {
        let messages = Wire.decode(frame + frame.dropLast())
        #expect(names(messages) == ["sdl.ListFiles.request", "sdl.malformed"])
        #expect(messages[1].content.anomalies.contains { $0.text.contains("ends within a frame") })
    }

    @Test("A frame that nobody reads on is not reported, but what was wrong before is")
    func abandoned() {
        func names(_ bytes: [UInt8]) -> [String] {
            var decoder = SDL.StreamDecoder()
            var messages: [StreamMessage] = []
            decoder.consume(bytes.span.bytes, at: 0, into: &messages)
            decoder.abandon(into: &messages)
            return self.names(messages)
        }
        #expect(names(frame + frame.dropLast()) == ["sdl.ListFiles.request"])
        let noise = [UInt8](repeating: 0xFF, count: 20)
        #expect(names(frame + noise) == self.names(Wire.decode(frame + noise)))
        #expect(names(frame + noise).contains("sdl.malformed"))
    }

    @Test("A gap inside one frame loses only that frame")
    func gapInFrame() {
        let large = Wire.frame(
            .single, Wire.rpc("{}", bulk: [UInt8](repeating: 0x57, count: 500)), service: 15)
        let messages = decode(frame + large + frame, without: frame.count + 40..<frame.count + 300)
        #expect(
            names(messages) == [
                "sdl.ListFiles.request", "sdl.malformed", "sdl.ListFiles.request",
            ])
        let at = UInt64(frame.count)
        #expect(
            messages[1].ranges == [at..<at + 40, at + 300..<at + UInt64(large.count)])
        #expect(messages[1].content.anomalies.allSatisfy { $0.severity == .warning })
    }

    @Test("After a gap across frame borders, the next frame of a known session is found")
    func gapOverFrames() {
        let other = Wire.frame(.single, Wire.rpc("{}"), session: 9)
        let bytes = frame + frame + frame + other + frame
        let gap = frame.count + 4..<2 * frame.count + 5
        let messages = decode(bytes, without: gap)
        #expect(
            names(messages) == [
                "sdl.ListFiles.request", "sdl.malformed", "sdl.malformed", "sdl.ListFiles.request",
            ])
        #expect(messages.last?.ranges == [UInt64(bytes.count - frame.count)..<UInt64(bytes.count)])
        #expect(
            messages[1...2].flatMap(\.content.anomalies).allSatisfy { $0.severity == .warning })
    }

    @Test("A gap drops unfinished messages and their remaining frames without blaming the sender")
    func gapInMessage() {
        var encoder = SDL.Encoder(version: 5, sessionID: 1, maximumPayload: 4)
        let message = encoder.encode(payload: Wire.rpc("{}"), service: .rpc)
        let frames = Wire.frames(message)
        let lost = frames[0].count + frames[1].count
        let bytes = message + frame
        let messages = decode(bytes, without: lost + 2..<lost + frames[2].count + 3)
        #expect(names(messages).last == "sdl.ListFiles.request")
        #expect(names(messages).dropLast().allSatisfy { $0 == "sdl.malformed" })
        #expect(
            messages.flatMap(\.content.anomalies).allSatisfy { $0.severity == .warning },
            "\(messages.flatMap(\.content.anomalies))")
    }

    @Test("A gap from one frame border to another leaves the decoder synchronised")
    func gapAtBorder() {
        let messages = decode(frame + frame + frame, without: frame.count..<2 * frame.count)
        #expect(names(messages) == ["sdl.ListFiles.request", "sdl.ListFiles.request"])
    }

    @Test("A gap that ends with its frame does not affect other unfinished messages")
    func gapToFrameEnd() {
        let listFiles = Wire.rpc("{}")
        let first = Wire.frame(.first, Wire.announcement(total: 14, frames: 1), id: 8)
        let bytes = first + frame + Wire.frame(.consecutive, listFiles, id: 8)
        let end = first.count + frame.count
        let messages = decode(bytes, without: end - 5..<end)
        #expect(names(messages) == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(messages[0].ranges == [UInt64(first.count)..<UInt64(end - 5)])
    }

    @Test("Two gaps in one frame give one lost frame")
    func twoGaps() {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        let large = Wire.frame(.single, Wire.rpc("{}", bulk: [UInt8](repeating: 7, count: 90)))
        let bytes = large + frame
        for piece in [0..<30, 50..<60, 80..<bytes.count] {
            decoder.gap(upTo: UInt64(piece.lowerBound), into: &messages)
            let part = Array(bytes[piece])
            decoder.consume(part.span.bytes, at: UInt64(piece.lowerBound), into: &messages)
        }
        #expect(names(messages) == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(messages.first?.ranges == [0..<30, 50..<60, 80..<UInt64(large.count)])
    }

    @Test("A message above the buffer limit is malformed, and the buffer is free again after it")
    func bufferLimit() {
        var decoder = SDL.StreamDecoder(SDL.MessageAssembly(maximumBufferedBytes: 100))
        var encoder = SDL.Encoder(version: 5, sessionID: 1, maximumPayload: 20)
        let large = encoder.encode(payload: [UInt8](repeating: 7, count: 200), service: .video)
        let small = (0..<3).flatMap { _ in
            encoder.encode(payload: [UInt8](repeating: 7, count: 90), service: .video)
        }
        var messages: [StreamMessage] = []
        let bytes = large + small
        decoder.consume(bytes.span.bytes, at: 0, into: &messages)
        #expect(
            names(messages) == ["sdl.malformed", "sdl.VideoData", "sdl.VideoData", "sdl.VideoData"])
        #expect(messages[0].content.anomalies.map(\.text).contains { $0.contains("Limits") })
    }

    @Test("The oldest pending byte is the start of the oldest unfinished message")
    func oldestPending() {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        let first = Wire.frame(.first, Wire.announcement(total: 14, frames: 2), id: 8)
        let bytes = frame + first + frame + frame.dropLast()
        decoder.consume(bytes.span.bytes, at: 100, into: &messages)
        #expect(decoder.oldestPendingOffset == 100 + UInt64(frame.count))
        decoder.finish(into: &messages)
        #expect(decoder.oldestPendingOffset == 100 + UInt64(bytes.count))
    }

    @Test(
        "Arbitrary bytes, cuts and gaps never crash, and every byte belongs to a message",
        arguments: 0..<4 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var generator = MessageGenerator(seed: seed &+ 0xF022)
        for _ in 0..<250 {
            let version = UInt8.random(in: 1...5, using: &generator.random)
            var encoder = SDL.Encoder(version: version, sessionID: 1, maximumPayload: 30)
            var bytes = start
            for _ in 0..<3 { bytes += encoder.encode(generator.rpc(version: version)) }
            for _ in 0..<Int.random(in: 0...6, using: &generator.random) {
                let index = Int.random(in: 0..<bytes.count, using: &generator.random)
                bytes[index] = UInt8.random(in: .min ... .max, using: &generator.random)
            }
            if seed == 0 { bytes = generator.random.bytes(200) }
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator.random)
            }
            let messages = Wire.decode(bytes, cuts: cuts.sorted())
            #expect(Wire.summary(messages) == Wire.summary(Wire.decode(bytes)))
            let covered = messages.flatMap(\.ranges).reduce(0) { $0 + $1.count }
            #expect(covered == bytes.count)
            for message in messages { _ = message.content.anomalies }
            let low = Int.random(in: 0..<bytes.count, using: &generator.random)
            _ = decode(
                bytes, without: low..<Int.random(in: low...bytes.count, using: &generator.random))
        }
    }
}
