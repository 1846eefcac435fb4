import FoundationEssentials
import Judge
import Offline
import Results
import SuiteLanguage
import TestBench
import Testing
import Trace

@testable import Live

@Suite("The expected duration of cases")
struct CaseTimesTests {
    private static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {quiet: 1s}
        cases:
          - {id: short, title: One, checks: [R-1], steps: [expect: sdl.StartService]}
          - {id: waits, title: Two, checks: [R-1], steps: [wait: 4s, {expect: sdl.StartService}]}
          - id: again
            title: Three
            checks: [R-1]
            steps:
              - repeat: {min: 2, max: 5, steps: [{expect: sdl.StartService, after: 1s}]}
          - id: absent
            title: Four
            checks: [R-1]
            quiet: end
            steps: [wait: 9s, {expect: sdl.StartService}]
          - id: attempts
            title: Five
            checks: [R-1]
            steps:
              - expect: sdl.StartService
              - backoff: {model: exponential, base: 1s, attempts: 3}
        """

    private func plan(
        _ bench: WorkBench, shard: ShardNumber? = nil, times: CaseTimes? = nil
    ) throws -> RunPlan {
        try RunPlan(
            suites: [(bench.suitePath, bench.suite)],
            selection: .init(), shard: shard, times: times,
            device: bench.job().task.device)
    }

    @Test("The declared time of a case sums its waits, earliest times and closing window")
    func declared() throws {
        let cases = try WorkBench(suite: Self.suite).suite.cases
        let seconds = Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.declaredSeconds) })
        #expect(seconds["short"] == 1)
        #expect(seconds["waits"] == 5)
        #expect(seconds["again"] == 3)
        #expect(seconds["attempts"] == 8)
    }

    @Test("A case that is patient with its device is likely to take a third of its patience")
    func patience() throws {
        let cases = try WorkBench(
            suite: Self.suite.replacing(
                "{expect: sdl.StartService}]",
                with: "{either: [[{expect: sdl.StartService, within: 33s}], [{expect: tcp.RST}]]}]")
        ).suite.cases
        let seconds = Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.likelySeconds) })
        #expect(seconds["absent"] == 11)
        #expect(seconds["attempts"] == 8)
    }

    @Test("A measured time overrides a declared one, and the longest cases come first")
    func longest() throws {
        let bench = try WorkBench(suite: Self.suite)
        let plan = try plan(bench)
        func ids(_ times: CaseTimes) -> [String] {
            times.longestFirst(plan.entries).map { plan.entries[$0].testCase.id }
        }
        #expect(ids(CaseTimes()) == ["attempts", "waits", "again", "short", "absent"])
        #expect(ids(try measured(bench)) == ["short", "attempts", "waits", "again", "absent"])
    }

    /// The times of a run in which the short case took long, and another was skipped.
    private func measured(_ bench: WorkBench) throws -> CaseTimes {
        var result = try JSONDecoder().decode(CaseResult.self, from: Data(bench.pass(id: "short")))
        result.seconds = 9
        var skipped = result
        (skipped.id, skipped.verdict, skipped.seconds) = ("again", .skipped, 20)
        let header = RunHeader(
            version: "", id: "", folder: "", started: Moment(WallClock.now), command: [], seed: 0,
            device: RunDevice(name: "", role: ""),
            environment: .current(isolation: ""), suites: [], planned: [])
        return CaseTimes(of: RunResult(header: header, cases: [result, skipped]))
    }

    @Test("Shards by times partition the plan, and take about the same time", arguments: 1...4)
    func parts(total: Int) throws {
        let bench = try WorkBench(suite: Self.suite)
        let times = try measured(bench)
        let whole = try plan(bench)
        let parts = try (1...total).map {
            try plan(bench, shard: ShardNumber(index: $0, total: total), times: times)
        }
        let ids = whole.entries.map(\.testCase.id)
        #expect(parts.flatMap { $0.entries.map(\.testCase.id) }.sorted() == ids.sorted())
        for part in parts {
            #expect(part.shard?.plan.map(\.id) == ids)
            let own = part.entries.map(\.testCase.id)
            #expect(own == ids.filter(own.contains))
        }
        let sums = parts.map { $0.entries.reduce(0) { $0 + times.seconds(of: $1) } }
        let expected: [Int: [Double]] = [1: [25], 2: [12, 13], 3: [9, 8, 8], 4: [9, 8, 5, 3]]
        #expect(sums == expected[total])
    }

    @Test("Executions begin in the given order")
    func ledger() {
        var ledger = AttemptLedger(policy: .once, cases: 3, order: [2, 0, 1])
        #expect(ledger.nextRound().map(\.place) == [2, 0, 1])
    }
}
