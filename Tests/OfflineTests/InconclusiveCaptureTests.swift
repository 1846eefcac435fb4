import Judge
import Results
import TestBench
import Testing
import Trace
import Wire

@testable import Offline
@testable import SuiteLanguage

@Suite("Gaps in a capture keep a case from passing")
struct InconclusiveCaptureTests {
    @Test("A complete capture passes")
    func whole() throws {
        let bench = try WorkBench()
        #expect(try bench.judge(bench.capture(Segment.opening(extra: 0))).verdict == .pass)
    }

    @Test(
        "Bytes that the last packet acknowledges but that were never captured make it inconclusive")
    func holeAtTheEnd() throws {
        let bench = try WorkBench()
        let result = try bench.judge(bench.capture(Segment.opening(extra: 200)))
        #expect(result.verdict == .inconclusive)
        #expect(result.reason?.code == .captureLoss)
    }

    @Test("A hole after the end of the case does not matter")
    func holeAfterTheEnd() throws {
        let bench = try WorkBench()
        var segments = Segment.opening(extra: 0)
        // More than a second of silence, a segment every millisecond, another message, then a hole.
        segments += (0..<1100).map { _ in Segment(sequence: 107, acknowledgement: 500) }
        segments.append(
            Segment(
                sequence: 108, acknowledgement: 500, flags: 0x18,
                payload: [0x10, 7, 1, 0, 0, 0, 0, 0]))
        segments.append(Segment(isFromDevice: false, sequence: 500, acknowledgement: 516))
        #expect(try bench.judge(bench.capture(segments)).verdict == .pass)
    }

    @Test("Dropped packets make it inconclusive")
    func dropped() throws {
        let bench = try WorkBench()
        let path = try bench.capture(Segment.opening(extra: 0), dropped: 1)
        #expect(try bench.judge(path).reason?.code == .captureLoss)
    }

    @Test("A capture of conform from which packets were removed decides nothing")
    func removed() throws {
        let bench = try WorkBench()
        let segments = Segment.opening(extra: 0)
        let count = UInt64(segments.count)
        #expect(try bench.judge(bench.capture(segments, received: count)).verdict == .pass)
        let result = try bench.judge(bench.capture(segments, received: count + 1))
        #expect(result.verdict == .inconclusive)
        #expect(result.reason?.code == .captureLoss)
        #expect(result.checks == [CheckResult(requirement: "R-1", verdict: .inconclusive)])
    }

    @Test("A file that ends within a packet makes it inconclusive and names the packet")
    func truncated() throws {
        let bench = try WorkBench()
        let path = try bench.capture(Segment.opening(extra: 0))
        let bytes = try #require(FileSystem.read(path))
        // The last of the five packets is cut short.
        try FileSystem.write(Array(bytes.dropLast(20)), to: path)
        let result = try bench.judge(path)
        #expect(result.verdict == .inconclusive)
        #expect(result.reason?.code == .captureLoss)
        #expect(
            result.reason?.summary.contains("packet 5") == true, "\(result.reason?.summary ?? "")")
    }

    @Test("A late answer of our peer makes it inconclusive and is reported with the lag")
    func late() throws {
        let bench = try WorkBench()
        var segments = Segment.opening(extra: 0)
        // The head unit's StartServiceACK, half a second after the request.
        segments += (0..<500).map { _ in Segment(sequence: 107, acknowledgement: 500) }
        segments.append(
            Segment(
                isFromDevice: false, sequence: 500, acknowledgement: 108, flags: 0x18,
                payload: [0x10, 7, 2, 1, 0, 0, 0, 0]))
        let result = try bench.judge(bench.capture(segments))
        #expect(result.verdict == .inconclusive)
        #expect(result.reason?.code == .lateHarness)
        #expect(result.reason?.summary.contains("sdl.StartServiceACK") == true)
    }

    @Test("A device that is found hanging after the last packet does not pass")
    func hangAtTheEnd() throws {
        let bench = try WorkBench()
        let hung = CaseMetadata.Event(
            name: "device.hung", fields: "{\"probe\":\"its process is stopped\"}",
            time: Timestamp(nanoseconds: 2_100_000_000), afterFrame: 5)
        let result = try bench.judge(bench.capture(Segment.opening(extra: 0), events: [hung]))
        #expect(result.verdict == .fail)
        #expect(result.reason?.code == .liveness)
    }

    @Test("Bytes that the harness sent are found where the capture has them")
    func sentBytes() throws {
        let bench = try WorkBench()
        let payload: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF]
        var segments = Segment.opening(extra: 0)
        segments.append(
            Segment(
                isFromDevice: false, sequence: 500, acknowledgement: 108, flags: 0x18,
                payload: payload))
        var testCase = bench.testCase
        testCase.steps.append(
            Step(
                verb: .sendBytes(ByteExpression(payload)), position: testCase.position, from: "hu",
                tolerance: Tolerance(absolute: .seconds(1))))
        let sent = CaseMetadata.Event(
            name: "harness.sent",
            fields: "{\"bytes\":\"deadbeef\",\"to\":\"127.0.0.1:40000\",\"step\":2}",
            time: Timestamp(nanoseconds: 5_500_000), afterFrame: 5)
        let check = CaptureCheck(suite: bench.suite, selection: .init())
        let found = try check.judge(
            testCase, on: bench.capture(segments, events: [sent]))
        #expect(found.verdict == .pass, "\(found.reason?.summary ?? "")")
        #expect(found.steps.last?.frames == [6])
        let other = try check.judge(testCase, on: bench.capture(segments))
        #expect(other.verdict != .pass)
    }

    @Test("A clock that was set makes it inconclusive, the jitter of reading it does not")
    func clockStep() throws {
        let bench = try WorkBench()
        let segments = Segment.opening(extra: 0)
        for step in [Duration.seconds(5), .seconds(-5)] {
            let path = try bench.capture(segments, clockStep: step)
            #expect(try bench.judge(path).verdict == .inconclusive)
        }
        let path = try bench.capture(segments, clockStep: .microseconds(20))
        #expect(try bench.judge(path).verdict == .pass)
    }

    @Test("The end of the device has the time when it happened, and breaks the silence")
    func exitInTheQuietWindow() throws {
        let bench = try WorkBench()
        let exit = CaseMetadata.Event(
            name: "device.exited", fields: "{\"signal\":11}",
            time: Timestamp(nanoseconds: 980_000_000), afterFrame: 5)
        let path = try bench.capture(Segment.opening(extra: 0), events: [exit])
        let result = try bench.judge(path)
        #expect(result.verdict == .fail)
        #expect(result.reason?.code == .liveness)
    }

    @Test("A live verdict that the saved capture does not reproduce is not relied on")
    func differs() throws {
        let bench = try WorkBench()
        let recorded = try bench.judge(bench.capture(Segment.opening(extra: 0)))
        var live = recorded
        live.record(recorded: recorded)
        #expect(live == recorded)
        live.verdict = .fail
        live.reason = Reason(.sequence, "it came late")
        live.record(recorded: recorded)
        #expect(live.verdict == .inconclusive)
        #expect(live.reason?.summary.contains("it came late") == true)
    }
}
