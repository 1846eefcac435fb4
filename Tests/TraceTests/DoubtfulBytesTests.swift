import TCPIP
import Testing

@testable import Trace

@Suite("Bytes of which a capture shows two contents")
struct DoubtfulBytesTests {
    private func opened() -> TestBench {
        var bench = TestBench { $0.recordsUnseen = true }
        bench.consume(TestSegment.handshake())
        return bench
    }

    private func data(_ text: String, at sequence: UInt32 = 1_000) -> TestSegment {
        .data(LetterProtocol.bytes(text), at: sequence, acknowledgement: 5_000)
    }

    private func answer(_ acknowledgement: UInt32) -> TestSegment {
        TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: acknowledgement)
    }

    private func causes(_ bench: inout TestBench) -> [UnseenSpan.Cause] {
        bench.finish()
        return bench.engine.takeUnseen().map(\.cause)
    }

    @Test("A repetition with other bytes is counted, and doubtful since the first copy")
    func conflict() throws {
        var bench = opened()
        bench.consume([data("one"), data("two"), answer(1_005)])
        let span = try #require(bench.engine.takeUnseen().first)
        #expect(span.cause == .conflictingBytes && span.isDoubtful)
        #expect(span.since < TestBench.time(4) && span.since >= TestBench.time(3))
        #expect(span.frame == 5 && span.source?.port == 40_000)
        #expect(bench.engine.statistics.conflicts == 1)
        #expect(bench.engine.statistics.firstConflict == 5)
        #expect(bench.letters == ["one"])
    }

    @Test("An acknowledgement before the repetition shows that the first copy was accepted")
    func settled() {
        var bench = opened()
        bench.consume([data("one"), answer(1_005), data("two")])
        #expect(causes(&bench).isEmpty)
        #expect(bench.engine.statistics.conflicts == 1)
    }

    @Test("Correct repetitions are silent, whatever their limits")
    func correct() {
        var bench = opened()
        let (first, second) = (LetterProtocol.bytes("one"), LetterProtocol.bytes("two"))
        bench.consume([data("one"), data("two", at: 1_005)])
        bench.consume([
            .data(first + second, at: 1_000), .data(Array((first + second)[2..<7]), at: 1_002),
            .data(Array(second[1...]) + LetterProtocol.bytes("x"), at: 1_006),
        ])
        #expect(causes(&bench).isEmpty)
        #expect(bench.engine.statistics.conflicts == 0)
        #expect(bench.letters == ["one", "two", "x"])
    }

    @Test("One different byte in a part of a repetition is enough", arguments: [0, 3, 9])
    func partly(place: Int) {
        var bench = opened()
        var both = LetterProtocol.bytes("one") + LetterProtocol.bytes("two")
        bench.consume([data("one"), data("two", at: 1_005)])
        both[place] ^= 1
        bench.consume([.data(both + [0x23], at: 1_000)])
        #expect(causes(&bench).contains(.conflictingBytes))
    }

    @Test("A keep-alive with a byte of its own concerns a byte that was accepted")
    func keepAlive() {
        var bench = opened()
        bench.consume([data("one"), answer(1_005), .data([0], at: 1_004, acknowledgement: 5_000)])
        bench.consume([answer(1_005)])
        #expect(causes(&bench).isEmpty)
    }

    @Test("Bytes that wait for others are compared too")
    func waiting() {
        var bench = opened()
        bench.consume([data("two", at: 1_005), data("six", at: 1_005), data("one")])
        #expect(causes(&bench).contains(.conflictingBytes))
        #expect(bench.letters == ["one", "two"])
    }

    @Test("Data in a SYN counts as far as it is acknowledged", arguments: [1_000, 1_005])
    func attempt(acknowledged: UInt32) {
        var bench = TestBench { $0.recordsUnseen = true }
        bench.consume([
            TestSegment(sequence: 999, flags: [.syn], payload: LetterProtocol.bytes("one")),
            TestSegment(
                isFromClient: false, sequence: 4_999, acknowledgement: acknowledged,
                flags: [.syn, .ack]),
            data("two", at: acknowledged),
        ])
        #expect(bench.letters == (acknowledged == 1_000 ? ["two"] : ["one", "two"]))
        #expect(causes(&bench).isEmpty)
    }

    @Test("The urgent byte is not in the stream")
    func urgent() {
        var bench = opened()
        var frame = TestSegment(
            sequence: 1_000, acknowledgement: 5_000, flags: [.ack, .psh, .urg],
            payload: [0x23, 3, 0x6F, 0x58, 0x6E, 0x65]
        ).frame
        frame[14 + 20 + 19] = 4
        bench.consume(frame: frame)
        bench.consume([data("two", at: 1_006)])
        #expect(bench.letters == ["one", "two"])
        #expect(bench.engine.statistics.urgentBytes == 1)
        #expect(causes(&bench).isEmpty)
    }
}
