import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Steps that a person carries out.
///
/// The time between the request and the confirmation is the person's.
@Suite struct PersonTests {
    private static func requested(_ seconds: Double, _ name: String = "press") -> Line {
        event("device.\(name)", seconds, ["operator": "press it"])
    }

    private static func confirmed(_ seconds: Double, _ name: String = "press") -> Line {
        event(DeviceEvent.confirmed, seconds, ["control": .string(name), "by": "anna"])
    }

    private static let press = act("device", "press")
    private static let soon = testCase(
        [press, expect("sdl.A", within: .seconds(1))], timeout: .seconds(5))

    static let scenarios: [Scenario] = [
        Scenario(
            "a deadline counts from the confirmation, and so much longer is the case", soon,
            [requested(0.01), confirmed(30), sent("sdl.A", 30.9)], .pass),
        Scenario(
            "what comes before the confirmation is in time", soon,
            [requested(0.01), sent("sdl.A", 20), confirmed(30)], .pass),
        Scenario(
            "a message may be late after the confirmation", soon,
            [requested(0.01), confirmed(30), sent("sdl.A", 31.4)], .fail, .timing, ["400 ms"]),
        Scenario(
            "or missing", soon, [requested(0.01), confirmed(30), sent("sdl.X", 99)], .fail,
            .sequence,
            ["nothing came"]),
        Scenario(
            "without the confirmation nothing is missing", soon, [requested(0.01)], .inconclusive,
            .captureEnd),
        Scenario(
            "a confirmation of another control is none", soon,
            [requested(0.01), confirmed(3, "turn")], .inconclusive, .captureEnd),
        Scenario(
            "a control that a program carries out is none of a person", soon,
            [event("device.press", 0.01), confirmed(30), sent("sdl.A", 30.9)], .fail, .sequence),
        Scenario(
            "a pause counts from the confirmation",
            testCase([press, pause(.seconds(2)), expect("sdl.A", within: .seconds(1))]),
            [requested(0.01), confirmed(30), sent("sdl.A", 32.5)], .pass),
        Scenario(
            "and what comes in it is judged",
            testCase([press, pause(.seconds(2)), expect("sdl.A", within: .seconds(1))]),
            [requested(0.01), confirmed(30), sent("sdl.A", 31.5)], .fail, .sequence),
        Scenario(
            "a step after one that was done in between has its own time",
            testCase([press, expect("sdl.A"), expect("sdl.B", within: .seconds(1))]),
            [requested(0.01), sent("sdl.A", 10), sent("sdl.X", 20), confirmed(30)], .fail, .sequence
        ),
        Scenario(
            "two requests, of which the second waits for the confirmation of the first",
            testCase([
                press, expect("sdl.A"), act("device", "turn"),
                expect("sdl.B", within: .seconds(1)),
            ]),
            [
                requested(0.01), sent("sdl.A", 1), requested(1, "turn"), confirmed(30),
                confirmed(60, "turn"), sent("sdl.B", 60.5),
            ], .pass),
        Scenario(
            "the closing window is after the confirmation",
            testCase([expect("sdl.A"), press]),
            [sent("sdl.A", 0.1), requested(0.11), confirmed(30), sent("sdl.X", 30.1)], .fail,
            .unexpected),
        Scenario(
            "a case may end with the confirmation", testCase([expect("sdl.A"), press]),
            [sent("sdl.A", 0.1), requested(0.11), confirmed(30)], .pass),
        Scenario(
            "a delay of the machine while the person is waited for excuses nothing", soon,
            [
                requested(0.01),
                event(
                    DeviceEvent.stalled, 10, ["party": "device", "microseconds": 900_000]),
                confirmed(30), sent("sdl.A", 31.4),
            ], .fail, .timing),
        Scenario(
            "a delay after the confirmation does", soon,
            [
                requested(0.01), confirmed(30),
                event(
                    DeviceEvent.stalled, 30.9, ["party": "device", "microseconds": 600_000]),
                sent("sdl.A", 31.4),
            ], .inconclusive, .lateHarness),
    ]

    @Test("The time that a person needs does not count against the device", arguments: scenarios)
    func scenario(_ scenario: Scenario) { scenario.verify() }

    @Test(
        "Whether messages come each at their time or all at once, the verdict is the same",
        arguments: scenarios)
    func anyPace(_ scenario: Scenario) {
        var judge = scenario.judge
        for message in Line.messages(scenario.trace) {
            for _ in 0..<20 {
                guard let next = judge.nextDeadline, next < message.time else { break }
                _ = judge.advance(to: next)
            }
            _ = judge.consume(message)
        }
        let judgement = judge.finish(
            at: Cast.time(scenario.end), cause: scenario.cause, dropped: 0)[0].judgement
        #expect(judgement.verdict == scenario.verdict)
    }

    @Test("Acts that count from a person's step are demanded after the confirmation")
    func demands() {
        let testCase = testCase([Self.press, sending("sdl.A", after: .seconds(1))])
        var judge = Judge(
            [PreparedCase(testCase, requirements: requirements, options: .init())],
            parties: Cast.parties, start: Cast.start)
        #expect(judge.advance(to: Cast.start).count == 1)
        let lines = Line.messages([Self.requested(0.01), Self.confirmed(30)])
        #expect(judge.consume(lines[0]).demands.isEmpty)
        #expect(judge.advance(to: Cast.time(29)).isEmpty)
        #expect(judge.consume(lines[1]).demands.isEmpty)
        #expect(judge.advance(to: Cast.time(30.9)).isEmpty)
        #expect(judge.advance(to: Cast.time(31.1)).count == 1)
    }
}
