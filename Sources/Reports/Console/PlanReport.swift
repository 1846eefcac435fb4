import Results

/// What `conform list` shows: the plan, suite by suite.
public enum PlanReport {
    /// A line a suite, a line a case, and the sum.
    public static func lines(
        suites: [SuiteSummary], planned: [PlannedCase], style: Style = .plain
    ) -> [String] {
        var lines: [String] = []
        for suite in suites {
            let title = PlainText.line("\(suite.title) (\(suite.file))")
            lines.append("\(style.paint(PlainText.line(suite.id), .bold))  \(title)")
            let cases = planned.filter { $0.suite == suite.id }
            let width = min(60, cases.map { Columns.width(of: PlainText.line($0.id)) }.max() ?? 0)
            lines += cases.map { line($0, width: width) }
        }
        return lines + sum(suites, planned)
    }

    private static func line(_ planned: PlannedCase, width: Int) -> String {
        let checks = planned.checks.joined(separator: ", ")
        let name = Columns.padded(PlainText.line(planned.id), to: width)
        let steps = NumberText.count(planned.steps, "step")
        return "  \(name)  \(PlainText.line("[\(checks)]  \(steps)  \(planned.position)"))"
    }

    private static func sum(_ suites: [SuiteSummary], _ planned: [PlannedCase]) -> [String] {
        let checked = Set(planned.flatMap(\.checks))
        let catalogue = suites.flatMap { $0.requirements.map(\.id) }
        let missing = catalogue.filter { !checked.contains($0) }
        let all = NumberText.count(checked.union(catalogue).count, "requirement")
        let sum =
            "\(NumberText.count(planned.count, "case")) of"
            + " \(NumberText.count(suites.count, "suite")); \(checked.count) of \(all) checked"
        return missing.isEmpty
            ? [sum] : [sum, "no case checks: " + PlainText.line(missing.joined(separator: ", "))]
    }
}
