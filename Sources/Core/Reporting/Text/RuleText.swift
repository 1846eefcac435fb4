import Results

/// How often rules were exercised, in words.
enum RuleText {
    /// `rules: 12 of 14 exercised`; `nil` if the suites have no rules.
    static func line(_ coverage: RuleCoverage) -> String? {
        coverage.rows.isEmpty
            ? nil : "rules: \(coverage.exercised) of \(coverage.rows.count) exercised"
    }

    /// `exercised 31 times in 12 cases, 2 failed`, or `not exercised`.
    static func count(_ row: RuleCoverage.Row) -> String {
        guard row.exercised > 0 else {
            return "not exercised" + (row.rule.needs.map { " (needs \($0))" } ?? "")
        }
        return "exercised \(NumberText.count(row.exercised, "time")) in "
            + NumberText.count(row.cases, "case") + (row.failed > 0 ? ", \(row.failed) failed" : "")
    }

    /// `suite/rule: exercised 31 times in 12 cases`.
    static func line(_ row: RuleCoverage.Row) -> String {
        "\(row.suite)/\(row.rule.id): \(count(row))"
    }
}
