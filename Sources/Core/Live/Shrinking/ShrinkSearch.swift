import Judge
import Results
import SuiteLanguage

/// The search for the shortest run that fails as one drawn run of a plan does.
struct ShrinkSearch {
    /// An execution that the search asks for.
    struct Trial {
        let run: DrawnRun
        /// Whether it is only about how often the run fails.
        let isRepetition: Bool
    }

    /// How often a run is executed, to find out whether it always fails.
    private static let repetitions = 3

    /// The drawn run.
    let entry: RunPlan.Entry
    /// Its result.
    let result: CaseResult
    /// The exploration that it was drawn from.
    let exploration: Exploration
    /// The way in which it failed.
    let kind: FailureKind
    /// How many runs were executed.
    private(set) var runs = 0
    /// The first execution of the best run that failed; `nil` while that is the drawn run itself.
    private(set) var kept: CaseResult?
    /// Whether there is nothing left to try.
    private(set) var isMinimal = false
    private var shrinker: RunShrinker
    private var rates: [DrawnName: ShrunkRun.Rate]
    private var repeated: Set<DrawnName> = []

    /// Begins with a result; `nil` if it is not a failure of a drawn run in one of these ways.
    ///
    /// A run that was shrunk before is left as it is.
    init?(_ entry: RunPlan.Entry, _ result: CaseResult, except known: Set<FailureKind>) {
        guard let run = entry.testCase.drawn, run.name.acts == nil || run.isFitted,
            run.name.values.isEmpty, result.reason?.code != .unexpectedPass,
            let kind = result.failureKinds.first(where: { !known.contains($0) }),
            let exploration = entry.suite.explorations.first(where: {
                $0.id == run.name.exploration
            })
        else { return nil }
        (self.entry, self.result, self.kind) = (entry, result, kind)
        self.exploration = exploration
        shrinker = RunShrinker(exploration, run)
        rates = [run.name: ShrunkRun.Rate(failed: 1, judged: 1)]
    }

    /// The shortest and plainest run that failed.
    var best: DrawnRun { shrinker.best }

    /// Returns the executions to start next, those of the shortest runs first; none at the end.
    ///
    /// When nothing simpler fails, the drawn run and the best one are repeated. If they do not
    /// always fail, each of the others is tried more often, too.
    mutating func nextTrials() -> [Trial] {
        var trials = shrinker.proposals().map { Trial(run: $0, isRepetition: false) }
        if trials.isEmpty, rates.values.contains(where: { $0.failed > 0 && $0.isPartial }) {
            shrinker.tryAgain(times: Self.repetitions)
            trials = shrinker.proposals().map { Trial(run: $0, isRepetition: false) }
        }
        isMinimal = trials.isEmpty
        return isMinimal ? repetitions(of: shrinker.original) + repetitions(of: best) : trials
    }

    private mutating func repetitions(of run: DrawnRun) -> [Trial] {
        let left = Self.repetitions - (rates[run.name]?.judged ?? 0)
        guard repeated.insert(run.name).inserted, left > 0 else { return [] }
        return Array(repeating: Trial(run: run, isRepetition: true), count: left)
    }

    /// Whether it still matters how an execution ends.
    func wants(_ trial: Trial) -> Bool { trial.isRepetition || shrinker.isSimpler(trial.run) }

    /// Records the result of an execution.
    mutating func consume(_ result: CaseResult, of trial: Trial) {
        runs += 1
        let kinds = result.failureKinds
        guard result.verdict == .pass || !kinds.isEmpty else { return }
        let hasFailed = kinds.contains(kind)
        rates[trial.run.name, default: ShrunkRun.Rate(failed: 0, judged: 0)].judged += 1
        guard hasFailed else { return }
        rates[trial.run.name]?.failed += 1
        guard shrinker.isSimpler(trial.run) else { return }
        shrinker.consume(failed: trial.run)
        kept = result
        kept?.evidence = nil
    }

    /// Returns what was found.
    ///
    /// - Parameter kept: The kept execution with the names of its files.
    func outcome(kept: CaseResult, seconds: Double) -> ShrunkRun {
        let requirements = kept.requirements(of: kind)
        let name = best.name
        let none = ShrunkRun.Rate(failed: 0, judged: 0)
        return ShrunkRun(
            id: kept.id, acts: exploration.texts(of: best),
            drawnActs: shrinker.original.acts.count, execution: Execution(kept),
            requirements: requirements, rate: rates[name] ?? none,
            drawnRate: rates[shrinker.original.name] ?? none, runs: runs, seconds: seconds,
            isMinimal: isMinimal,
            suiteText: exploration.suiteText(
                of: best, id: "\(name.exploration)-\(name.seed)-\(name.number)",
                checks: requirements),
            reproduce: kept.reproduce)
    }
}
