import Suites

/// What `conform list --coverage` shows: each requirement, the ways to break it, and the cases that
/// would notice.
public enum CoverageReport {
    /// A line a requirement, one a way, one a case, and the sum.
    public static func lines(_ coverage: WayCoverage, style: Style = .plain) -> [String] {
        coverage.rows.flatMap { row($0, style) } + [sum(coverage)]
    }

    private static func row(_ row: WayCoverage.Row, _ style: Style) -> [String] {
        let requirement = row.requirement
        let head = style.paint(PlainText.line(requirement.id), .bold)
        let basis = requirement.basis?.words ?? "The catalogue does not say what it rests on."
        let ways = row.ways.flatMap { way in
            ["  - \(PlainText.line(way.text))\(way.isOpen ? ": no case" : "")"]
                + way.cases.map { "      \(PlainText.line($0))" }
                + way.elsewhere.map { "      \(PlainText.line($0)) (not among these suites)" }
        }
        return ["\(head)  \(PlainText.line(requirement.text))", "  \(PlainText.line(basis))"]
            + (ways.isEmpty ? ["  no ways are written down"] : ways)
    }

    private static func sum(_ coverage: WayCoverage) -> String {
        let ways = coverage.rows.flatMap(\.ways)
        return "\(NumberText.count(coverage.rows.count, "requirement")), "
            + "\(NumberText.count(ways.count, "way")), \(ways.count(where: \.isOpen)) without a case"
    }
}
