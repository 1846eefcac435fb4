import Capture
import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("Fragments of IP packets")
struct IPReassemblyTests {
    /// Returns a segment of the letters' client in fragments of `size` bytes.
    private func fragments(_ segment: TestSegment, of size: Int) -> [[UInt8]] {
        let bytes = segment.tcp
        return stride(from: 0, to: bytes.count, by: size).map { offset in
            let end = min(offset + size, bytes.count)
            let more: UInt16 = end < bytes.count ? 0x2000 : 0
            return ethernet(
                0x0800,
                ipv4(
                    Array(bytes[offset..<end]), protocolNumber: 6,
                    fragment: more | UInt16(offset / 8)))
        }
    }

    private static let text = String(repeating: "abcdefgh", count: 12)
    private let segment = TestSegment.data(LetterProtocol.bytes(text), at: 1_000)

    @Test("Fragments in any order give their packet, and none is counted as lost")
    func anyOrder() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            var bench = TestBench()
            bench.consume(TestSegment.handshake())
            for frame in fragments(segment, of: 16).shuffled(using: &generator) {
                bench.consume(frame: frame)
            }
            bench.finish()
            #expect(bench.letters == [Self.text])
            #expect(bench.engine.statistics.ignored.isEmpty)
        }
    }

    @Test("Of repeated bytes the first ones are kept")
    func overlaps() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        var frames = fragments(segment, of: 24)
        let repeated = frames[1].dropLast() + [0x21]
        frames.insert(Array(repeated), at: 2)
        frames.insert(frames[0], at: 1)
        for frame in frames { bench.consume(frame: frame) }
        #expect(bench.letters == [Self.text])
    }

    @Test("Incomplete packets are counted at the end, and after half a minute")
    func incompleteIsCounted() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        let frames = fragments(segment, of: 16)
        for frame in frames.dropLast(2) { bench.consume(frame: frame) }
        #expect(bench.engine.statistics.ignored.isEmpty)
        bench.frame += 31_000
        bench.consume(frame: frames[frames.count - 1])
        #expect(bench.engine.statistics.ignored == ["ip fragment": frames.count - 2])
        bench.finish()
        #expect(bench.engine.statistics.ignored == ["ip fragment": frames.count - 1])
        #expect(bench.letters == [])
    }

    @Test("Any number of incomplete packets needs bounded memory")
    func floodIsBounded() {
        var bench = TestBench()
        for number in 0..<2_000 {
            let packet = ipv4(
                [UInt8](repeating: 1, count: 64), protocolNumber: UInt8(number % 250 + 1),
                from: UInt8(number / 250), fragment: 0x2000 | 1_000)
            bench.consume(frame: ethernet(0x0800, packet))
        }
        #expect(bench.engine.statistics.ignored["ip fragment"] == 2_000 - 256)
    }

    @Test("Random fragments never crash, and each of them is part of a packet or is counted")
    func randomFragments() {
        var generator = SeededGenerator(seed: 6)
        var bench = TestBench()
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let field = UInt16.random(in: 0...0x3FFF, using: &generator)
            let packet = ipv4(
                [UInt8](repeating: 7, count: count), protocolNumber: 17,
                from: UInt8.random(in: 1...3, using: &generator),
                fragment: field & (Bool.random(using: &generator) ? 0x2007 : 0x3FFF))
            bench.consume(frame: ethernet(0x0800, packet))
        }
        bench.finish()
        #expect(bench.engine.statistics.packets == 3_000)
        #expect(bench.messages.isEmpty)
    }
}
