import SuiteLanguage
import TestSupport
import Testing
import Trace
import Wire

@testable import Judge

/// The judgement is a function of the trace: how the matcher is driven does not matter.
@Suite struct PropertyTests {
    static let corpus =
        SequenceTests.scenarios + TimingTests.scenarios + FaultTests.scenarios
        + CaptureTests.scenarios
        + VariableTests.scenarios

    typealias Generator = SeededGenerator

    /// Judges like a live run, with the clock running between messages.
    static func live(_ scenario: Scenario, _ random: inout Generator) -> Judgement {
        var judge = scenario.judge
        var now = Cast.start
        for message in Line.messages(scenario.trace) {
            tick(&judge, from: now, to: message.time, &random)
            now = max(now, message.time)
            _ = judge.consume(message)
        }
        tick(&judge, from: now, to: Cast.time(scenario.end), &random)
        return judge.finish(
            at: Cast.time(scenario.end), cause: scenario.cause, dropped: scenario.dropped
        )[0].judgement
    }

    private static func tick(
        _ matcher: inout Judge, from: Timestamp, to: Timestamp, _ random: inout Generator
    ) {
        guard from < to else { return }
        let times = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Timestamp(
                nanoseconds: Int64.random(in: from.nanoseconds...to.nanoseconds, using: &random))
        }
        for time in times.sorted() {
            _ = matcher.advance(to: time)
            if let next = matcher.nextDeadline { #expect(next > time) }
            // A harness handles every deadline before the next packet.
            if let next = matcher.nextDeadline, next <= to, Bool.random(using: &random) {
                _ = matcher.advance(to: next)
            }
        }
    }

    @Test("The corpus has at least 60 cases and no name twice")
    func size() {
        #expect(Self.corpus.count >= 60)
        #expect(Set(Self.corpus.map(\.name)).count == Self.corpus.count)
    }

    @Test("A running clock changes no judgement of the corpus", arguments: corpus)
    func corpusWithClock(_ scenario: Scenario) {
        var random = Generator(seed: 7)
        let offline = scenario.judgement
        for _ in 0..<8 { #expect(Self.live(scenario, &random) == offline) }
    }

    @Test("Messages after the end of judging change no judgement", arguments: corpus)
    func corpusWithTail(_ scenario: Scenario) {
        var matcher = scenario.matcher
        let messages = Line.messages(scenario.trace)
        let count = messages.firstIndex { message in
            _ = matcher.consume(message)
            return matcher.isFinished
        }
        guard let count else { return }
        var longer = scenario
        longer.trace = Array(scenario.trace[...count]) + [sent("sdl.Bad", 90), gap(91)]
        #expect(longer.judgement == scenario.judgement)
    }

    @Test(
        "Without the details that only a report shows, the verdict and its sentence are the same",
        arguments: corpus)
    func verdictOnly(_ scenario: Scenario) {
        guard scenario.testCase.measures.isEmpty else { return }
        var brief = scenario
        brief.options.isVerdictOnly = true
        let (whole, short) = (scenario.judgement, brief.judgement)
        #expect(short.verdict == whole.verdict)
        #expect(short.reason?.code == whole.reason?.code)
        #expect(short.reason?.summary == whole.reason?.summary)
        #expect(short.decidedAt == whole.decidedAt)
        #expect(short.rows.isEmpty && short.steps.isEmpty)
    }

    @Test(
        "A running clock changes no judgement of random cases on random traces", arguments: 1...150)
    func randomTraces(_ seed: Int) {
        var random = Generator(seed: UInt64(seed))
        let scenario = Self.scenario(&random)
        let offline = scenario.judgement
        for _ in 0..<4 { #expect(Self.live(scenario, &random) == offline) }
        Self.verifyInvariants(offline, scenario)
    }

    @Test("The random cases reach every kind of verdict")
    func spread() {
        let verdicts = (1...150).map { seed in
            var random = Generator(seed: UInt64(seed))
            return Self.scenario(&random).judgement.verdict
        }
        #expect(Set(verdicts).isSuperset(of: [.pass, .fail, .inconclusive]))
    }

    /// Verifies what holds for every judgement.
    private static func verifyInvariants(_ judgement: Judgement, _ scenario: Scenario) {
        let isPass = judgement.verdict == .pass
        #expect(isPass == (judgement.reason == nil))
        #expect([.pass, .inconclusive, .fail, .error].contains(judgement.verdict))
        if isPass {
            #expect(judgement.steps.allSatisfy { $0.outcome == .done })
            #expect(judgement.checks.allSatisfy { $0.verdict == .pass })
        }
        #expect(judgement.steps.count { $0.outcome == .failed } <= 1)
        let firstOpen = judgement.steps.firstIndex { $0.outcome != .done } ?? judgement.steps.count
        #expect(judgement.steps[firstOpen...].allSatisfy { $0.outcome != .done })
        if judgement.verdict == .fail {
            #expect(judgement.checks.contains { $0.verdict == .fail })
            #expect(judgement.reason?.summary.contains("suite.yaml:") == true)
        }
    }

    private static func scenario(_ random: inout Generator) -> Scenario {
        let names = ["sdl.A", "sdl.B", "sdl.C"]
        func name() -> String { names.randomElement(using: &random) ?? "sdl.A" }
        func step() -> Step {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return pause(.milliseconds(Int.random(in: 1...400, using: &random)))
            case 1: return sending("sdl.N")
            case 2: return act("hu", "configure")
            case 3: return expect("sdl.R", from: "hu", within: .seconds(1))
            default: return expect(name(), within: .seconds(1))
            }
        }
        let preamble = (0..<Int.random(in: 0...1, using: &random)).map { _ in step() }
        let steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in step() }
        let testCase = testCase(
            preamble: preamble, steps,
            never: Bool.random(using: &random) ? [never("sdl.Bad")] : [],
            ignore: [pattern("sdl.C")], unexpected: Bool.random(using: &random) ? .allow : .fail)
        var trace: [Line] = []
        var time = 0.0
        // Mostly what the steps demand, sometimes something else.
        for step in preamble + steps {
            time += Double(Int.random(in: 0...40, using: &random)) / 1000
            switch step.verb {
            case .expect(let name):
                trace.append(step.from == "hu" ? hu(name, time) : sent(name, time))
            case .send(let name, _, _): trace.append(hu(name, time))
            case .wait(let duration): time += duration / .seconds(1)
            default: break
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                time += Double(Int.random(in: 0...900, using: &random)) / 1000
                trace.append(
                    sent(["sdl.Bad", "sdl.C", name()].randomElement(using: &random) ?? "", time))
            }
        }
        return Scenario("random", testCase, trace, end: time + 5, .none)
    }
}
