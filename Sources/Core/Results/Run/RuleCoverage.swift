import SuiteLanguage

/// How often each rule of a run's suites was exercised.
public struct RuleCoverage: Sendable, Hashable {
    /// The rules, in the order of the suites and of their files.
    public var rows: [Row] = []

    /// One rule and the cases in which it was exercised.
    public struct Row: Sendable, Hashable {
        /// The id of its suite.
        public var suite: String
        /// The rule.
        public var rule: RuleSummary
        /// How many of its instances have a result, in all cases.
        public var exercised = 0
        /// In how many cases it was exercised.
        public var cases = 0
        /// How many of its instances failed.
        public var failed = 0
    }

    /// Counts the rules in results.
    public init(suites: [SuiteSummary], results: [CaseResult]) {
        var places: [CaseReference: Int] = [:]
        for suite in suites {
            for rule in suite.rules ?? [] {
                let reference = CaseReference(suite: suite.id, id: rule.id)
                guard places.updateValue(rows.count, forKey: reference) == nil else { continue }
                rows.append(Row(suite: suite.id, rule: rule))
            }
        }
        for case (let suite, let found?) in results.lazy.map({ ($0.suite, $0.rules) }) {
            for result in found where result.exercised > 0 {
                let reference = CaseReference(suite: suite, id: result.rule)
                guard let place = places[reference] else { continue }
                rows[place].exercised += result.exercised
                rows[place].failed += result.failed
                rows[place].cases += 1
            }
        }
    }

    /// How many rules were exercised.
    public var exercised: Int { rows.count { $0.exercised > 0 } }
}

extension RunResult {
    /// How often each rule of the suites was exercised.
    public var ruleCoverage: RuleCoverage {
        RuleCoverage(suites: header.suites, results: cases)
    }
}
