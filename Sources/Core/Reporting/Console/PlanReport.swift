import Results

/// The output of `conform list`: the plan, suite by suite.
public enum PlanReport {
    /// A case that would be skipped.
    public struct Skip: Sendable {
        let reference: CaseReference
        let reason: String

        /// Creates an entry.
        public init(_ planned: PlannedCase, reason: String) {
            reference = planned.reference
            self.reason = reason
        }
    }

    /// Returns one line for each suite and each case, the totals, and the cases that would be
    /// skipped.
    ///
    /// - Parameters:
    ///   - suites: The suites; those without a planned case are omitted.
    ///   - planned: The cases.
    ///   - isWhole: Whether these are all cases of the suites. For only some of the cases,
    ///     requirements that no case checks are not listed.
    ///   - skips: Cases of the plan that would be skipped; those with the same reason are listed
    ///     together.
    ///   - style: Colour and width.
    public static func lines(
        suites: [SuiteSummary], planned: [PlannedCase], isWhole: Bool = true, skips: [Skip] = [],
        style: Style = .plain
    ) -> [String] {
        var lines: [String] = []
        let names = Set(planned.map(\.suite))
        let listed = planned.isEmpty ? suites : suites.filter { names.contains($0.id) }
        for suite in listed where !planned.isEmpty {
            let title = PlainText.line("\(suite.title) (\(suite.file))")
            lines.append("\(style.paint(PlainText.line(suite.id), .bold))  \(title)")
            let cases = planned.filter { $0.suite == suite.id }
            let width = min(60, cases.map { Columns.width(of: PlainText.line($0.id)) }.max() ?? 0)
            lines += cases.map { line($0, width: width) }
        }
        return lines + sum(listed, planned, isWhole, style) + described(skips, style)
    }

    private static func line(_ planned: PlannedCase, width: Int) -> String {
        let checks = planned.checks.joined(separator: ", ")
        let name = Columns.padded(PlainText.line(planned.id), to: width)
        let steps = NumberText.count(planned.steps, "step")
        return "  \(name)  \(PlainText.line("[\(checks)]  \(steps)  \(planned.position)"))"
    }

    private static func sum(
        _ suites: [SuiteSummary], _ planned: [PlannedCase], _ isWhole: Bool, _ style: Style
    ) -> [String] {
        let checked = Set(planned.flatMap(\.checks))
        var known = checked
        let missing = suites.flatMap { $0.requirements.map(\.id) }
            .filter { known.insert($0).inserted }
        let all = NumberText.count(known.count, "requirement")
        let sum =
            "\(NumberText.count(planned.count, "case")) of"
            + " \(NumberText.count(suites.count, "suite")); \(checked.count) of \(all) checked"
        guard isWhole, !missing.isEmpty else { return [sum] }
        return [sum]
            + indented("no case checks: " + missing.joined(separator: ", "), from: 1, style)
    }

    /// `would be skipped, 2 cases: REASON`, and below it their names.
    private static func described(_ skips: [Skip], _ style: Style) -> [String] {
        var order: [String] = []
        var cases: [String: [CaseReference]] = [:]
        for skip in skips {
            if cases[skip.reason] == nil { order.append(skip.reason) }
            cases[skip.reason, default: []].append(skip.reference)
        }
        return order.flatMap { reason -> [String] in
            let references = cases[reason] ?? []
            let names = references.map { "\($0)" }.joined(separator: ", ")
            let count = NumberText.count(references.count, "case")
            return ["would be skipped, \(count): \(PlainText.line(reason))"]
                + indented(names, from: 0, style)
        }
    }

    /// Returns the text in lines, indented from the line `first` on.
    private static func indented(_ text: String, from first: Int, _ style: Style) -> [String] {
        let margin = Columns.blanks(2)
        return Columns.wrapped(PlainText.line(text), to: style.width - margin.count)
            .enumerated().map { $0.offset < first ? $0.element : margin + $0.element }
    }
}
