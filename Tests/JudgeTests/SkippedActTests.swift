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

    /// Returns a drawn run of two acts: a message of the head unit, and the end of its connection.
    private static func twoActs() -> TestCase {
        var show = sending("sdl.Show.response")
        var close = act("hu", "close")
        (show.note, close.note) = ("act 1: answer", "act 2: end")
        var result = testCase([show, close], unexpected: .allow)
        result.drawn = closing(isDrawn: true).drawn
        return result
    }

    @Test("A drawn run of which no act could be carried out is not judged")
    func noActs() {
        let trace = [
            sent("sdl.Show.request", 0.05), event("peer.skipped", 0.1, ["peer": "hu", "step": 1]),
            event("peer.skipped", 0.2, ["peer": "hu", "step": 2]),
        ]
        let judgement = judged(Self.twoActs(), on: Line.messages(trace), end: Cast.time(60))
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason?.code == .preamble)
    }

    @Test("A drawn run with one act that could be carried out is judged")
    func oneAct() {
        let trace = [
            sent("sdl.Show.request", 0.01), hu("sdl.Show.response", 0.02),
            event("peer.skipped", 0.2, ["peer": "hu", "step": 2]),
        ]
        let judgement = judged(Self.twoActs(), on: Line.messages(trace), end: Cast.time(60))
        #expect(judgement.verdict == .pass, "\(judgement)")
    }
}
