import Results
import SuiteLanguage

/// The output of `conform list --coverage`: each requirement, the rules that judge it, the ways to
/// violate it, and the cases that detect each way.
public enum CoverageReport {
    /// Returns one line for each requirement, each rule, each way and each case, and the totals.
    ///
    /// - Parameter rules: How often rules were exercised in a run; `nil` without one.
    public static func lines(
        _ coverage: WayCoverage, rules: RuleCoverage? = nil, style: Style = .plain
    ) -> [String] {
        let counts = Dictionary(
            (rules?.rows ?? []).map { ("\($0.suite)/\($0.rule.id)", RuleText.count($0)) }
        ) { first, _ in first }
        return coverage.rows.flatMap { row($0, counts, style) } + [sum(coverage)]
            + (rules.flatMap(RuleText.line).map { [$0] } ?? [])
    }

    private static func row(
        _ row: WayCoverage.Row, _ counts: [String: String], _ style: Style
    ) -> [String] {
        let requirement = row.requirement
        let head = style.paint(PlainText.line(requirement.id), .bold)
        let basis = requirement.basis?.words ?? "The catalogue gives no basis for it."
        let ways = row.ways.flatMap { way in
            ["  - \(PlainText.line(way.text))\(way.isOpen ? ": no case" : "")"]
                + way.cases.map { "      \(PlainText.line($0))" }
                + way.elsewhere.map { "      \(PlainText.line($0)) (not in these suites)" }
        }
        let rules = row.rules.map { rule in
            "  rule \(PlainText.line(rule))" + (counts[rule].map { ": " + $0 } ?? "")
        }
        return ["\(head)  \(PlainText.line(requirement.text))", "  \(PlainText.line(basis))"]
            + rules
            + (ways.isEmpty ? ["  the catalogue lists no ways to violate it"] : ways)
    }

    private static func sum(_ coverage: WayCoverage) -> String {
        let ways = coverage.rows.flatMap(\.ways)
        return "\(NumberText.count(coverage.rows.count, "requirement")), "
            + "\(NumberText.count(ways.count, "way")), \(ways.count(where: \.isOpen)) without a case"
    }
}
