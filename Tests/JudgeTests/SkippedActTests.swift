import Testing
import Wire

@testable import Judge
@testable import SuiteLanguage

@Suite("Acts that a peer could not do")
struct SkippedActTests {
    /// Returns a case that closes a connection and then waits for a message.
    private static func closing(isDrawn: Bool) -> TestCase {
        var result = testCase([act("hu", "close"), expect("sdl.Show.request")])
        if isDrawn {
            result.drawn = DrawnRun(
                name: DrawnName(exploration: "lives", seed: 1, number: 1), given: [], acts: [])
        }
        return result
    }

    @Test("A drawn run goes on where the trace says that the act was not possible")
    func skipped() {
        let trace = [
            event("peer.skipped", 0.1, ["peer": "hu", "step": 1]), sent("sdl.Show.request", 0.2),
        ]
        let judgement = judged(
            Self.closing(isDrawn: true), on: Line.messages(trace), end: Cast.time(30))
        #expect(judgement.verdict == .pass)
    }

    @Test("A step with another number does not go on")
    func otherStep() {
        let trace = [
            event("peer.skipped", 0.1, ["peer": "hu", "step": 2]), sent("sdl.Show.request", 0.2),
        ]
        let judgement = judged(
            Self.closing(isDrawn: false), on: Line.messages(trace), end: Cast.time(30))
        #expect(judgement.verdict != .pass)
    }

    @Test(
        "An act that leads to nothing ends a plain case, but not a drawn run",
        arguments: [true, false])
    func unseen(isDrawn: Bool) {
        let judgement = judged(
            Self.closing(isDrawn: isDrawn), on: Line.messages([sent("sdl.Show.request", 9)]),
            end: Cast.time(60))
        #expect(judgement.verdict == (isDrawn ? .pass : .inconclusive), "\(judgement)")
    }
}
