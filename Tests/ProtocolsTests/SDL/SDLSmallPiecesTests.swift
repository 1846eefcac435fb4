import Testing

@testable import SDL
@testable import Wire

@Suite("The cost of SDL in small pieces")
struct SDLSmallPiecesTests {
    /// A StartService and answers of several sizes, one of them in two frames.
    private static let frames: [[UInt8]] = {
        var frames: [[UInt8]] = [[0x10, 7, 1, 0, 0, 0, 0, 0]]
        for size in [0, 1, 40, 3_000] {
            let json = Array(#"{"text":"\#(String(repeating: "x", count: size))"}"#.utf8)
            var payload: [UInt8] = [0x10, 0, 0, 13, 0, 0, 0, UInt8(truncatingIfNeeded: size)]
            payload.append(bigEndian: UInt32(json.count))
            payload += json
            frames.append(frame([0x51, 7, 0, 1], payload))
        }
        frames.append(frame([0x52, 7, 0, 1], [0, 0, 0, 14, 0, 0, 0, 1]))
        frames.append(
            frame([0x53, 7, 0, 1], [0x10, 0, 0, 13, 0, 0, 0, 9, 0, 0, 0, 2] + Array("{}".utf8)))
        return frames
    }()

    private static func frame(_ head: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        var bytes = head
        bytes.append(bigEndian: UInt32(payload.count))
        return bytes + [0, 0, 0, 9] + payload
    }

    private func decode(_ pieces: [[UInt8]]) -> (decoder: SDL.StreamDecoder, found: [String]) {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for piece in pieces {
            decoder.consume(piece.span.bytes, at: offset, into: &messages)
            offset += UInt64(piece.count)
        }
        decoder.finish(into: &messages)
        return (decoder, messages.map { "\($0.content.name) \($0.ranges) \($0.content.fields)" })
    }

    @Test(
        "Byte by byte, each frame is examined when its header is complete and when it is complete")
    func bytewise() {
        let stream = Self.frames.flatMap(\.self)
        let whole = decode([stream])
        let bytewise = decode(stream.map { [$0] })
        #expect(whole.found.count == 6)
        #expect(bytewise.found == whole.found)
        #expect(whole.decoder.scanCount == 1)
        #expect(bytewise.decoder.scanCount <= 3 * Self.frames.count)
    }
}
