import BuiltInProtocols
import TestSupport
import Testing
import Wire

@testable import SDL

@Suite("Fields of headers of fixed layout")
struct FieldBitsTests {
    @Test("A number that is placed is read back, and no bit outside the field changes")
    func placing() {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<2_000 {
            let first = Int.random(in: 0..<64, using: &generator)
            let bits = FieldBits(
                64 + first, Int.random(in: 1...min(32, 64 - first), using: &generator))
            let number = UInt64.random(in: 0...UInt64(bits.range.upperBound), using: &generator)
            let others = UInt64.random(in: .min ... .max, using: &generator) & ~bits.placed(.max)
            #expect(bits.number(in: others | bits.placed(number)) == number)
            #expect(others & bits.placed(number) == 0)
            #expect(bits.placed(number | 1 << 40) == bits.placed(number))
        }
    }

    @Test("A number that a test writes into a field is the one that its reader returns")
    func writing() {
        var generator = SeededGenerator(seed: 18)
        let fields = SDL.description.frameFields
        for _ in 0..<500 {
            let field = fields[Int.random(in: fields.indices, using: &generator)]
            var frame = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let number = Int64.random(in: field.range, using: &generator)
            let before = frame
            #expect(field.write(number, into: &frame))
            let start = field.bits.first / 64 * 8
            let word = (frame + [0, 0, 0, 0])[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
            #expect(field.bits.number(in: word) == number)
            for byte in 0..<12 where !field.bits.bytes.contains(byte) {
                #expect(frame[byte] == before[byte])
            }
        }
        var short: [UInt8] = [0x50, 0x07]
        #expect(!FrameField("sdl.data_size", FieldBits(32, 32)).write(1, into: &short))
        #expect(!FrameField("sdl.version", FieldBits(0, 4)).write(16, into: &short))
    }

    @Test("The fields of SDL's headers are adjacent, and their bits match the bytes")
    func layout() {
        for (fields, size) in [
            (Set(SDL.HeaderField.allCases.map(\.bits)), SDL.Header.longSize),
            (Set(SDL.RPCField.allCases.map(\.bits)), SDL.RPC.headerSize),
        ] {
            let inOrder = fields.sorted { $0.first < $1.first }
            var end = 0
            for bits in inOrder {
                #expect(bits.first == end)
                end += bits.count
            }
            #expect(end == size * 8)
        }
        let header = SDL.Header(
            version: 5, isEncrypted: true, frameType: .consecutive, serviceType: 0x0F,
            frameInfo: 0x81,
            sessionID: 0x42, dataSize: 0x0102_0304, messageID: 0x0506_0708)
        #expect(header.bytes == [0x5B, 0x0F, 0x81, 0x42, 1, 2, 3, 4, 5, 6, 7, 8])
    }
}
