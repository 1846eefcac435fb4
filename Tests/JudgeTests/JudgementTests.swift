import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// The content of a judgement in addition to verdict and sentence.
@Suite struct JudgementTests {
    static let language = testCase(
        preamble: [expect("sdl.StartService", line: 9)],
        [
            expect("sdl.RAI.response", line: 40, id: "registered", from: "hu"),
            expect(
                "sdl.ChangeRegistration.request", line: 41,
                where: ["params.language": equals("DE-DE")], within: .seconds(1),
                since: "registered", checks: ["R-3"]),
            expect("sdl.End", line: 42),
        ], never: [never("sdl.Bad", checks: ["R-2"])], ignore: [pattern("sdl.Heartbeat")],
        checks: ["R-1"])

    static let wrongLanguage: [Line] = [
        sent("sdl.StartService", 0.1), sent("sdl.Heartbeat", 0.15), hu("sdl.RAI.response", 0.2),
        sent("sdl.ChangeRegistration.request", 0.212, ["language": "EN-US", "appName": "Weather"]),
        sent("sdl.End", 0.22), sent("sdl.Odd", 0.23),
    ]

    static func judge(
        _ testCase: TestCase, _ trace: [Line], end: Double = 100, dropped: Int = 0
    ) -> Judgement {
        Scenario("", testCase, trace, end: end, dropped: dropped, .none).judgement
    }

    @Test("A field failure names step, field, both values, time and frame in one sentence")
    func sentence() {
        let judgement = Self.judge(Self.language, Self.wrongLanguage)
        #expect(
            judgement.reason?.summary
                == "step 3 (suite.yaml:41): expected sdl.ChangeRegistration.request with "
                + "params.language DE-DE within 1s of registered, "
                + "got params.language EN-US, 12 ms after registered (frame 4)")
    }

    @Test("The explanation shows requirement, step, expected, actual, nearest miss and frames")
    func explanation() throws {
        let judgement = Self.judge(Self.language, Self.wrongLanguage)
        let explanation = try #require(judgement.reason?.explanation)
        #expect(explanation.requirements.map(\.id) == ["R-3"])
        #expect(explanation.requirements.first?.text == "Sentence 3.")
        #expect(explanation.step == 3)
        #expect(explanation.position == at(41))
        #expect(
            explanation.expected
                == "expect: sdl.ChangeRegistration.request {where: {params.language: DE-DE}, "
                + "within: 1s, since: registered}")
        #expect(
            explanation.actual
                == "sdl.ChangeRegistration.request {params.language: EN-US, "
                + "params.appName: Weather} from device, 12 ms after registered (frame 4)")
        #expect(explanation.nearestMiss?.frames == [4])
        #expect(
            explanation.nearestMiss?.differences
                == ["params.language: expected DE-DE, got EN-US"])
        #expect(explanation.frames == [4])
    }

    @Test("The alignment shows expected next to actual, the first divergence and what followed")
    func alignment() throws {
        let judgement = Self.judge(Self.language, Self.wrongLanguage)
        let rows = try #require(judgement.reason?.explanation?.alignment)
        #expect(rows.map(\.mark) == [.match, .ignored, .match, .missing, .unjudged, .extra])
        #expect(rows.map(\.frames) == [[1], [2], [3], [4], [5], [6]])
        #expect(rows[0].seconds == 0)
        #expect(rows[1].expected == nil)
        #expect(rows[3].expected?.hasPrefix("expect: sdl.ChangeRegistration.request") == true)
        #expect(rows[3].actual?.contains("EN-US") == true)
        #expect(rows[5].expected == nil)
    }

    @Test("Swapped messages show the first as missing and then as extra")
    func swapped() throws {
        let judgement = Self.judge(
            SequenceTests.abc, [sent("sdl.B", 0.1), sent("sdl.A", 0.2), sent("sdl.C", 0.3)])
        let rows = try #require(judgement.reason?.explanation?.alignment)
        #expect(rows.map(\.mark) == [.missing, .unjudged, .extra, .unjudged])
        #expect(rows.map { $0.actual } == [nil, "sdl.B", "sdl.A", "sdl.C"])
        #expect(
            rows.map { $0.expected?.prefix(13) } == [
                "expect: sdl.A", "expect: sdl.B", nil, "expect: sdl.C",
            ])
    }

    @Test("Steps that were not reached are at the end")
    func notReached() throws {
        let judgement = Self.judge(SequenceTests.abc, [])
        let rows = try #require(judgement.reason?.explanation?.alignment)
        #expect(rows.map(\.mark) == [.missing, .notReached, .notReached])
    }

    @Test("A failure fails the requirements of its step and gives no verdict for the others")
    func checksOfStep() {
        let judgement = Self.judge(Self.language, Self.wrongLanguage)
        #expect(
            judgement.checks == [
                CheckResult(requirement: "R-1", verdict: .none),
                CheckResult(requirement: "R-3", verdict: .fail),
                CheckResult(requirement: "R-2", verdict: .none),
            ])
    }

    @Test("A broken never rule fails its own requirements")
    func checksOfRule() throws {
        var trace = Self.wrongLanguage
        trace[3] = sent("sdl.Bad", 0.21)
        let judgement = Self.judge(Self.language, trace)
        #expect(judgement.checks.map(\.verdict) == [.none, .none, .fail])
        let explanation = try #require(judgement.reason?.explanation)
        #expect(explanation.requirements.map(\.id) == ["R-2"])
        #expect(explanation.position == at(50))
        #expect(explanation.expected == "never: sdl.Bad")
    }

    @Test("A step without requirements fails those of the case")
    func checksOfCase() {
        var trace = Self.wrongLanguage
        trace[3] = sent("sdl.ChangeRegistration.request", 0.212, ["language": "DE-DE"])
        trace[4] = sent("sdl.Odd", 0.22)
        let judgement = Self.judge(Self.language, trace)
        #expect(judgement.checks.map(\.verdict) == [.fail, .none, .none])
    }

    @Test("A pass passes every requirement, an inconclusive case none")
    func checksOfOthers() {
        var trace = Self.wrongLanguage
        trace[3] = sent("sdl.ChangeRegistration.request", 0.212, ["language": "DE-DE"])
        trace.removeLast()
        let pass = Self.judge(Self.language, trace)
        #expect(pass.reason == nil)
        #expect(pass.checks.map(\.verdict) == [.pass, .pass, .pass])
        let lost = Self.judge(Self.language, trace, dropped: 1)
        #expect(lost.checks.map(\.verdict) == [.inconclusive, .inconclusive, .inconclusive])
    }

    @Test("Steps have their outcome, their frames and their time")
    func steps() {
        let steps = Self.judge(Self.language, Self.wrongLanguage).steps
        #expect(steps.map(\.part) == [.preamble, .body, .body, .body])
        #expect(steps.map(\.outcome) == [.done, .done, .failed, .notReached])
        #expect(steps.map(\.frames) == [[1], [3], [], []])
        #expect(steps[1].seconds == 0.1)
        #expect(steps[1].text == "expect: sdl.RAI.response {id: registered, from: hu, within: 5s}")
    }

    @Test("Comments on packets show which step took them and which step they broke")
    func comments() {
        let judgement = Self.judge(Self.language, Self.wrongLanguage)
        #expect(judgement.comments.keys.sorted() == [1, 3, 4])
        #expect(
            judgement.comments[1]
                == ["step 1: expect: sdl.StartService {within: 5s} (suite.yaml:9)"])
        #expect(judgement.comments[4]?.first?.hasPrefix("broke step 3: expect: ") == true)
        #expect(judgement.takenCount == 2)
    }

    @Test("Ignored messages are counted by name, allowed ones too")
    func counts() {
        let beats = (1...80).map { sent("sdl.Heartbeat", 0.1 + Double($0) / 1000) }
        let allowed = testCase(
            [expect("sdl.A")], ignore: [pattern("sdl.Heartbeat")], unexpected: .allow)
        let judgement = Self.judge(allowed, beats + [sent("sdl.X", 0.5), sent("sdl.A", 0.6)])
        #expect(judgement.verdict == .pass)
        #expect(judgement.ignored == ["sdl.Heartbeat": 80, "sdl.X": 1])
    }

    @Test("The alignment of a failure shows only the first ignored messages")
    func ignoredRows() throws {
        let beats = (1...80).map { sent("sdl.Heartbeat", 0.1 + Double($0) / 1000) }
        let judgement = Self.judge(
            testCase([expect("sdl.A")], ignore: [pattern("sdl.Heartbeat")]),
            beats + [sent("sdl.X", 0.5)])
        let rows = try #require(judgement.reason?.explanation?.alignment)
        #expect(rows.count { $0.mark == .ignored } == 50)
    }

    @Test("A failure of a late harness shows request and answer")
    func lateHarness() throws {
        let judgement = Self.judge(
            FaultTests.answered, [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2)])
        let explanation = try #require(judgement.reason?.explanation)
        #expect(explanation.frames == [1, 2])
        #expect(explanation.requirements.map(\.id) == ["R-1"])
    }

    @Test("The nearest miss is the message with the fewest differences")
    func nearestMiss() throws {
        let wanted: [String: ValueMatcher] = [
            "params.a": equals(1), "params.b": equals(2), "params.c": equals(3),
        ]
        let judgement = Self.judge(
            testCase([expect("sdl.A", from: "hu", where: wanted, within: .seconds(1))]),
            [
                hu("sdl.A", 0.1), hu("sdl.A", 0.2, ["a": 1]),
                hu("sdl.A", 0.3, ["b": 2]), sent("sdl.A", 0.4, ["a": 1, "b": 2, "c": 3]),
            ], end: 0.35)
        let near = try #require(judgement.reason?.explanation?.nearestMiss)
        #expect(near.frames == [2])
        #expect(
            near.differences == [
                "params.b: expected 2, got nothing", "params.c: expected 3, got nothing",
            ])
    }

    @Test("A long value is shortened, and a long message omits fields")
    func shortened() throws {
        let long = Value.string(String(repeating: "x", count: 500))
        let judgement = Self.judge(
            testCase([expect("sdl.A", where: ["params.t": equals("y")])]),
            [sent("sdl.A", 0.1, ["u": long, "v": long, "w": long, "z": long, "t": long])])
        let explanation = try #require(judgement.reason?.explanation)
        #expect(explanation.actual.hasPrefix("sdl.A {params.t: xxxx"))
        #expect(explanation.actual.contains("…"))
        #expect(explanation.actual.count < 300)
    }
}
