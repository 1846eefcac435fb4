import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("Stream reassembly")
struct ReassemblyTests {
    private func bench(_ segments: [TestSegment]) -> TestBench {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume(segments)
        bench.finish()
        return bench
    }

    @Test("Messages in one segment are reported one by one with its frame")
    func coalescedMessages() {
        let bytes = ["a", "bc", ""].flatMap(LetterProtocol.bytes)
        let bench = bench([.data(bytes, at: 1_000)])
        #expect(bench.letters == ["a", "bc", ""])
        #expect(bench.messages.suffix(3).map(\.frames) == [[4], [4], [4]])
    }

    @Test("A message in several segments has all their frames and the last one's time")
    func splitMessage() {
        let bytes = LetterProtocol.bytes("abcdef")
        let bench = bench([
            .data(Array(bytes[..<1]), at: 1_000), .data(Array(bytes[1..<5]), at: 1_001),
            .data(Array(bytes[5...]), at: 1_005),
        ])
        #expect(bench.letters == ["abcdef"])
        #expect(bench.messages.last?.frames == [4, 5, 6])
        #expect(bench.messages.last?.time == TestBench.time(6))
    }

    @Test("Messages that waited for a hole have the time of the frame that filled it")
    func lateSegmentSetsTheTime() {
        let (one, two) = (LetterProtocol.bytes("one"), LetterProtocol.bytes("two"))
        let bench = bench([.data(two, at: 1_005), .data(one, at: 1_000)])
        #expect(bench.letters == ["one", "two"])
        #expect(bench.messages.suffix(2).map(\.frames) == [[5], [4]])
        #expect(bench.messages.suffix(2).map(\.time) == [TestBench.time(5), TestBench.time(5)])
        #expect(bench.engine.statistics.outOfOrder == 1)
        #expect(bench.engine.statistics.gaps == 0)
    }

    @Test("A repeated segment gives nothing new")
    func retransmissionIsCounted() {
        let segment = TestSegment.data(LetterProtocol.bytes("once"), at: 1_000)
        let bench = bench([segment, segment])
        #expect(bench.letters == ["once"])
        #expect(bench.engine.statistics.retransmissions == 1)
        #expect(bench.engine.statistics.overlaps == 0)
    }

    @Test("Of repeated bytes the first ones are kept, and a difference is counted")
    func firstBytesWin() {
        let bytes = LetterProtocol.bytes("abcdef")
        let bench = bench([
            .data(Array(bytes[4...]), at: 1_004),
            .data(Array(bytes[..<2]) + Array("abXYef".utf8), at: 1_000),
        ])
        #expect(bench.letters == ["abcdef"])
        #expect(bench.engine.statistics.overlaps == 1)
        #expect(bench.engine.statistics.conflicts == 1)
    }

    @Test("A segment that overlaps earlier bytes is trimmed")
    func overlapIsCut() {
        let bytes = LetterProtocol.bytes("abcdef")
        let bench = bench([
            .data(Array(bytes[..<5]), at: 1_000), .data(Array(bytes[3...]), at: 1_003),
        ])
        #expect(bench.letters == ["abcdef"])
        #expect(bench.engine.statistics.overlaps == 1)
        #expect(bench.messages.last?.frames == [4, 5])
    }

    @Test("Sequence numbers wrap around", arguments: [0, 1, 3, 5, 8] as [UInt32])
    func sequenceWraps(bytesBefore: UInt32) {
        var bench = TestBench()
        let start = 0 &- bytesBefore
        bench.consume(TestSegment.handshake(client: start &- 1))
        let bytes = LetterProtocol.bytes("around")
        bench.consume([
            .data(Array(bytes[3...]), at: start &+ 3), .data(Array(bytes[..<3]), at: start),
            .data(LetterProtocol.bytes("on"), at: start &+ 8),
        ])
        #expect(bench.letters == ["around", "on"])
    }

    @Test("A stream with random cuts, order, repetitions and overlaps gives the same messages")
    func anyOrderGivesTheSame() {
        var generator = SeededGenerator(seed: 30)
        for round in 0..<60 {
            let texts = (0..<Int.random(in: 1...30, using: &generator)).map { number in
                String(repeating: "x\(number)", count: Int.random(in: 0...20, using: &generator))
            }
            let stream = texts.flatMap(LetterProtocol.bytes)
            let start = UInt32.random(in: 0...UInt32.max, using: &generator)
            let segments = cut(stream, from: start, &generator)
            var bench = TestBench()
            bench.consume(TestSegment.handshake(client: start &- 1))
            bench.consume(segments)
            #expect(bench.letters == texts, "round \(round)")
            let statistics = bench.engine.statistics
            #expect(statistics.streamBytes == stream.count)
            #expect(statistics.gaps == 0 && statistics.conflicts == 0)
            bench.finish()
            #expect(bench.letters == texts, "round \(round)")
        }
    }

    /// Returns segments that cover a stream, out of order, some repeated, some overlapping.
    private func cut(
        _ stream: [UInt8], from start: UInt32, _ generator: inout SeededGenerator
    ) -> [TestSegment] {
        var segments: [TestSegment] = []
        var place = 0
        while place < stream.count {
            let end = min(stream.count, place + Int.random(in: 1...40, using: &generator))
            let from = max(0, place - Int.random(in: -20...10, using: &generator).clamped)
            let segment = TestSegment.data(
                Array(stream[from..<end]), at: start &+ UInt32(from))
            segments.append(segment)
            if Int.random(in: 0..<5, using: &generator) == 0 { segments.append(segment) }
            place = end
        }
        for index in segments.indices {
            let other = Int.random(
                in: max(0, index - 6)...min(segments.count - 1, index + 6), using: &generator)
            segments.swapAt(index, other)
        }
        return segments
    }
}

extension Int {
    /// This number, or 0 if it is negative.
    fileprivate var clamped: Int { Swift.max(0, self) }
}
