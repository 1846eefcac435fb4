import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Windows of time and their edges, which are part of them.
@Suite struct TimingTests {
    static let second = testCase([expect("sdl.A"), expect("sdl.B", line: 12, within: .seconds(1))])
    static let since = testCase([
        expect("sdl.A", id: "first"), expect("sdl.B"),
        expect("sdl.C", within: .seconds(1), since: "first"),
    ])
    static let after = testCase([expect("sdl.A"), expect("sdl.B", after: .seconds(2))])
    static let exact = testCase([expect("sdl.A"), expect("sdl.B", at: .seconds(2))])
    static let percent = testCase([
        expect("sdl.A"),
        expect(
            "sdl.B", at: .seconds(10),
            tolerance: Tolerance(absolute: .milliseconds(50), percent: 10)
        ),
    ])

    /// `sdl.A` at 0.1 s, and `sdl.B` this much later.
    private static func pair(_ gap: Double) -> [Line] {
        [sent("sdl.A", 0.1), sent("sdl.B", 0.1 + gap)]
    }

    static let scenarios: [Scenario] = [
        Scenario("the last moment of the tolerance is in time", second, pair(1.05), .pass),
        Scenario(
            "a nanosecond after the tolerance is late", second, pair(1.050_000_001), .fail, .timing,
            [
                "step 2 (suite.yaml:12): expected sdl.B within 1s, it came too late 1.050 s after step 1 (frame 2)"
            ]
        ),
        Scenario(
            "late says how late", second, pair(1.4), .fail, .timing,
            ["1.400 s after", "400 ms late"]),
        Scenario(
            "the last moment of the grace is still late", second, pair(2.05), .fail, .timing,
            ["too late"]),
        Scenario(
            "after the grace it is missing", second, pair(2.050_000_001), .fail, .sequence,
            ["nothing came"]),
        Scenario(
            "another message in the grace does not hide the miss", second,
            [sent("sdl.A", 0.1), sent("sdl.X", 1.3), sent("sdl.B", 1.5)], .fail, .timing,
            ["too late"]),
        Scenario(
            "a forbidden message in the grace does not hide the miss",
            testCase([expect("sdl.A", within: .seconds(1))], never: [never("sdl.X")]),
            [sent("sdl.X", 1.3)], .fail, .sequence, ["nothing came"]),
        Scenario(
            "a forbidden message at the last moment of the window is the failure",
            testCase([expect("sdl.A", within: .seconds(1))], never: [never("sdl.X")]),
            [sent("sdl.X", 1.05)], .fail, .absence),
        Scenario(
            "the first window counts from the start",
            testCase([expect("sdl.A", within: .seconds(1))]), [sent("sdl.A", 1.2)], .fail,
            .timing, ["1.200 s after the case began"]),
        Scenario(
            "since counts from the named step", since,
            [sent("sdl.A", 1), sent("sdl.B", 1.8), sent("sdl.C", 2.05)], .pass),
        Scenario(
            "since counts from the named step, not the one before", since,
            [sent("sdl.A", 1), sent("sdl.B", 1.8), sent("sdl.C", 2.3)], .fail, .timing,
            ["within 1s of first", "1.300 s after first", "300 ms late"]),
        Scenario(
            "since may lie so far back that the window has passed", since,
            [sent("sdl.A", 1), sent("sdl.B", 5), sent("sdl.C", 5.1)], .fail, .timing,
            ["4.100 s after first"]),
        Scenario(
            "since may name a step of the preamble",
            testCase(
                preamble: [expect("sdl.P", id: "p")],
                [expect("sdl.A"), expect("sdl.B", within: .seconds(1), since: "p")]),
            [sent("sdl.P", 1), sent("sdl.A", 1.5), sent("sdl.B", 2.2)], .fail, .timing,
            ["within 1s of p", "1.200 s after p"]),
        Scenario("the first moment of after", after, pair(1.95), .pass),
        Scenario(
            "a nanosecond before after is early", after, pair(1.949_999_999), .fail, .timing,
            ["not before 2s and within 5s", "too early 1.950 s after step 1"]),
        Scenario(
            "early says how early", after, pair(1.5), .fail, .timing, ["500 ms before its time"]),
        Scenario("the first moment of at", exact, pair(1.95), .pass),
        Scenario("the last moment of at", exact, pair(2.05), .pass),
        Scenario(
            "before at is early", exact, pair(1.949), .fail, .timing,
            ["at 2s ± 50ms", "too early"]),
        Scenario("behind at is late", exact, pair(2.051), .fail, .timing, ["51 ms late"]),
        Scenario("percent widens a long gap", percent, pair(11), .pass),
        Scenario("percent has an end too", percent, pair(11.001), .fail, .timing, ["too late"]),
        Scenario(
            "a wait lets time pass",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect("sdl.B", within: .seconds(1))]),
            pair(1.9), .pass),
        Scenario(
            "the step behind a wait counts from its end",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect("sdl.B", within: .seconds(1))]),
            pair(2.2), .fail, .timing, ["1.200 s after step 2"]),
        Scenario(
            "the end of a wait belongs to the next step",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect("sdl.B")]), pair(1), .pass),
        Scenario(
            "a message during a wait is judged",
            testCase([expect("sdl.A"), pause(.seconds(1), line: 12), expect("sdl.B")]), pair(0.9),
            .fail, .sequence, ["step 2 (suite.yaml:12)", "step 3's message sdl.B came before"]),
        Scenario(
            "a case that takes too long is an error",
            testCase([expect("sdl.A", within: .seconds(30))], timeout: .seconds(10)), [], .error,
            .timeout, ["timeout of 10s"]),
        Scenario(
            "a closing window that outlasts the timeout is an error",
            testCase([expect("sdl.A")], quiet: .seconds(30), timeout: .seconds(10)),
            [sent("sdl.A", 0.1)], .error, .timeout, ["timeout of 10s"]),
        Scenario(
            "a failure before the timeout stays a failure",
            testCase([expect("sdl.A", within: .seconds(1))], timeout: .seconds(10)), [],
            cause: .timeout, .fail, .sequence),
        Scenario(
            "a quiet window of nothing ends with its last step",
            testCase([expect("sdl.A")], quiet: .zero),
            [sent("sdl.A", 0.1), sent("sdl.X", 0.100_000_001)], end: 0.2, .pass),
    ]

    @Test("The time of a message decides the verdict", arguments: scenarios)
    func timing(_ scenario: Scenario) { scenario.verify() }
}
