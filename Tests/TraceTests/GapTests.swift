import TCPIP
import Testing
import Wire

@testable import Trace

@Suite("Bytes that are missing from the capture")
struct GapTests {
    static let one = LetterProtocol.bytes("one")
    static let two = LetterProtocol.bytes("two")
    static let three = LetterProtocol.bytes("three")

    private func opened(
        _ configure: (inout TraceOptions) -> Void = { _ in }
    ) -> TestBench {
        var bench = TestBench(configure)
        bench.consume(TestSegment.handshake())
        return bench
    }

    private func gaps(_ bench: TestBench) -> [TCPEvent] {
        bench.messages.compactMap { $0.content as? TCPEvent }.filter { $0.kind == .gap }
    }

    private func acknowledgement(_ number: UInt32) -> TestSegment {
        TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: number)
    }

    @Test("A lost segment that the receiver acknowledged is a gap, and decoding continues after it")
    func acknowledgedLossIsAGap() throws {
        var bench = opened()
        bench.consume([
            .data(Self.one, at: 1_000), .data(Self.three, at: 1_010), acknowledgement(1_017),
        ])
        #expect(bench.names.last == "letter.text", "it may still arrive out of order")
        bench.consume(Array(repeating: acknowledgement(1_017), count: 20))
        #expect(bench.letters == ["one", "three"])
        let gap = try #require(gaps(bench).first)
        #expect(gap.count == 5)
        #expect(gap.gapReason == .acknowledged)
        #expect(gap.header.sequence == TCPSequence(1_005))
        #expect(gap.source.description == "10.0.0.1")
        #expect(gap.field(try #require(FieldPath("bytes"))) == 5)
        #expect(gap.field(try #require(FieldPath("reason"))) == "acknowledged")
        #expect(bench.engine.statistics.gaps == 1)
        #expect(bench.engine.statistics.gapBytes == 5)
    }

    @Test("An acknowledged hole that is filled in time is not a gap")
    func lateSegmentIsNoGap() {
        var bench = opened()
        bench.consume([
            .data(Self.one, at: 1_000), .data(Self.three, at: 1_010), acknowledgement(1_017),
            .data(Self.two, at: 1_005),
        ])
        bench.consume(Array(repeating: acknowledgement(1_017), count: 20))
        bench.finish()
        #expect(bench.letters == ["one", "two", "three"])
        #expect(gaps(bench).isEmpty)
    }

    @Test("A lost tail is recognised by the acknowledgement alone")
    func lostTailIsAGap() {
        var bench = opened()
        bench.consume([.data(Self.one, at: 1_000), acknowledgement(1_010)])
        #expect(gaps(bench).isEmpty)
        bench.finish()
        #expect(gaps(bench).map(\.count) == [5])
        #expect(gaps(bench).map(\.gapReason) == [.acknowledged])
    }

    @Test("Time alone reports an overdue hole")
    func timeReportsTheHole() {
        var bench = opened()
        bench.consume([.data(Self.three, at: 1_005), acknowledgement(1_012)])
        bench.engine.advance(to: TestBench.time(50), into: &bench.messages)
        #expect(gaps(bench).isEmpty)
        bench.engine.advance(to: TestBench.time(110), into: &bench.messages)
        #expect(gaps(bench).count == 1)
        #expect(bench.letters == ["three"])
    }

    @Test("A hole that is never acknowledged is reported at the end")
    func openHoleIsToldAtTheEnd() {
        var bench = opened()
        bench.consume([.data(Self.three, at: 1_005)])
        bench.consume(Array(repeating: acknowledgement(1_000), count: 30))
        #expect(gaps(bench).isEmpty)
        bench.finish()
        #expect(gaps(bench).map(\.gapReason) == [.end])
        #expect(bench.letters == ["three"])
    }

    @Test("The wait for a hole ends when too many bytes wait")
    func limitEndsTheWaiting() {
        var bench = opened { $0.waitingBytesMax = 20 }
        let letter = LetterProtocol.bytes("12345678")
        bench.consume([.data(letter, at: 1_100), .data(letter, at: 1_110)])
        #expect(bench.letters.isEmpty)
        bench.consume([.data(letter, at: 1_120)])
        #expect(bench.letters == ["12345678", "12345678", "12345678"])
        #expect(gaps(bench).map(\.gapReason) == [.limit])
    }

    @Test("The acknowledgement of a FIN is not a missing byte")
    func finIsNoByte() {
        var bench = opened()
        bench.consume([
            .data(Self.one, at: 1_000),
            TestSegment(sequence: 1_005, flags: [.fin, .ack]),
        ])
        bench.consume(Array(repeating: acknowledgement(1_006), count: 30))
        bench.finish()
        #expect(gaps(bench).isEmpty)
    }

    @Test("A FIN that overtakes bytes ends the stream when these have arrived")
    func finWaitsForBytes() throws {
        var bench = opened()
        bench.consume([
            TestSegment(sequence: 1_005, flags: [.fin, .ack]),
            TestSegment(sequence: 1_005, flags: [.fin, .ack]),
        ])
        bench.consume([.data(Array(Self.one.dropLast()), at: 1_000)])
        #expect(!bench.names.contains("letter.unfinished"), "the stream continues")
        #expect(!bench.names.contains("tcp.FIN"))
        bench.consume([.data([Self.one[4]], at: 1_004)])
        #expect(bench.letters == ["one"])
        #expect(bench.names.suffix(3) == ["tcp.retransmission", "letter.text", "tcp.FIN"])
        let fin = try #require(bench.messages.last)
        #expect(fin.frames == [4])
        #expect(fin.arrival?.first == TestBench.time(4))
        #expect(fin.time == TestBench.time(7))
        bench.consume([TestSegment(sequence: 1_005, flags: [.fin, .ack])])
        #expect(bench.names.last == "tcp.retransmission")
        bench.finish()
        #expect(gaps(bench).isEmpty)
    }

    @Test("Bytes before a FIN that never arrive are a gap, after which the stream ends")
    func finBehindLoss() {
        var bench = opened()
        bench.consume([
            .data(Array(Self.one.prefix(2)), at: 1_000),
            TestSegment(sequence: 1_005, flags: [.fin, .ack]),
        ])
        bench.consume(Array(repeating: acknowledgement(1_006), count: 30))
        #expect(gaps(bench).map(\.count) == [3])
        #expect(gaps(bench).map(\.gapReason) == [.acknowledged])
        let count = bench.messages.count
        bench.finish()
        #expect(bench.messages.count == count, "the stream has ended")
    }

    @Test(
        "A FIN behind bytes that never arrive is not lost",
        arguments: [[], [TestSegment(isFromClient: false, sequence: 5_000, flags: [.rst])]])
    func finBehindNothing(last: [TestSegment]) {
        var bench = opened { $0.recordsUnseen = true }
        bench.consume([
            .data(Array(Self.one.prefix(2)), at: 1_000), .data(Self.two, at: 1_005),
            TestSegment(sequence: 1_012, flags: [.fin, .ack]),
        ])
        bench.consume(last)
        bench.finish()
        #expect(bench.letters == ["", "two"])
        #expect(
            bench.names.filter { $0.hasPrefix("tcp.") && $0 != "tcp.established" }
                == ["tcp.SYN", "tcp.SYNACK", "tcp.gap", "tcp.gap", "tcp.FIN"]
                + (last.isEmpty ? [] : ["tcp.RST"]))
        #expect(gaps(bench).map(\.count) == [3, 2])
        #expect(bench.messages.first { $0.name == "tcp.FIN" }?.frames == [6])
        #expect(bench.engine.takeUnseen().map(\.cause) == [.missingBytes(3), .missingBytes(2)])
        let times = bench.messages.map(\.time)
        #expect(times == times.sorted())
    }

    @Test("A FIN after a reset waits for nothing")
    func finAfterReset() {
        var bench = opened()
        bench.consume([
            TestSegment(sequence: 1_000, acknowledgement: 5_000, flags: [.rst, .ack]),
            TestSegment(sequence: 1_010, acknowledgement: 5_000, flags: [.fin, .ack]),
        ])
        #expect(bench.names.suffix(2) == ["tcp.RST", "tcp.FIN"])
        bench.finish()
        #expect(gaps(bench).isEmpty)
    }

    @Test("A FIN behind acknowledged bytes that were not captured has its own time")
    func finBehindUncaptured() throws {
        var bench = opened()
        bench.consume([
            TestSegment(sequence: 1_005, flags: [.fin, .ack]), acknowledgement(1_006),
        ])
        bench.consume(Array(repeating: acknowledgement(1_006), count: 30))
        let fin = try #require(bench.messages.first { $0.name == "tcp.FIN" })
        #expect(fin.frames == [4])
        #expect(fin.time == TestBench.time(5))
        #expect(fin.arrival?.first == TestBench.time(4))
    }

    @Test("An urgent byte before a FIN that overtook it completes the stream")
    func finBehindUrgentByte() {
        var bench = opened()
        bench.consume([
            .data(Self.one, at: 1_000), TestSegment(sequence: 1_006, flags: [.fin, .ack]),
        ])
        var urgent = TestSegment(sequence: 1_005, flags: [.ack, .urg], payload: [7]).frame
        urgent[14 + 20 + 19] = 1
        bench.consume(frame: urgent)
        #expect(bench.names.last == "tcp.FIN")
        bench.finish()
        #expect(gaps(bench).isEmpty)
    }

    @Test("An impossible acknowledgement causes no gap")
    func absurdAcknowledgementIsIgnored() {
        var bench = opened()
        bench.consume([.data(Self.one, at: 1_000)])
        bench.consume(Array(repeating: acknowledgement(1_000_000_000), count: 30))
        bench.consume([.data(Self.two, at: 1_005)])
        #expect(bench.letters == ["one", "two"])
        #expect(bench.engine.statistics.implausibleAcknowledgements == 30)
    }

    @Test("A packet that the snapshot length truncated leaves a gap of the missing bytes")
    func cutPacketLeavesAGap() {
        var bench = opened()
        let frame = TestSegment.data(Self.one + Self.two, at: 1_000).frame
        bench.consume(frame: Array(frame.dropLast(3)), originalLength: frame.count)
        bench.consume([.data(Self.three, at: 1_010)])
        bench.finish()
        #expect(bench.letters.filter { !$0.isEmpty } == ["one", "three"])
        #expect(gaps(bench).map(\.count) == [3])
        #expect(bench.engine.statistics.truncatedPackets == 1)
    }

    @Test(
        "Any lost segment is reported with its length, and all whole messages around it are found")
    func anyLossIsTold() {
        let texts = (0..<12).map { "letter \($0)" }
        let pieces = texts.map(LetterProtocol.bytes)
        for lost in pieces.indices {
            var bench = opened()
            var sequence: UInt32 = 1_000
            for (index, piece) in pieces.enumerated() {
                if index != lost { bench.consume([.data(piece, at: sequence)]) }
                sequence += UInt32(piece.count)
                bench.consume([acknowledgement(sequence)])
            }
            bench.finish()
            var expected = texts
            expected.remove(at: lost)
            #expect(bench.letters == expected)
            #expect(gaps(bench).map(\.count) == [pieces[lost].count])
        }
    }
}
