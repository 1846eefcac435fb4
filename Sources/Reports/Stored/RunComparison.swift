import Results

/// What has changed from one run to another, case by case.
public struct RunComparison: Sendable {
    /// A kind of change; a case may have several.
    public enum Change: String, Sendable, CaseIterable, Codable {
        /// Failed now and not before, or is new and fails.
        case newlyFailing = "newly-failing"
        /// Could be judged before and cannot be now.
        case noLongerJudged = "no-longer-judged"
        /// Failed before and now.
        case stillFailing = "still-failing"
        /// Passed and failed under the same conditions, now.
        case flaky
        /// Passes now and did not before.
        case newlyPassing = "newly-passing"
        /// Took clearly longer than before.
        case slower
        /// Was not planned before.
        case added
        /// Is not planned any more.
        case removed

        /// What heads a list of such cases.
        var title: String {
            switch self {
            case .newlyFailing: "newly failing"
            case .noLongerJudged: "no longer judged"
            case .stillFailing: "still failing"
            case .flaky: "flaky"
            case .newlyPassing: "newly passing"
            case .slower: "slower"
            case .added: "added"
            case .removed: "removed"
            }
        }
    }

    /// One case in both runs.
    public struct Row: Sendable {
        /// The case.
        public let reference: CaseReference
        /// Its result in the first run; `nil` if it was not planned.
        public let before: CaseResult?
        /// Its result in the second run; `nil` if it was not planned.
        public let after: CaseResult?
        /// What has changed; empty if nothing has.
        public let changes: Set<Change>
    }

    /// When a case counts as slower: both bounds must be passed.
    public struct Slowness: Sendable, Hashable {
        /// By how many percent it must have become slower.
        public var percent: Double
        /// By how many seconds it must have become slower, so that noise does not count.
        public var seconds: Double

        /// Makes bounds.
        public init(percent: Double = 50, seconds: Double = 0.5) {
            self.percent = percent
            self.seconds = seconds
        }
    }

    /// The first run.
    public let before: RunResult
    /// The second run.
    public let after: RunResult
    /// The files that the verdicts rest on and that are not the same in both, a clause each.
    public let differences: [String]
    /// Every case of either, in the order of the second run's plan; removed ones are last.
    public let rows: [Row]

    /// Compares two runs.
    public init(_ before: RunResult, _ after: RunResult, slowness: Slowness = Slowness()) {
        self.before = before
        self.after = after
        differences = DigestComparison.differences(before.header, after.header)
        let old = Dictionary(
            before.casesInPlanOrder.map { (CaseReference($0), $0) },
            uniquingKeysWith: { first, _ in first })
        var rows: [Row] = []
        var seen: Set<CaseReference> = []
        for result in after.casesInPlanOrder {
            let reference = CaseReference(result)
            guard seen.insert(reference).inserted else { continue }
            rows.append(
                Row(
                    reference: reference, before: old[reference], after: result,
                    changes: Self.changes(old[reference], result, slowness)))
        }
        for result in before.casesInPlanOrder {
            let reference = CaseReference(result)
            guard seen.insert(reference).inserted else { continue }
            rows.append(Row(reference: reference, before: result, after: nil, changes: [.removed]))
        }
        self.rows = rows
    }

    /// The cases with a change of that kind.
    public func rows(_ change: Change) -> [Row] { rows.filter { $0.changes.contains(change) } }

    /// How many cases are in both runs and nothing has changed, failures that stay apart.
    public var unchanged: Int { rows.count { $0.changes.isEmpty } }

    private static func changes(
        _ before: CaseResult?, _ after: CaseResult, _ slowness: Slowness
    ) -> Set<Change> {
        var changes: Set<Change> = before == nil ? [.added] : []
        let (was, now) = (before.map(State.init), State(after))
        switch (was, now) {
        case (.failed, .failed): changes.insert(.stillFailing)
        case (_, .failed): changes.insert(.newlyFailing)
        case (.passed?, .unjudged), (.failed?, .unjudged), (.excused?, .unjudged):
            changes.insert(.noLongerJudged)
        case (.failed?, .passed), (.unjudged?, .passed), (.excused?, .passed):
            changes.insert(.newlyPassing)
        default: break
        }
        if isFlaky(after) { changes.insert(.flaky) }
        if let before, State(before) == .passed, now == .passed,
            after.seconds > before.seconds * (1 + slowness.percent / 100),
            after.seconds - before.seconds > slowness.seconds
        {
            changes.insert(.slower)
        }
        return changes
    }

    /// A verdict as far as comparing goes.
    private enum State: Hashable {
        case passed, failed, unjudged, excused

        init(_ result: CaseResult) {
            self =
                switch result.verdict {
                case .pass, .flaky: .passed
                case .fail: .failed
                case .inconclusive, .error, .none, .skipped: .unjudged
                case .known: .excused
                }
        }
    }

    /// Whether executions of one run differ; a verdict that changed from run to run is no sign.
    private static func isFlaky(_ result: CaseResult) -> Bool {
        if result.verdict == .flaky { return true }
        let verdicts = Set((result.executions ?? []).map(\.verdict))
        return verdicts.contains(.pass)
            && (verdicts.contains(.fail) || verdicts.contains(.inconclusive))
    }
}
