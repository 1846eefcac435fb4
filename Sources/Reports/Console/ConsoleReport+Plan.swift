import Runner
import Suites
import Verdicts

extension ConsoleReport {
    /// What `conform list` shows: the plan, a line a suite, a line a case, and the sum.
    ///
    /// - Parameter skipped: Why cases will be skipped.
    public static func plan(
        suites: [SuiteSummary], planned: [PlannedCase],
        skipped: [CaseReference: Reason] = [:], style: Style = .plain
    ) -> String {
        var lines: [String] = []
        for suite in suites {
            let title = PlainText.line("\(suite.title) (\(suite.file))")
            lines.append("\(style.paint(PlainText.line(suite.id), .bold))  \(title)")
            let cases = planned.filter { $0.suite == suite.id }
            let width = min(60, cases.map { Columns.width(of: PlainText.line($0.id)) }.max() ?? 0)
            for entry in cases {
                lines.append(line(entry, width: width))
                if let reason = skipped[entry.reference] {
                    let text = "    skipped: " + PlainText.line(reason.summary)
                    lines.append(style.paint(text, .yellow))
                }
            }
        }
        return (lines + sum(suites, planned, skipped: skipped.count)).joined(separator: "\n")
    }

    private static func line(_ planned: PlannedCase, width: Int) -> String {
        let checks = planned.checks.joined(separator: ", ")
        let name = Columns.padded(PlainText.line(planned.id), to: width)
        let steps = NumberText.count(planned.steps, "step")
        return "  \(name)  \(PlainText.line("[\(checks)]  \(steps)  \(planned.position)"))"
    }

    private static func sum(
        _ suites: [SuiteSummary], _ planned: [PlannedCase], skipped: Int
    ) -> [String] {
        let checked = Set(planned.flatMap(\.checks))
        let catalogue = suites.flatMap { $0.requirements.map(\.id) }
        let missing = catalogue.filter { !checked.contains($0) }
        let all = NumberText.count(checked.union(catalogue).count, "requirement")
        let sum =
            "\(NumberText.count(planned.count, "case")) of"
            + " \(NumberText.count(suites.count, "suite")), \(skipped) to be skipped;"
            + " \(checked.count) of \(all) checked"
        return missing.isEmpty
            ? [sum] : [sum, "no case checks: " + PlainText.line(missing.joined(separator: ", "))]
    }
}
