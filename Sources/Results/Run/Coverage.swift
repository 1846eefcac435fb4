import Suites

/// What a run says of each requirement of its suites' catalogues.
public struct Coverage: Sendable, Hashable, Codable {
    /// The requirements in catalogue order, then those that are in no catalogue.
    public var rows: [Row]

    /// One requirement and the cases that judge it.
    public struct Row: Sendable, Hashable, Codable {
        /// The requirement's id.
        public var requirement: String
        /// Its sentence; empty if it is in no catalogue.
        public var text: String
        /// What is said of it over all cases; `none` if no case has a verdict on it.
        public var verdict: Verdict
        /// The cases that check it, each with what it says of it.
        public var cases: [Entry]

        /// How many of the cases came to a conclusion on it.
        public var concluded: Int { cases.count(where: \.verdict.isConclusion) }
    }

    /// What one case says of a requirement.
    public struct Entry: Sendable, Hashable, Codable {
        /// The case.
        public var reference: CaseReference
        /// What it says; `none` if it failed for another requirement or was not run.
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

    /// How many requirements a case has come to a conclusion on.
    public var concluded: Int { rows.count { $0.concluded > 0 } }

    /// The gravest first: what one case has shown to be broken is not mended by another that passes.
    private static func verdict(of entries: [Entry]) -> Verdict {
        let order: [Verdict] = [.fail, .error, .inconclusive, .known, .flaky, .pass, .skipped]
        return order.first { verdict in entries.contains { $0.verdict == verdict } } ?? .none
    }
}

extension Coverage.Entry {
    /// Known and flaky are said of a whole case; the failing checks of such a case take them over.
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
