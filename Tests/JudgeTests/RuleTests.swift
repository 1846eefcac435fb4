import Results
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

@Suite("Rules")
struct RuleTests {
    /// Returns a case of a minute without demands of its own, with these rules and states.
    private static func watched(_ rules: [Rule], _ states: [StateVariable] = []) -> TestCase {
        var result = testCase(
            [expect("sdl.StartService")], unexpected: .allow, quiet: .seconds(50),
            timeout: .seconds(100))
        (result.rules, result.states) = (rules, states)
        return result
    }

    /// Returns a rule that judges `R-2`.
    private static func rule(
        _ trigger: MessagePattern?, then steps: [Step] = [], never: [NeverRule] = [],
        reads: Set<String> = []
    ) -> Rule {
        var judged = testCase(
            steps, never: never, unexpected: .allow, quiet: .zero, timeout: .seconds(1_000_000),
            checks: ["R-2"])
        judged.kind = .rule
        judged.isQuietToTheEnd = !never.isEmpty
        var rule = Rule(id: "rule", title: "A rule", trigger: trigger, testCase: judged)
        rule.reads = reads
        return rule
    }

    private static let requested = rule(
        pattern("sdl.Show.request"), then: [expect("sdl.Alert.request", within: .seconds(1))])

    @Test("A rule is exercised as often as its trigger comes, and not at all without it")
    func counts() {
        let trace = [
            sent("sdl.StartService", 0), sent("sdl.Show.request", 1), sent("sdl.Show.request", 1.5),
            sent("sdl.Alert.request", 2),
        ]
        let judgement = judged(
            Self.watched([Self.requested]), on: Line.messages(trace), end: Cast.time(80))
        #expect(judgement.verdict == .pass)
        #expect(judgement.rules.map(\.exercised) == [2])
        #expect(
            judgement.checks == [
                CheckResult(requirement: "R-1", verdict: .pass),
                CheckResult(requirement: "R-2", verdict: .pass),
            ])
        let other = judged(
            Self.watched([Self.requested]), on: Line.messages([sent("sdl.StartService", 0)]),
            end: Cast.time(80))
        #expect(other.verdict == .pass)
        #expect(other.rules == [])
        #expect(other.checks.map(\.requirement) == ["R-1"])
    }

    @Test("An interim answer leaves its request open")
    func interimAnswer() {
        var table = RequestTable(Self.watched([]).known)
        let trace = Line.messages([
            sent("sdl.Show.request", 0), hu("sdl.Show.response", 1, ["interim": true]),
            hu("sdl.Show.response", 2), hu("sdl.Show.response", 3),
        ])
        let answered = trace.map { message in
            let request = table.request(of: message)
            table.consume(PlacedMessage(message, parties: Cast.parties))
            return (request, table.awaitsAnswer)
        }
        let asked = trace[0].content.fields
        #expect(answered.map(\.0) == [.null, asked, asked, .null])
        #expect(answered.map(\.1) == [true, true, false, false])
    }

    @Test("Judging in steps of time gives the same verdict as judging message by message")
    func liveIsOffline() {
        let trace = [
            sent("sdl.StartService", 0), sent("sdl.Show.request", 1),
            sent("sdl.Slider.request", 10),
        ]
        let whole = judged(
            Self.watched([Self.requested]), on: Line.messages(trace), end: Cast.time(80))
        var judge = Judge(
            [PreparedCase(Self.watched([Self.requested]), requirements: requirements)],
            parties: Cast.parties, start: Cast.start)
        var next = Line.messages(trace)[...]
        for tenth in 0...800 {
            let now = Cast.time(Double(tenth) / 10)
            while let message = next.first, message.time <= now {
                _ = judge.consume(message)
                next.removeFirst()
            }
            _ = judge.advance(to: now)
        }
        let stepwise = judge.finish(at: Cast.time(80), cause: .captureEnded)[0].judgement
        #expect(whole.verdict == .fail)
        #expect(stepwise == whole)
        #expect(whole.reason?.explanation?.requirements.map(\.id) == ["R-2"])
        #expect(whole.reason?.explanation?.frames == [2])
        #expect(whole.reason?.summary.hasPrefix("rule rule, instance 1, since frame 2: ") == true)
    }

    @Test("With more instances than are judged at the same time a rule is inconclusive")
    func instanceLimit() {
        let silent = Self.rule(
            pattern("sdl.Show.request"), never: [never("sdl.Speak.request")])
        let foreign = CaseMatcher.Options(harnessPlaysPeers: false)
        let shows = (1...RuleSet.instanceCountMax + 1).map {
            sent("sdl.Show.request", Double($0) / 1000)
        }
        let trace = [sent("sdl.StartService", 0)] + shows
        let passing = judged(
            Self.watched([silent]), on: Line.messages(trace), end: Cast.time(80), options: foreign)
        #expect(passing.verdict == .inconclusive)
        #expect(passing.rules.first?.exercised == RuleSet.instanceCountMax)
        let failing = judged(
            Self.watched([silent]),
            on: Line.messages(trace + [sent("sdl.Speak.request", 20)]), end: Cast.time(80),
            options: foreign)
        #expect(failing.verdict == .fail)
    }

    @Test(
        "A state beyond its limit makes the rules inconclusive that read it, or a copy of it",
        arguments: ["said", "copy"])
    func stateLimit(name: String) {
        let state = StateVariable(
            name: "said", starts: .literal(.array([])),
            updates: [
                StateUpdate(
                    pattern: pattern("sdl.Show.request"), operation: .insert,
                    value: .template([.expression(.variable("message"))]))
            ], position: at(1))
        var copy = StateVariable(
            name: "copy",
            updates: [
                StateUpdate(
                    pattern: pattern("sdl.Show.request"), operation: .set,
                    value: .template([.variable("said")]))
            ], position: at(1))
        copy.reads = ["said"]
        let states = [state, copy]
        var reading = Self.rule(
            pattern("sdl.Alert.request"), never: [never("sdl.Speak.request")], reads: [name])
        reading.conditions = [
            ValueCondition(
                value: .template([.variable(name)]), matcher: .present(true), position: at(2))
        ]
        func verdict(_ count: Int, _ last: String) -> Verdict {
            let trace =
                [sent("sdl.StartService", 0)]
                + (1...count).map {
                    sent("sdl.Show.request", Double($0) / 1000, ["n": .integer(Int64($0))])
                } + [sent("sdl.Alert.request", 20), sent(last, 21)]
            return judged(
                Self.watched([reading], states), on: Line.messages(trace), end: Cast.time(80)
            ).verdict
        }
        #expect(verdict(10, "sdl.Slider.request") == .pass)
        #expect(verdict(10, "sdl.Speak.request") == .fail)
        #expect(verdict(2000, "sdl.Slider.request") == .inconclusive)
        #expect(verdict(2000, "sdl.Speak.request") == .inconclusive)
    }

    /// Returns the judgement of a rule that demands a second between a registration and a request,
    /// if it comes within ten seconds, on a trace in which the machine delayed the device.
    private static func timed(
        _ limits: ValueMatcher, request: Double, stall: (time: Double, length: Int64)?
    ) throws -> Judgement {
        var text: Substring = "now - at}"
        let since = ValueExpression.template([
            .expression(try ExpressionParser.parse(&text))
        ])
        var rule = rule(pattern("sdl.Show.request"), reads: ["at"])
        rule.conditions = [
            ValueCondition(
                value: since, matcher: .maximum(.literal(.integer(10))), position: at(2))
        ]
        rule.holds = [ValueCondition(value: since, matcher: limits, position: at(3))]
        let state = StateVariable(
            name: "at",
            updates: [
                StateUpdate(
                    pattern: pattern("sdl.Register.request"), operation: .set,
                    value: .template([.variable("now")]))
            ], position: at(1))
        let delay = stall.map {
            event(
                DeviceEvent.stalled, $0.time,
                ["party": "device", "microseconds": .integer($0.length * 1000)])
        }
        let trace =
            [sent("sdl.StartService", 0), sent("sdl.Register.request", 2)]
            + [delay].compactMap(\.self) + [sent("sdl.Show.request", request)]
        return judged(
            watched([rule], [state]), on: Line.messages(trace.sorted { $0.seconds < $1.seconds }),
            end: Cast.time(80))
    }

    @Test("A delay before a rule begins may explain a time since an earlier message")
    func delaysBeforeTheBeginning() throws {
        let (most, least) = (
            ValueMatcher.maximum(.literal(.double(1))), ValueMatcher.minimum(.literal(.double(1)))
        )
        func verdict(
            _ limits: ValueMatcher, _ request: Double, _ time: Double = 0, _ length: Int64 = 0
        ) throws -> Verdict {
            try Self.timed(
                limits, request: request, stall: length == 0 ? nil : (time, length)
            ).verdict
        }
        #expect(try verdict(most, 2.9) == .pass)
        #expect(try verdict(most, 3.04) == .fail)
        #expect(try verdict(most, 3.04, 2.5, 60) == .inconclusive)
        #expect(try verdict(most, 3.04, 3.041, 60) == .inconclusive)
        #expect(try verdict(most, 3.04, 2.5, 20) == .fail)
        // The delay is over long before the registration.
        #expect(try verdict(most, 3.04, 0.5, 60) == .fail)
        #expect(try verdict(least, 2.96) == .fail)
        #expect(try verdict(least, 2.96, 2.01, 60) == .inconclusive)
        // The rule is not about requests that come later than ten seconds.
        #expect(try verdict(most, 11.96, 5, 60) == .inconclusive)
        #expect(try verdict(most, 11.96, 5, 20) == .fail)
        #expect(try verdict(most, 12.1) == .pass)
    }

    @Test("A late harness does not explain what a rule found before", arguments: [2, 10.2])
    func lateHarness(broken: Double) {
        var testCase = testCase(
            [expect("sdl.StartService"), sending("sdl.N", after: .seconds(10))],
            unexpected: .allow, quiet: .seconds(1))
        testCase.rules = [
            Self.rule(pattern("sdl.Show.request"), never: [never("sdl.Speak.request")])
        ]
        let trace = [
            sent("sdl.StartService", 0), sent("sdl.Show.request", 1),
            sent("sdl.Speak.request", broken), hu("sdl.N", 10.5),
        ]
        let judgement = judged(testCase, on: Line.messages(trace), end: Cast.time(80))
        #expect(judgement.verdict == (broken == 2 ? .fail : .inconclusive))
        #expect(judgement.reason?.code == (broken == 2 ? .absence : .lateHarness))
        #expect(
            judgement.checks.contains(
                CheckResult(requirement: "R-2", verdict: broken == 2 ? .fail : .inconclusive)))
    }

    @Test("What was not captured makes an instance inconclusive, if it is before its end")
    func loss() {
        let trace = [
            sent("sdl.StartService", 0), sent("sdl.Show.request", 1), gap(1.5),
            sent("sdl.Slider.request", 10),
        ]
        let judgement = judged(
            Self.watched([Self.requested]), on: Line.messages(trace), end: Cast.time(80))
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason?.code == .captureLoss)
        let later =
            [
                sent("sdl.StartService", 0), sent("sdl.Show.request", 1), gap(20),
                sent("sdl.Slider.request", 30),
            ]
        #expect(
            judged(Self.watched([Self.requested]), on: Line.messages(later), end: Cast.time(80))
                .verdict
                == .fail)
    }
}
