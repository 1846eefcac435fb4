import Testing
import Wire

@testable import SuiteLanguage

@Suite("The time scale of a case")
struct TimeScaleTests {
    static let suite = """
        conform: 1
        suite: made-up
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        cases:
          - id: one
            checks: [A-1]
            timeout: 100s
            quiet: 4s
            preamble:
              - expect: sdl.StartService
                within: 10s
                save: {pause: sdl.session_id}
            steps:
              - expect: sdl.Show.request
                after: 1s
                within: 3s
                tolerance: 50ms 10%
              - expect: sdl.Alert.request
                at: 2s
              - wait: 500ms
              - do: {hu.downFor: 8s}
              - do: {hu.throttle: 1000}
              - do: {hu.delay: "${pause}ms"}
              - anyOrder:
                - [{expect: sdl.Show.request, within: 6s}]
                - repeat: {times: 2, steps: [{expect: sdl.Speak.request, within: 7s}]}
              - optional: [{expect: sdl.Alert.request, within: 9s}]
              - either:
                - [{expect: sdl.Slider.request, within: 11s}]
                - [{expect: sdl.ListFiles.request, within: 12s}]
              - repeat:
                  until: {expect: sdl.ScrollableMessage.request, within: 20s}
                  steps: [{expect: sdl.Show.request, within: 13s}]
              - backoff:
                  model: exponential
                  base: 1s
                  first: 400ms
                  cap: 60s
                  jitter: plus-minus
                  spread: 200ms 20%
                  reset: {stable: 30s}
                  timeout: 3s
                  attempts: {min: 2, max: 3}
                  silence: 90s
                  early: 5ms
                  late: 30ms 10%
              - backoff: {model: list, waits: [1s, 5s], attempts: 2, reset: {elapsed: 2}}
              - backoff: {model: linear, first: 0s, step: 2s, attempts: 2}
              - backoff: {model: fixed, base: 3s, attempts: 2}
        """

    private func scaled(by factor: Double) throws -> (before: TestCase, after: TestCase) {
        let whole = try SuiteFixture.onlyCase(Self.suite)
        return (whole, whole.scaled(by: try #require(TimeScale(factor))))
    }

    @Test("It divides every window, whatever step has it, and leaves absolute tolerances")
    func windows() throws {
        let (before, after) = try scaled(by: 10)
        let plain = (before.preamble + before.steps).plain
        let faster = (after.preamble + after.steps).plain
        #expect(plain.count == faster.count && plain.count == 18)
        for (old, new) in zip(plain, faster) {
            #expect(new.within == old.within / 10)
            #expect(new.after == old.after.map { $0 / 10 })
            #expect(new.at == old.at.map { $0 / 10 })
            #expect(new.tolerance == old.tolerance)
            if case .wait(let pause) = new.verb { #expect(pause == .milliseconds(50)) }
        }
        #expect(faster[1].tolerance == Tolerance(absolute: .milliseconds(50), percent: 10))
        #expect(faster[2].at == .milliseconds(200))
        #expect(after.quiet == .milliseconds(400))
        #expect(after.timeout == .seconds(30))
    }

    @Test("It divides the times of a schedule that the device keeps, not the tolerances")
    func schedules() throws {
        let schedules = try scaled(by: 10).after.steps.compactMap { step in
            if case .backoff(let schedule) = step.verb { schedule } else { nil }
        }
        try #require(schedules.count == 4)
        var expected = BackoffSchedule(
            model: .exponential(base: .milliseconds(100), factor: 2), attempts: 2...3)
        expected.first = .milliseconds(40)
        expected.cap = .seconds(6)
        expected.jitter = .plusMinus(Tolerance(absolute: .milliseconds(20), percent: 20))
        expected.reset = .stable(.seconds(3))
        expected.timeout = .milliseconds(300)
        expected.silence = .seconds(9)
        expected.early = Tolerance(absolute: .milliseconds(5))
        expected.late = Tolerance(absolute: .milliseconds(30), percent: 10)
        expected.timeScale = try #require(TimeScale(10))
        #expect(schedules[0] == expected)
        #expect(schedules[1].model == .list([.milliseconds(100), .milliseconds(500)]))
        #expect(schedules[1].reset == .elapsed(multiple: 2))
        #expect(schedules[2].model == .linear(base: .zero, step: .milliseconds(200)))
        #expect(schedules[3].model == .fixed(.milliseconds(300)))
    }

    @Test("It leaves the times of a step that is marked as fixed")
    func fixed() throws {
        let text = SuiteFixture.suite(
            steps: """
                - expect: sdl.Show.request
                  within: 4s
                  fixed: true
                - expect: sdl.Alert.request
                  within: 4s
                """)
        let steps = try SuiteFixture.onlyCase(text).scaled(by: #require(TimeScale(10))).steps
        #expect(steps.map(\.within) == [.seconds(4), .milliseconds(400)])
        #expect(steps[0].suiteText.contains("fixed: true"))
        #expect(!steps[1].suiteText.contains("fixed"))
    }

    @Test("It leaves the times in commands to peers, which run on the clock of the device")
    func actions() throws {
        let actions = try scaled(by: 10).after.steps.compactMap { step in
            if case .perform(let action) = step.verb { action } else { nil }
        }
        try #require(actions.map(\.name) == ["downFor", "throttle", "delay"])
        #expect(actions[0].arguments == .literal("8s"))
        #expect(actions[1].arguments == .literal(1000))
        #expect(try actions[2].arguments.evaluate(["pause": 250]) == "250ms")
    }

    @Test("It hides no bad duration: the arguments of a link are checked when the suite is loaded")
    func badDurations() {
        for action in ["{hu.downFor: 8}", "{hu.delay: soon}"] {
            let findings = SuiteFixture.findings(
                SuiteFixture.suite(steps: "- expect: sdl.Show.request\n- do: \(action)"))
            #expect(findings.map(\.code) == ["bad-argument"], "\(action)")
        }
    }

    @Test("A scale of 1 changes nothing, and a timeout below the floor is not made longer")
    func real() throws {
        let (before, after) = try scaled(by: 1)
        #expect(String(reflecting: before) == String(reflecting: after))
        var short = before
        short.timeout = .seconds(4)
        let scale = try #require(TimeScale(100))
        #expect(short.scaled(by: scale).timeout == .seconds(4))
    }

    @Test(
        "It is a decimal number from 1 to 100",
        arguments: ["1", "10", "2.5", "100", "1.0", "99.75"])
    func possible(text: String) throws {
        let scale = try #require(TimeScale(text: text))
        #expect(scale.factor == Double(text))
        #expect(TimeScale(text: scale.description) == scale)
    }

    @Test(
        "Any other text is not a time scale",
        arguments: [
            "", "0", "0.5", "101", "100.1", "-2", "+2", "x2", "1e1", "2.", ".5", "inf", "nan",
        ])
    func impossible(text: String) {
        #expect(TimeScale(text: text) == nil)
    }

    @Test("It divides to the nanosecond, and the result is a duration that suites can write")
    func rounding() throws {
        let scale = try #require(TimeScale(3))
        #expect(scale.scaled(.seconds(1)) == .nanoseconds(333_333_333))
        let text = scale.scaled(.seconds(1)).suiteText
        #expect(Duration(suiteText: text) == .nanoseconds(333_333_333))
    }
}
