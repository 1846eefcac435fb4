import Judge
import Offline
import Results
import SuiteLanguage
import System

extension RunSession {
    /// How many failures are shrunk, each of another rule or kind.
    private static let shrinkingMax = 8
    private static let folders = ["captures/shrinking", "logs/shrinking"]

    /// Shrinks the first failure of a drawn run of each kind, by executing shorter runs.
    ///
    /// The verdicts stay as they are. A signal ends only the search.
    func shrink(
        _ result: inout RunResult, atMost limit: Duration, with scheduler: borrowing Scheduler,
        listener: (RunUpdate, RunResult) throws -> Void
    ) throws {
        guard limit > .zero else { return }
        var searches = searches(of: result)
        guard !searches.isEmpty else { return }
        let start = ContinuousClock.now
        let end = start + limit
        try listener(.shrinking(searches.count, atMost: limit), result)
        defer { for folder in Self.folders { try? reports.place(folder).remove() } }
        var jobCount = 0
        while ContinuousClock.now < end {
            let turns = searches.indices.flatMap { place in
                searches[place].nextTrials().map { (search: place, trial: $0) }
            }.sorted { $0.trial.run.acts.count < $1.trial.run.acts.count }
            guard !turns.isEmpty else { break }
            let first = jobCount
            let jobs = try turns.enumerated().map { offset, turn in
                try job(of: turn.trial.run, in: searches[turn.search], number: first + offset)
            }
            jobCount += jobs.count
            let outcome = try scheduler.run(
                jobs,
                selects: { searches[turns[$0].search].wants(turns[$0].trial) },
                listener: { event in
                    switch event {
                    case .started: break
                    case .waiting: try listener(.waiting, result)
                    case .finished(let index, var ended):
                        ended.capture = jobs[index].task.capture
                        ended.log = jobs[index].task.log
                        searches[turns[index].search].consume(ended, of: turns[index].trial)
                    }
                    return ContinuousClock.now < end
                })
            guard outcome == .completed else { break }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        for search in searches {
            guard
                let place = result.cases.firstIndex(where: {
                    $0.id == search.result.id
                        && $0.suite == search.result.suite
                })
            else { continue }
            let kept = try search.kept.map(settled) ?? search.result
            result.cases[place].shrunk = search.outcome(kept: kept, seconds: seconds)
            try listener(.shrunk(result.cases[place]), result)
        }
    }

    /// The searches for the first failure of each kind, in the order of the plan.
    private func searches(of result: RunResult) -> [ShrinkSearch] {
        let results = Dictionary(result.cases.map { (CaseReference($0), $0) }) { first, _ in first }
        var known: [String: Set<FailureKind>] = [:]
        var searches: [ShrinkSearch] = []
        for entry in entries where searches.count < Self.shrinkingMax {
            let suite = entry.suite.id
            guard let result = results[PlannedCase(entry).reference],
                let search = ShrinkSearch(entry, result, except: known[suite] ?? [])
            else { continue }
            known[suite, default: []].insert(search.kind)
            searches.append(search)
        }
        return searches
    }

    private func job(
        of run: DrawnRun, in search: ShrinkSearch, number: Int
    ) throws -> Scheduler.Job {
        let entry = RunPlan.Entry(
            path: search.entry.path, suite: search.entry.suite,
            testCase: try search.exploration.testCase(of: run), skipReason: nil)
        return try job(
            of: entry, scratch: "shrinking-\(number)",
            capture: "\(Self.folders[0])/\(number).pcapng", log: "\(Self.folders[1])/\(number).log")
    }

    /// Moves the files of an execution that is kept to the names of its case.
    private func settled(_ result: CaseResult) throws -> CaseResult {
        let reference = CaseReference(result)
        for (from, to) in [
            (result.capture, reference.capturePath), (result.log, reference.logPath),
        ] {
            guard let from, try reports.place(from).isThere else { continue }
            try reports.place(from).rename(to: reports.place(to, making: true))
        }
        var result = result
        (result.capture, result.log) = (nil, nil)
        return named(result)
    }
}
