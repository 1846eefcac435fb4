import Results
import TestSupport
import Testing
import Trace

@testable import Judge
@testable import SuiteLanguage

/// Waits of several executions, judged together.
struct PooledSpreadTests {
    private typealias Generator = PropertyTests.Generator

    /// The result of an execution in which the client drew these parts of full jitter over 10 s.
    private static func result(
        _ places: [Double], id: String = "one", at start: Double, checks: [String] = ["A-1"]
    ) -> CaseResult {
        var time = start
        let samples = places.map { place in
            defer { time += place * 10 }
            return SpreadTest.Sample(
                measured: place * 10, lower: 0, upper: 10, uncut: 10, early: 0.005, late: 0.02,
                dependsOnHistory: false, number: 1, began: Cast.time(time))
        }
        var step = StepResult(part: .body, text: "backoff: {}", position: at(9), outcome: .done)
        step.spread = ScheduledSpread(of: [samples], level: BackoffSchedule.usualLevel)
        step.spread?.drawn = DrawnWaits(samples: samples, step: 2, requirements: [])
        return CaseResult(
            suite: "made-up", id: id, title: "", position: at(1), verdict: .pass,
            checks: checks.map { CheckResult(requirement: $0, verdict: .pass) }, steps: [step])
    }

    /// Returns the results judged in sequence.
    private static func verdicts(
        _ results: [CaseResult], concurrent: Bool = true
    ) -> [CaseResult] {
        var pool = PooledSpread(takesConcurrent: concurrent)
        return results.map { result in
            pool.add(result, of: result.id)
            return pool.judged(result, of: result.id)
        }
    }

    private static func drawn(
        _ count: Int, of range: ClosedRange<Double>, _ random: inout Generator
    ) -> [Double] {
        (0..<count).map { _ in Double.random(in: range, using: &random) }
    }

    @Test("Correct clients pass, however often a case is executed")
    func right() {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let results = (0..<12).map {
                Self.result(Self.drawn(6, of: 0...1, &random), at: Double($0) * 100)
            }
            let judged = Self.verdicts(results)
            #expect(judged.allSatisfy { $0.verdict == .pass }, "seed \(seed)")
            #expect(judged.last?.remarks.first?.hasPrefix("over 12 executions: 72 waits") == true)
        }
    }

    @Test("Waits from half of the bounds are found once over executions that each pass alone")
    func half() throws {
        var random = Generator(seed: 3)
        let results = (0..<12).map {
            Self.result(Self.drawn(8, of: 0...0.5, &random), at: Double($0) * 100)
        }
        let failed = Self.verdicts(results).filter { $0.verdict == .fail }
        #expect(failed.count == 1)
        let reason = try #require(failed.first?.reason)
        #expect(reason.code == .timing && reason.summary.contains("executions: the "))
        #expect(reason.summary.contains("broken: chance"), "\(reason.summary)")
    }

    @Test("A client that repeats its draws in another execution or another case has a fixed seed")
    func seed() {
        var random = Generator(seed: 5)
        let places = Self.drawn(8, of: 0...1, &random)
        let again = Self.verdicts([Self.result(places, at: 0), Self.result(places, at: 100)])
        #expect(again.map(\.verdict) == [.pass, .fail])
        let other = Self.verdicts([
            Self.result(places, at: 0), Self.result(places, id: "two", at: 100),
        ])
        #expect(other.map(\.verdict) == [.pass, .fail])
        let sentence = other.last?.reason?.summary ?? ""
        #expect(sentence.contains("together with one: "), "\(sentence)")
    }

    @Test("The same waits in two captures, or judged by two cases, count once")
    func overlap() {
        var random = Generator(seed: 5)
        let places = Self.drawn(8, of: 0...1, &random)
        for id in ["one", "two"] {
            let results = [
                Self.result(places, at: 0), Self.result(places, id: id, at: 0.3),
            ]
            let judged = Self.verdicts(results, concurrent: false)
            #expect(judged.allSatisfy { $0.verdict == .pass }, "\(id)")
        }
    }

    @Test("An execution that is inconclusive is not counted")
    func excluded() {
        var random = Generator(seed: 5)
        let places = Self.drawn(8, of: 0...1, &random)
        var late = Self.result(places, at: 0)
        late.verdict = .inconclusive
        let judged = Self.verdicts([late, Self.result(places, at: 100)])
        #expect(judged.map(\.verdict) == [.inconclusive, .pass])
    }

    @Test("Only the requirements of the step fail")
    func checks() throws {
        var random = Generator(seed: 5)
        let places = Self.drawn(8, of: 0...1, &random)
        func made(_ start: Double) -> CaseResult {
            var result = Self.result(places, at: start, checks: ["A-1", "A-2"])
            let samples = result.steps[0].spread?.drawn?.samples ?? []
            result.steps[0].spread?.drawn = DrawnWaits(
                samples: samples, step: 2,
                requirements: [
                    Requirement(id: "A-2", text: "", source: "", wire: "", position: at(1))
                ])
            return result
        }
        let failed = try #require(Self.verdicts([made(0), made(100)]).last)
        #expect(failed.checks.map(\.verdict) == [.none, .fail])
    }
}
