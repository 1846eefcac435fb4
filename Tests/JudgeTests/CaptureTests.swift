import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Captures with losses, captures that end too early, and captures that were ended from outside.
@Suite struct CaptureTests {
    static let scenarios: [Scenario] = [
        Scenario(
            "a hole in the stream makes a pass inconclusive", testCase([expect("sdl.A")]),
            [gap(0.05), sent("sdl.A", 0.1)], .inconclusive, .captureLoss,
            ["lacks 12 byte(s) of a stream (frame 1)", "was not seen; without that: pass"]),
        Scenario(
            "a hole in the stream makes a failure inconclusive", testCase([expect("sdl.A")]),
            [gap(0.05), sent("sdl.X", 0.1)], .inconclusive, .captureLoss,
            ["without that: fail, step 1"]),
        Scenario(
            "a hole in the stream of strangers does not matter", testCase([expect("sdl.A")]),
            [stranger("tcp.gap", 0.05), sent("sdl.A", 0.1)], .pass),
        Scenario(
            "a hole is no unexpected message where a step expects transport",
            testCase([expect("tcp.SYN"), expect("sdl.A")]),
            [sent("tcp.SYN", 0.01), gap(0.05), sent("sdl.A", 0.1)], .inconclusive, .captureLoss,
            ["without that: pass"]),
        Scenario(
            "a hole behind the end does not matter", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), gap(0.5)], .pass),
        Scenario(
            "lost packets make a pass inconclusive", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1)], dropped: 3, .inconclusive, .captureLoss,
            ["lost 3 packet(s)"]),
        Scenario(
            "lost packets make a failure inconclusive", FaultTests.plain, [sent("sdl.B", 0.1)],
            dropped: 1, .inconclusive, .captureLoss, ["without that: fail"]),
        Scenario(
            "lost packets outweigh a late harness", FaultTests.answered,
            [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2)],
            dropped: 1, .inconclusive, .captureLoss),
        Scenario(
            "bytes of a peer that do not decode are an error of the harness",
            testCase([expect("sdl.A")]), [hu("sdl.malformed", 0.05)], .error, .malformed),
        Scenario(
            "bytes of a peer may not decode because packets were lost",
            testCase([expect("sdl.A")]), [hu("sdl.malformed", 0.05)], dropped: 1,
            .inconclusive, .captureLoss),
        Scenario(
            "a trace that ends before the deadline is cut short", FaultTests.plain,
            [sent("sdl.A", 0.1)], end: 1, .inconclusive, .captureEnd,
            ["step 2", "the trace ends 900 ms after step 1 while sdl.B within 1s was expected"]),
        Scenario(
            "a trace that ends on the deadline is cut short", FaultTests.plain,
            [sent("sdl.A", 0.1)], end: 1.15, .inconclusive, .captureEnd),
        Scenario(
            "a trace that ends behind the deadline misses the message", FaultTests.plain,
            [sent("sdl.A", 0.1)], end: 1.150_000_001, .fail, .sequence,
            ["nothing came"]),
        Scenario(
            "a trace that ends in the quiet window is cut short", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1)], end: 0.2, .inconclusive, .captureEnd,
            ["closing window"]),
        Scenario(
            "a trace that ends with the quiet window is whole", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1)], end: 0.3, .pass),
        Scenario(
            "a trace that ends in a wait is cut short", testCase([pause(.seconds(1))]), [],
            end: 0.5,
            .inconclusive, .captureEnd),
        Scenario(
            "a trace that ends in the preamble is cut short", FaultTests.reached, [], end: 0.5,
            .inconclusive,
            .captureEnd),
        Scenario(
            "an interruption before the first step is not run", FaultTests.plain, [], end: 0.5,
            cause: .interrupted, .error, .notRun, ["interrupted"]),
        Scenario(
            "an interruption on the way is inconclusive", FaultTests.plain, [sent("sdl.A", 0.1)],
            end: 0.5, cause: .interrupted, .inconclusive, .notRun),
        Scenario(
            "an interruption after a failure leaves the failure", FaultTests.plain,
            [sent("sdl.B", 0.1)], end: 0.15, cause: .interrupted, .fail, .sequence),
        Scenario(
            "a timeout from outside is an error", FaultTests.plain, [sent("sdl.A", 0.1)], end: 0.5,
            cause: .timeout, .error, .timeout),
    ]

    @Test("Losses, early ends and interruptions decide the verdict", arguments: scenarios)
    func captureFault(_ scenario: Scenario) {
        scenario.verify()
    }

    @Test("A loss before the case was decided counts, no matter when it is revealed")
    func revealedLate() {
        let open = testCase([GroupTests.a, optional([GroupTests.b])])
        for testCase in [open, testCase([GroupTests.a])] {
            for (since, isRelevant) in [(0.05, true), (0.15, true), (4, false)] {
                var judge = Judge(
                    [PreparedCase(testCase, requirements: requirements)], parties: Cast.parties,
                    start: Cast.start)
                _ = judge.consume(Line.messages([sent("sdl.A", 0.1)])[0])
                _ = judge.advance(to: Cast.time(3))
                judge.record(
                    UnseenSpan(
                        cause: .missingBytes(7), since: Cast.time(since), until: Cast.time(5),
                        flow: 0, source: Cast.device, destination: Cast.headUnit))
                let judgement = judge.finish(at: Cast.time(6), cause: .captureEnded)[0].judgement
                #expect(judgement.verdict == (isRelevant ? .inconclusive : .pass))
                #expect(judgement.reason?.code == (isRelevant ? .captureLoss : nil))
            }
        }
    }
}
