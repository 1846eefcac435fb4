import TestSupport
import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: encoded messages are decoded again")
struct SDLRoundTripTests {
    /// A stream of arbitrary messages and the expected result of decoding it.
    private struct Stream {
        var bytes: [UInt8] = []
        var contents: [String] = []

        init(version: UInt8, seed: UInt64, count: Int = 12) {
            var generator = MessageGenerator(seed: seed)
            let payload = [1, 7, 40, 1488].randomElement(using: &generator.random)
            var encoder = SDL.Encoder(version: version, sessionID: 3, maximumPayload: payload)
            for _ in 0..<count {
                switch Int.random(in: 0..<4, using: &generator.random) {
                case 0:
                    let (frame, parameters) = generator.control(version: version)
                    bytes += encoder.encode(frame, service: .rpc, parameters: parameters)
                    contents.append("\(SDL.Message.Content.control(frame, parameters: parameters))")
                case 1:
                    let data = generator.random.bytes(
                        Int.random(in: 1...90, using: &generator.random))
                    bytes += encoder.encode(payload: data, service: .video)
                    contents.append("\(SDL.Message.Content.data(.video, data))")
                default:
                    let rpc = generator.rpc(version: version)
                    bytes += encoder.encode(rpc)
                    contents.append("\(SDL.Message.Content.rpc(rpc))")
                }
            }
        }
    }

    private func contents(_ messages: [StreamMessage]) -> [String] {
        messages.compactMap { ($0.content as? SDL.Message).map { "\($0.content)" } }
    }

    @Test(
        "Arbitrary messages of every version are decoded whole, byte by byte and at random cuts",
        arguments: 1...5 as ClosedRange<UInt8>)
    func roundTrip(version: UInt8) {
        var random = SeededGenerator(seed: UInt64(version))
        for seed in 0..<6 as Range<UInt64> {
            let stream = Stream(version: version, seed: seed << 8 | UInt64(version))
            let whole = Wire.decode(stream.bytes)
            #expect(contents(whole) == stream.contents, "seed \(seed)")
            let single = Wire.decode(stream.bytes, cuts: Array(1..<stream.bytes.count))
            #expect(Wire.summary(single) == Wire.summary(whole), "seed \(seed)")
            let cuts = (0..<9).map { _ in Int.random(in: 0...stream.bytes.count, using: &random) }
            let pieces = Wire.decode(stream.bytes, cuts: cuts.sorted())
            #expect(Wire.summary(pieces) == Wire.summary(whole), "seed \(seed), cuts \(cuts)")
        }
    }

    @Test("Each byte of a stream belongs to exactly one message")
    func coverage() {
        let stream = Stream(version: 5, seed: 99, count: 30)
        var covered = [Int](repeating: 0, count: stream.bytes.count)
        for range in Wire.decode(stream.bytes).flatMap(\.ranges) {
            for index in range { covered[Int(index)] += 1 }
        }
        #expect(covered.allSatisfy { $0 == 1 })
    }

    @Test("The numbers of more than 255 consecutive frames wrap to 1, and the last is 0")
    func sequenceWrap() throws {
        var encoder = SDL.Encoder(version: 5, sessionID: 1, maximumPayload: 10)
        let bulk = (0..<6000).map { UInt8(truncatingIfNeeded: $0) }
        let rpc = try #require(
            SDL.RPC(.request, "PutFile", correlationID: 1, parameters: ["a": 1], bulk: bulk))
        let bytes = encoder.encode(rpc)
        let numbers = Wire.frames(bytes).dropFirst().map { $0[2] }
        #expect(numbers.count > 2 * 255)
        #expect(Array(numbers[253...257]) == [254, 255, 1, 2, 3])
        #expect(numbers.last == 0 && numbers.dropLast().allSatisfy { $0 != 0 })
        let message = try #require(Wire.messages(bytes).first)
        guard case .rpc(let decoded) = message.content else {
            Issue.record("\(message.content)")
            return
        }
        #expect(decoded == rpc)
        #expect(message.frameCount == numbers.count + 1)
        #expect(!message.anomalies.contains { $0.specification.contains("3.3") })
    }

    @Test("Frames of messages that differ in session, service or message id may interleave")
    func interleaving() {
        var generator = MessageGenerator(seed: 5)
        var queues: [[[UInt8]]] = []
        var expected: Set<String> = []
        for index in 0..<12 {
            var encoder = SDL.Encoder(
                version: 4, sessionID: UInt8(1 + index % 3), maximumPayload: 9)
            encoder.nextMessageID = UInt32(1 + index)
            let rpc = generator.rpc(version: 4)
            expected.insert("\(SDL.Message.Content.rpc(rpc))")
            queues.append(Wire.frames(encoder.encode(rpc)))
        }
        var bytes: [UInt8] = []
        while let index = queues.indices.filter({ !queues[$0].isEmpty })
            .randomElement(using: &generator.random)
        {
            bytes += queues[index].removeFirst()
        }
        let messages = Wire.decode(bytes)
        #expect(Set(contents(messages)) == expected)
        #expect(messages.contains { $0.ranges.count > 1 })
    }

    @Test("A security query and encrypted payload keep their bytes")
    func otherPayloads() throws {
        var encoder = SDL.Encoder(version: 5, sessionID: 1, maximumPayload: 20)
        let query: [UInt8] = [0x10, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 1, 2, 3]
        let secret = [UInt8](repeating: 9, count: 50)
        let bytes =
            encoder.encode(payload: query, service: .control)
            + encoder.encode(payload: secret, service: .rpc, isEncrypted: true)
        let messages = Wire.messages(bytes)
        #expect(messages.map(\.name) == ["sdl.SecurityQuery", "sdl.EncryptedData"])
        #expect(messages[0].fields["security"]?["sequence"] == 7)
        #expect(messages[0].fields["payload"]?["data"] == .bytes([1, 2, 3]))
        #expect(messages[1].fields["payload"]?["data"] == .bytes(secret))
        #expect(messages[1].fields["sdl"]?["encrypted"] == true)
    }

    @Test("The bytes of a single-frame message are those of its frame")
    func bytes() {
        let stream = Stream(version: 5, seed: 4)
        for frame in Wire.frames(stream.bytes) where frame[0] & 7 < 2 {
            #expect(Wire.messages(frame).first?.bytes == frame)
        }
    }
}
