import Results

/// The changes from one run to another, case by case.
public struct RunComparison: Sendable {
    /// A kind of change; a case may have several.
    public enum Change: String, Sendable, CaseIterable, Codable {
        /// Fails now and did not fail before, or is new and fails.
        case newlyFailing = "newly-failing"
        /// Could be judged before and cannot be judged now.
        case noLongerJudged = "no-longer-judged"
        /// Failed before and fails now.
        case stillFailing = "still-failing"
        /// Passed and failed in executions of the second run.
        case flaky
        /// Passes now and did not pass before.
        case newlyPassing = "newly-passing"
        /// Took significantly longer than before.
        case slower
        /// Was not planned before.
        case added
        /// Is no longer planned.
        case removed

        /// The heading of a list of such cases.
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
        /// The changes; empty if there are none.
        public let changes: Set<Change>
    }

    /// The bounds for a case to count as slower; both must be exceeded.
    public struct Slowness: Sendable, Hashable {
        /// The minimum increase in percent.
        public var percent: Double
        /// The minimum increase in seconds, so that noise does not count.
        public var seconds = 0.5

        /// Creates bounds.
        public init(percent: Double = 50) { self.percent = percent }
    }

    /// The first run.
    public let before: RunResult
    /// The second run.
    public let after: RunResult
    /// The files on which the verdicts depend and that differ between the runs, a clause each.
    public let differences: [String]
    /// Every case of either run, in the order of the second run's plan; removed cases come last.
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

    /// Returns the cases with a change of the given kind.
    public func rows(_ change: Change) -> [Row] { rows.filter { $0.changes.contains(change) } }

    /// The number of cases without any change; a case that still fails is not counted.
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

    /// A verdict, reduced to what comparison distinguishes.
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

    /// Returns whether executions of one run differ.
    ///
    /// A verdict that changed from run to run does not make a case flaky.
    private static func isFlaky(_ result: CaseResult) -> Bool {
        if result.verdict == .flaky { return true }
        let verdicts = Set((result.executions ?? []).map(\.verdict))
        return verdicts.contains(.pass)
            && (verdicts.contains(.fail) || verdicts.contains(.inconclusive))
    }
}
