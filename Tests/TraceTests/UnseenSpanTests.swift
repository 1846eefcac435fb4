import TCPIP
import Testing
import Wire

@testable import Trace

@Suite("Traffic that a capture does not show")
struct UnseenSpanTests {
    private typealias Cause = UnseenSpan.Cause

    private func bench() -> TestBench { TestBench { $0.recordsUnseen = true } }

    private func opened() -> TestBench {
        var bench = bench()
        bench.consume(TestSegment.handshake())
        return bench
    }

    private func causes(_ bench: inout TestBench) -> [Cause] {
        bench.engine.takeUnseen().map(\.cause)
    }

    private func answer(_ acknowledgement: UInt32) -> TestSegment {
        TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: acknowledgement)
    }

    @Test("A whole connection leaves nothing unseen, even with repetitions")
    func whole() {
        var bench = opened()
        let data = TestSegment.data(LetterProtocol.bytes("one"), at: 1_000)
        bench.consume([data, data, answer(1_005), answer(1_005)])
        bench.consume([
            TestSegment(sequence: 1_005, acknowledgement: 5_000, flags: [.fin, .ack]),
            TestSegment(
                isFromClient: false, sequence: 5_000, acknowledgement: 1_006,
                flags: [.fin, .ack]),
            TestSegment(sequence: 1_006, acknowledgement: 5_001),
        ])
        bench.finish()
        #expect(causes(&bench).isEmpty)
    }

    @Test("A connection whose first packet is not a SYN began before the capture")
    func midStream() throws {
        for first in [
            TestSegment.data(LetterProtocol.bytes("one"), at: 1_000),
            TestSegment.handshake()[1],
            TestSegment(
                isFromClient: false, sequence: 0, acknowledgement: 1_000, flags: [.rst, .ack]),
        ] {
            var bench = bench()
            bench.consume([first])
            bench.finish()
            let span = try #require(bench.engine.takeUnseen().first)
            #expect(span.cause == .midStream)
            #expect(span.since == .distantPast)
            #expect(span.frame == 1)
        }
    }

    @Test("Missing bytes were sent after the last segment up to which nothing was missing")
    func missingBytes() throws {
        var bench = opened()
        bench.consume([
            .data(LetterProtocol.bytes("one"), at: 1_000), answer(1_005),
            .data(LetterProtocol.bytes("three"), at: 1_010), answer(1_017),
        ])
        bench.finish()
        let spans = bench.engine.takeUnseen()
        #expect(spans.map(\.cause) == [.missingBytes(5)])
        let span = try #require(spans.first)
        #expect(span.since <= TestBench.time(4) && span.since > TestBench.time(3))
        #expect(span.source?.port == 40_000)
    }

    @Test("The number of a segment without payload shows the bytes sent before it")
    func pureAcknowledgement() {
        var bench = opened()
        bench.consume([TestSegment(sequence: 1_030, acknowledgement: 5_000)])
        bench.finish()
        #expect(causes(&bench) == [.missingBytes(30)])
    }

    @Test("The number of a reset shows the bytes sent before it")
    func reset() {
        var bench = opened()
        bench.consume([TestSegment(sequence: 1_030, flags: [.rst])])
        #expect(causes(&bench) == [.missingBytes(30)])
    }

    @Test("The acknowledgement in a reset shows the bytes that the other side had sent")
    func acknowledgingReset() throws {
        var bench = opened()
        var reset = answer(1_030)
        reset.flags = [.rst, .ack]
        bench.consume([reset])
        let span = try #require(bench.engine.takeUnseen().first)
        #expect(span.cause == .missingBytes(30))
        #expect(span.source?.port == 40_000)
        var refused = opened()
        var plain = answer(1_000)
        plain.flags = [.rst, .ack]
        refused.consume([plain])
        #expect(causes(&refused) == [])
    }

    @Test("A direction that is acknowledged but not captured is missing")
    func direction() {
        var bench = bench()
        bench.consume([
            TestSegment.handshake()[0], TestSegment.handshake()[2],
            .data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000),
        ])
        #expect(causes(&bench) == [.missingDirection])
    }

    @Test("A truncated packet lacks its end, and later bytes are decoded")
    func cut() {
        var bench = opened()
        let frame = TestSegment.data(LetterProtocol.bytes("one"), at: 1_000).frame
        bench.consume(frame: Array(frame.dropLast(2)), originalLength: frame.count)
        bench.consume([.data(LetterProtocol.bytes("two"), at: 1_005), answer(1_010)])
        bench.finish()
        #expect(causes(&bench) == [.cutPacket(2)])
        #expect(bench.letters.last == "two")
        let gaps = bench.messages.compactMap { $0.content as? TCPEvent }.filter { $0.kind == .gap }
        #expect(gaps.map(\.gapReason) == [.cut])
    }

    @Test("A segment after its own acknowledgement shows that packets changed order")
    func misordered() throws {
        var bench = opened()
        bench.consume([answer(1_005), .data(LetterProtocol.bytes("one"), at: 1_000)])
        let span = try #require(bench.engine.takeUnseen().first)
        #expect(span.cause == .misordered)
        #expect(span.since < TestBench.time(4))
        #expect(bench.letters == ["one"])
    }

    @Test("A time before that of the previous packet is reported")
    func clock() {
        var bench = opened()
        bench.frame -= 2
        bench.consume([.data(LetterProtocol.bytes("one"), at: 1_000)])
        #expect(causes(&bench) == [.clock])
    }

    @Test(
        "Packets that may carry others are reported once, other packets never",
        arguments: [
            (ethernet(0x0800, ipv4([0, 0, 8, 0], protocolNumber: 47)), true),
            (ethernet(0x8864, [0x11, 0, 0, 1, 0, 2, 0, 0x21]), true),
            (ethernet(0x0800, ipv4([1, 2, 0x12, 0xB5, 0, 8, 0, 0], protocolNumber: 17)), true),
            (ethernet(0x0800, ipv4([1, 2, 0, 53, 0, 8, 0, 0], protocolNumber: 17)), false),
            (ethernet(0x0806, [0, 1]), false), (ethernet(0x88CC, [0, 0]), false),
            (ethernet(0x0800, [0x45]), true),
        ])
    func opaque(frame: [UInt8], isOpaque: Bool) {
        var bench = bench()
        bench.consume(frame: frame)
        bench.consume(frame: frame)
        let unseen = bench.engine.takeUnseen().filter { $0.cause != .repeatedDatagram }
        #expect(unseen.count == (isOpaque ? 1 : 0))
    }

    @Test("Nothing more can be missing once each side continues or the connection is over")
    func settled() {
        var bench = opened()
        let (early, late) = (TestBench.time(3), TestBench.time(9))
        func mayLack(_ time: Timestamp, _ flow: Int = 0) -> Bool {
            bench.engine.mayLack(before: time, in: [flow])
        }
        let isOpen = (mayLack(early), mayLack(early, 7))
        #expect(isOpen == (true, false))
        bench.consume([.data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000)])
        let isHalfSeen = mayLack(early)
        #expect(isHalfSeen)
        bench.consume([answer(1_005)])
        let isSeen = (mayLack(early), mayLack(late))
        #expect(isSeen == (false, true))
        bench.consume([TestSegment(sequence: 1_005, flags: [.rst])])
        let isOver = mayLack(late)
        #expect(!isOver)
    }

    @Test("Messages after a gap have their own times and are in order of time")
    func order() {
        var bench = opened()
        bench.consume([
            // Frame 4: the client's second message. Its first was not captured.
            .data(LetterProtocol.bytes("two"), at: 1_005, acknowledgement: 5_000),
            // Frame 5: the server acknowledges both and sends a message.
            .data(
                LetterProtocol.bytes("reply"), at: 5_000, isFromClient: false,
                acknowledgement: 1_010),
        ])
        bench.consume(Array(repeating: answer(1_010), count: 20))
        bench.finish()
        let letters = bench.messages.filter { $0.name == "letter.text" }
        #expect(bench.letters == ["two", "reply"])
        #expect(letters.map(\.time) == [TestBench.time(4), TestBench.time(5)])
        #expect(bench.messages.map(\.number) == bench.messages.map(\.number).sorted())
    }
}
