import SuiteLanguage

/// The output of `conform list --coverage`: each requirement, the ways to violate it, and the cases
/// that detect each way.
public enum CoverageReport {
    /// Returns one line for each requirement, each way and each case, and the totals.
    public static func lines(_ coverage: WayCoverage, style: Style = .plain) -> [String] {
        coverage.rows.flatMap { row($0, style) } + [sum(coverage)]
    }

    private static func row(_ row: WayCoverage.Row, _ style: Style) -> [String] {
        let requirement = row.requirement
        let head = style.paint(PlainText.line(requirement.id), .bold)
        let basis = requirement.basis?.words ?? "The catalogue gives no basis for it."
        let ways = row.ways.flatMap { way in
            ["  - \(PlainText.line(way.text))\(way.isOpen ? ": no case" : "")"]
                + way.cases.map { "      \(PlainText.line($0))" }
                + way.elsewhere.map { "      \(PlainText.line($0)) (not in these suites)" }
        }
        return ["\(head)  \(PlainText.line(requirement.text))", "  \(PlainText.line(basis))"]
            + (ways.isEmpty ? ["  the catalogue lists no ways to violate it"] : ways)
    }

    private static func sum(_ coverage: WayCoverage) -> String {
        let ways = coverage.rows.flatMap(\.ways)
        return "\(NumberText.count(coverage.rows.count, "requirement")), "
            + "\(NumberText.count(ways.count, "way")), \(ways.count(where: \.isOpen)) without a case"
    }
}
