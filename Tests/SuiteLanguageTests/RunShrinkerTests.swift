import Testing
import Wire

@testable import SuiteLanguage

@Suite("Drawn runs: the same again, and made shorter")
struct RunShrinkerTests {
    private static let explorations = """
        classes:
          vehicles:
            first: {make: A, model: M, modelYear: "2026", trim: T}
            second: {make: B, model: M, modelYear: "2026", trim: T}
          languages: [EN-US, DE-DE, FR-CA, ZH-TW]
          messages: [sdl.Show.request, sdl.Alert.request, sdl.Speak.request]
        explore:
          - id: lives
            title: Lives
            checks: [A-1]
            given: {hu: {vehicle: {draw: vehicles}}}
            acts:
              close: {do: hu.close, when: {connected: [false, true]}}
              listen: {do: hu.listen, sets: {connected: true}}
              reset: {do: hu.reset, when: {connected: true}}
              other:
                steps:
                  - do: {hu.configure: {vehicle: {draw: vehicles}, language: {draw: languages}}}
                  - do: hu.close
              set: {do: {hu.configure: {silent: {subset: messages, min: 1}}}}
            length: 5..9
            settle: 1s
        """

    private static func suite() throws -> Suite {
        try SuiteFixture.load(SuiteFixture.head.replacing("cases:\n", with: explorations))
    }

    private func exploration() throws -> Exploration {
        try #require(try Self.suite().explorations.first)
    }

    @Test("The same seed draws the same runs, and a name draws its run again")
    func drawnAgain() throws {
        let exploration = try exploration()
        let runs = exploration.runs(seed: 7, count: 30)
        #expect(runs == exploration.runs(seed: 7, count: 30))
        #expect(runs != exploration.runs(seed: 8, count: 30))
        for run in runs {
            let name = try #require(DrawnName(run.name.description))
            #expect(name == run.name)
            #expect(exploration.run(named: name) == run)
            #expect((5...9).contains(run.acts.count))
        }
        let coverage = exploration.coverage(seed: 7, count: 30)
        #expect(coverage.pairs == coverage.allPairs)
        #expect(coverage.values == coverage.allValues)
    }

    @Test("The case of a run is the same as its text in a suite")
    func text() throws {
        let exploration = try exploration()
        for run in exploration.runs(seed: 1, count: 10) {
            let drawn = try exploration.testCase(of: run)
            let text = exploration.suiteText(of: run, id: "pasted", checks: ["A-1"])
            let pasted = try #require(try SuiteFixture.load(SuiteFixture.head + text).cases.first)
            #expect(pasted.steps.map(\.suiteText) == drawn.steps.map(\.suiteText))
            #expect(pasted.peers.map(\.settings) == drawn.peers.map(\.settings))
            #expect(pasted.allChecks == ["A-1"])
        }
    }

    /// What the steps of a case do.
    private func actions(_ testCase: TestCase) -> [String] {
        testCase.steps.plain.compactMap { step in
            if case .perform(let action) = step.verb { action.name } else { nil }
        }
    }

    @Test("A run is without the acts that a device cannot do, and those that need them")
    func fitted() throws {
        let exploration = try exploration()
        let suite = try Self.suite().drawing(seed: 7, count: 30) { testCase in
            !self.actions(testCase).contains("listen")
        }
        let drawn = suite.cases.compactMap(\.drawn)
        let whole = exploration.runs(seed: 7, count: 30)
        #expect(drawn.map(\.name.number) == whole.map(\.name.number))
        #expect(drawn.contains { $0.isFitted })
        for (drawn, whole) in zip(drawn, whole) {
            let names = whole.acts.map { exploration.acts[$0.act].name }
            // Nothing sets "connected" but "listen".
            let rest = names.filter { $0 != "listen" && $0 != "reset" }
            #expect(drawn.acts.map { exploration.acts[$0.act].name } == rest)
            #expect(drawn.isFitted == (rest != names))
            let again = try #require(try Self.suite().testCase(drawn.name.description))
            #expect(again.drawn?.acts == drawn.acts)
            let shrunk = shrink(exploration, drawn) { $0.acts.contains { $0.act == 0 } }
            #expect(shrunk.best.acts.count == (rest.contains("close") ? 1 : rest.count))
        }
    }

    @Test("A run that cannot be without what a device cannot do is whole")
    func unfitted() throws {
        let suite = try Self.suite().drawing(seed: 7, count: 3) { $0.id == "-" }
        #expect(suite.cases.compactMap(\.drawn) == (try exploration().runs(seed: 7, count: 3)))
    }

    /// Shrinks with a device that fails by a condition; returns what is left and how many rounds
    /// and runs it took.
    private func shrink(
        _ exploration: Exploration, _ run: DrawnRun, repetitions: Int = 1,
        fails: (DrawnRun) -> Bool
    ) -> (best: DrawnRun, rounds: Int, runs: Int) {
        var shrinker = RunShrinker(exploration, run)
        if repetitions > 1 { shrinker.tryAgain(times: repetitions) }
        var (rounds, runs) = (0, 0)
        while case let proposals = shrinker.proposals(), !proposals.isEmpty, rounds < 100 {
            rounds += 1
            for proposal in proposals where shrinker.isSimpler(proposal) {
                runs += 1
                if fails(proposal) { shrinker.consume(failed: proposal) }
            }
        }
        return (shrinker.best, rounds, runs)
    }

    @Test("Two acts that are needed stay, in their order, with the value that is needed")
    func twoActs() throws {
        let exploration = try exploration()
        let (other, set) = (3, 4)
        func fails(_ run: DrawnRun) -> Bool {
            guard let first = run.acts.firstIndex(where: { $0.act == other && $0.choices[1] == 2 })
            else { return false }
            return run.acts[first...].contains { $0.act == set && $0.choices[0] & 0b100 != 0 }
        }
        let failing = exploration.runs(seed: 3, count: 400).filter(fails)
        try #require(failing.count > 10)
        for run in failing {
            let (best, rounds, runs) = shrink(exploration, run, fails: fails)
            #expect(best.acts.map(\.act) == [other, set])
            #expect(best.given == [0])
            #expect(best.acts.map(\.choices) == [[0, 2], [0b100]])
            #expect(fails(best))
            #expect(exploration.run(named: best.name) == best, "\(best.name)")
            #expect(DrawnName(best.name.description) == best.name)
            #expect(rounds <= 12 && runs <= 100, "\(rounds) rounds, \(runs) runs")
        }
    }

    @Test("An act without its condition is never proposed, and a run may end without acts")
    func conditions() throws {
        let exploration = try exploration()
        let (listen, reset) = (1, 2)
        let runs = exploration.runs(seed: 5, count: 50)
        let resets = runs.filter { $0.acts.contains { $0.act == reset } }
        for run in resets {
            let best = shrink(exploration, run) { $0.acts.contains { $0.act == reset } }.best
            #expect(best.acts.map(\.act) == [listen, reset])
        }
        let always = shrink(exploration, runs[0]) { _ in true }.best
        #expect(always.acts.isEmpty)
        #expect(always.name.acts == [])
        #expect(DrawnName(always.name.description) == always.name)
        #expect(shrink(exploration, runs[0]) { _ in false }.best == runs[0])
    }

    @Test("A failure that comes only sometimes is found by repetition")
    func sometimes() throws {
        let exploration = try exploration()
        var executions = 0
        let run = try #require(
            exploration.runs(seed: 5, count: 50).first { $0.acts.contains { $0.act == 2 } })
        let best = shrink(exploration, run, repetitions: 3) { run in
            executions += 1
            return executions % 3 == 0 && run.acts.contains { $0.act == 2 }
        }.best
        #expect(best.acts.count < run.acts.count)
    }
}
