/// The comparison of planned cases with judged ones.
///
/// It prevents a run that did nothing from passing. `planned = judged + skipped + not run` always
/// holds for a run without discrepancies.
public struct Audit: Sendable, Hashable, Codable {
    /// How many cases were planned.
    public var planned: Int
    /// How many cases got each verdict that is a judgement.
    public var judged: Judged
    /// The cases that do not apply, counted by the reason.
    public var skipped: [String: Int]
    /// How many cases were planned but not run, for whatever reason.
    public var notRun: Int
    /// What each case checked.
    public var cases: [CaseAudit]
    /// The contradictions; any entry makes the run an error.
    public var discrepancies: [String]
    /// The numbers of the other parts of a divided plan; `nil` for a run of the whole plan.
    public var shard: Shard?

    /// How many cases were judged, by verdict.
    public struct Judged: Sendable, Hashable, Codable {
        /// Cases in which everything that was demanded was seen.
        public var pass = 0
        /// Cases in which the device broke a requirement.
        public var fail = 0
        /// Cases that could not be judged.
        public var inconclusive = 0
        /// Cases in which the harness broke.
        public var error = 0
        /// Cases that failed as the list of known failures says.
        public var known = 0
        /// Cases that passed only on a repetition.
        public var flaky = 0

        /// Creates counts of zero.
        public init() {}

        /// Cases that passed, including on a repetition.
        public var passed: Int { pass + flaky }

        /// All judged cases.
        public var total: Int { pass + fail + inconclusive + error + known + flaky }
    }

    /// One part of a divided plan.
    public struct Shard: Sendable, Hashable, Codable {
        /// Which part, counted from 1.
        public var index: Int
        /// How many parts there are.
        public var total: Int
        /// How many cases of the plan the other parts have.
        public var elsewhere: Int
    }

    /// What one case checked.
    public struct CaseAudit: Sendable, Hashable, Codable {
        /// The suite's id.
        public var suite: String
        /// The case's id.
        public var id: String
        /// Its verdict.
        public var verdict: Verdict
        /// How many of its requirements have a conclusive verdict.
        public var checks: Int
        /// How many of its steps were done.
        public var steps: Int
    }

    /// Compares a plan with results in any order.
    public init(planned: [PlannedCase], results: [CaseResult]) {
        self.planned = planned.count
        judged = Judged()
        skipped = [:]
        notRun = 0
        cases = []
        discrepancies = []
        cases.reserveCapacity(results.count)
        let plan = index(planned)
        var seen: Set<CaseReference> = []
        for result in results {
            let reference = CaseReference(result)
            guard let entry = plan[reference] else {
                discrepancies.append("\(reference): a result came for a case that was not planned")
                continue
            }
            guard seen.insert(reference).inserted else {
                discrepancies.append("\(reference): more than one result came")
                continue
            }
            count(result)
            inspect(result, against: entry, named: reference)
        }
        for reference in planned.map(\.reference) where seen.insert(reference).inserted {
            notRun += 1
            discrepancies.append("\(reference): planned, and no result came")
        }
    }

    /// How many cases do not apply.
    public var skippedTotal: Int { skipped.values.reduce(0, +) }

    /// How many requirements have a conclusive verdict, over all cases.
    public var checks: Int { cases.reduce(0) { $0 + $1.checks } }

    /// Whether plan and results agree.
    public var isConsistent: Bool { discrepancies.isEmpty }

    private mutating func index(_ planned: [PlannedCase]) -> [CaseReference: PlannedCase] {
        var plan: [CaseReference: PlannedCase] = [:]
        plan.reserveCapacity(planned.count)
        for entry in planned where plan.updateValue(entry, forKey: entry.reference) != nil {
            discrepancies.append("\(entry.reference): planned more than once")
        }
        return plan
    }

    private mutating func count(_ result: CaseResult) {
        switch result.verdict {
        case .pass: judged.pass += 1
        case .fail: judged.fail += 1
        case .inconclusive: judged.inconclusive += 1
        case .error: judged.error += 1
        case .known: judged.known += 1
        case .flaky: judged.flaky += 1
        case .none: notRun += 1
        case .skipped where result.reason?.code == .notRun: notRun += 1
        case .skipped: skipped[result.reason?.summary ?? "", default: 0] += 1
        }
        cases.append(
            CaseAudit(
                suite: result.suite, id: result.id, verdict: result.verdict,
                checks: result.checks.count(where: \.verdict.isConclusion),
                steps: result.steps.count { $0.outcome == .done }))
    }

    private mutating func inspect(
        _ result: CaseResult, against entry: PlannedCase, named reference: CaseReference
    ) {
        switch result.verdict {
        case .none:
            discrepancies.append("\(reference): it ended without a verdict")
        case .skipped where (result.reason?.summary ?? "").isEmpty:
            discrepancies.append("\(reference): skipped without a reason")
        case .skipped, .error:
            break
        case .pass, .fail, .inconclusive, .known, .flaky:
            // What rules judge is known only when they have been exercised.
            let isOfRules = entry.steps == 0 && entry.checks.isEmpty && result.rules != nil
            if result.checks.isEmpty || entry.checks.isEmpty, !isOfRules {
                discrepancies.append("\(reference): judged with no requirement to check")
            }
            if result.steps.isEmpty || entry.steps == 0, !isOfRules {
                discrepancies.append("\(reference): judged with no step")
            }
            if result.verdict == .pass { inspectPass(result, against: entry, named: reference) }
        }
    }

    /// Checks a pass: every planned check must have passed, and no step failed.
    private mutating func inspectPass(
        _ result: CaseResult, against entry: PlannedCase, named reference: CaseReference
    ) {
        for check in entry.checks
        where !result.checks.contains(where: { $0.requirement == check && $0.verdict == .pass }) {
            discrepancies.append("\(reference): a pass without a result for \(check)")
        }
        if let step = result.steps.first(where: { $0.outcome == .failed }) {
            discrepancies.append("\(reference): a pass whose step at \(step.position) failed")
        }
        if !result.steps.isEmpty, !result.steps.contains(where: { $0.outcome == .done }) {
            discrepancies.append("\(reference): a pass in which no step was done")
        }
    }
}
