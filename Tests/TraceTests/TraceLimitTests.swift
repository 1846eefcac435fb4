import BuiltInProtocols
import Capture
import TCPIP
import Testing

@testable import Trace

@Suite("An engine's memory is bounded, whatever a capture contains")
struct TraceLimitTests {
    private func gaps(_ bench: TestBench) -> [TCPEvent] {
        bench.messages.compactMap { $0.content as? TCPEvent }.filter { $0.kind == .gap }
    }

    /// Returns the same segments with another client port.
    private func of(_ port: UInt16, _ segments: [TestSegment]) -> [TestSegment] {
        segments.map { segment in
            var segment = segment
            segment.clientPort = port
            return segment
        }
    }

    @Test("Connections whose messages take too much memory together are given up, the oldest first")
    func flowBytes() {
        var bench = TestBench { $0.flowBytesMax = 100_000 }
        let begun = LetterProtocol.bytes("one").dropLast()
        for port in 1...200 as ClosedRange<UInt16> {
            bench.consume(of(port, TestSegment.handshake() + [.data(Array(begun), at: 1_000)]))
            #expect(bench.engine.followedCount < 42)
        }
        #expect(bench.engine.followedCount > 30)
        #expect(bench.engine.statistics.evictedFlows == 200 - bench.engine.followedCount)
        // What is left is still read to the end, and of the others the end is missing.
        bench.consume(of(200, [.data(Array(LetterProtocol.bytes("one").suffix(1)), at: 1_004)]))
        #expect(bench.letters.filter { !$0.isEmpty } == ["one"])
    }

    @Test("The number of waiting segments of all connections together is limited")
    func waitingSegments() {
        var bench = TestBench { $0.waitingSegmentsTotalMax = 30 }
        let ports: ClosedRange<UInt16> = 1...10
        for port in ports { bench.consume(of(port, TestSegment.handshake())) }
        for number in 1...20 {
            for port in ports {
                bench.consume(of(port, [.data([0], at: 1_000 + 2 * UInt32(number))]))
                #expect(bench.engine.output.waitingSegments <= 30)
            }
        }
        #expect(gaps(bench).count >= 170)
        #expect(gaps(bench).allSatisfy { $0.gapReason == .limit })
        bench.finish()
        #expect(bench.engine.output.waitingSegments == 0 && bench.engine.output.waitingBytes == 0)
        #expect(gaps(bench).count == 200)
    }

    @Test("Too many connections that wait for acknowledged bytes stop waiting at once")
    func awaitingFlows() {
        var bench = TestBench { $0.awaitingFlowsMax = 4 }
        for port in UInt16(1)...5 {
            bench.consume(
                of(
                    port,
                    TestSegment.handshake() + [
                        TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: 1_005)
                    ]))
            #expect(gaps(bench).count == (port < 5 ? 0 : 5))
        }
    }

    @Test("Messages do not wait forever for bytes that may still arrive")
    func heldMessages() {
        var bench = TestBench {
            $0.heldMessagesMax = 10
            $0.lossWait = .seconds(1000)
        }
        bench.consume(TestSegment.handshake())
        let before = bench.messages.count
        bench.consume([
            TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: 1_005)
        ])
        for port in UInt16(1)...10 {
            bench.consume(of(port, [TestSegment(sequence: 999, flags: [.syn])]))
            #expect(bench.messages.count == before)
        }
        bench.consume(of(11, [TestSegment(sequence: 999, flags: [.syn])]))
        #expect(bench.messages.count == before + 12)
        #expect(gaps(bench).count == 1)
    }

    @Test("Thousands of segments after holes are released in order as the holes are filled")
    func manyHoles() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        let letters = (0..<3_000).map { LetterProtocol.bytes("\($0 % 10)") }
        let starts = (0..<3_000).map { 1_000 + UInt32($0) * 3 }
        let order =
            stride(from: 1, to: 3_000, by: 2).map(\.self)
            + stride(from: 0, to: 3_000, by: 2).map(\.self)
        for index in order { bench.consume([.data(letters[index], at: starts[index])]) }
        #expect(bench.letters == (0..<3_000).map { "\($0 % 10)" })
        #expect(bench.engine.output.waitingSegments == 0)
    }

    @Test("The engine uses the standard values of limits that users can raise")
    func standard() {
        #expect(TraceOptions(.builtIn).flowsMax == CaptureLimit.flows.standard)
        #expect(TraceOptions(.builtIn).waitingSegmentsTotalMax == CaptureLimit.waiting.standard)
    }
}
