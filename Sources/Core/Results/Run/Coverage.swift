import SuiteLanguage

/// The results of a run for each requirement of its suites' catalogues.
public struct Coverage: Sendable, Hashable, Codable {
    /// The requirements in catalogue order, then those that are in no catalogue.
    public var rows: [Row]

    /// One requirement and the cases that judge it.
    public struct Row: Sendable, Hashable, Codable {
        /// The requirement's id.
        public var requirement: String
        /// Its sentence; empty if it is in no catalogue.
        public var text: String
        /// Its verdict over all cases; `none` if no case has a verdict on it.
        public var verdict: Verdict
        /// The cases that check it, each with its verdict on it.
        public var cases: [Entry]

        /// How many of the cases have a conclusive verdict on it.
        public var concluded: Int { cases.count(where: \.verdict.isConclusion) }
    }

    /// The verdict of one case on a requirement.
    public struct Entry: Sendable, Hashable, Codable {
        /// The case.
        public var reference: CaseReference
        /// Its verdict; `none` if it failed for another requirement or was not run.
        public var verdict: Verdict
    }

    /// Gathers the coverage; a requirement that several catalogues have is one row.
    public init(suites: [SuiteSummary], results: [CaseResult]) {
        rows = []
        var places: [String: Int] = [:]
        for requirement in suites.flatMap(\.requirements) where places[requirement.id] == nil {
            places[requirement.id] = rows.count
            rows.append(
                Row(
                    requirement: requirement.id, text: requirement.text, verdict: .none, cases: []))
        }
        for result in results {
            for check in result.checks {
                let place = places[check.requirement] ?? rows.count
                if place == rows.count {
                    places[check.requirement] = place
                    rows.append(
                        Row(requirement: check.requirement, text: "", verdict: .none, cases: []))
                }
                rows[place].cases.append(Entry(reference: CaseReference(result), check, in: result))
            }
        }
        for place in rows.indices {
            rows[place].verdict = Self.verdict(of: rows[place].cases)
        }
    }

    /// How many requirements have a conclusive verdict of a case.
    public var concluded: Int { rows.count { $0.concluded > 0 } }

    /// Returns the worst verdict: a pass of one case does not cancel the failure of another.
    private static func verdict(of entries: [Entry]) -> Verdict {
        let order: [Verdict] = [.fail, .error, .inconclusive, .known, .flaky, .pass, .skipped]
        return order.first { verdict in entries.contains { $0.verdict == verdict } } ?? .none
    }
}

extension Coverage.Entry {
    /// Creates an entry; a known or flaky case replaces verdicts of its failed or passed checks.
    fileprivate init(reference: CaseReference, _ check: CheckResult, in result: CaseResult) {
        self.reference = reference
        verdict =
            switch (result.verdict, check.verdict) {
            case (.known, .fail): .known
            case (.flaky, .pass): .flaky
            case (.skipped, _): result.reason?.code == .notRun ? .none : .skipped
            case (_, let verdict): verdict
            }
    }
}
