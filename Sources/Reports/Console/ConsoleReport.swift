import Runner
import Verdicts

/// What a person sees while a run goes on and at its end; no text ends with a line end.
public enum ConsoleReport {
    /// What a run is about to do.
    public static func opening(_ header: RunHeader, style: Style = .plain) -> String {
        let cases = NumberText.count(header.planned.count, "case")
        let suites = NumberText.count(header.suites.count, "suite")
        let device = PlainText.line(header.device.label)
        return style.paint("conform \(header.version)", .bold)
            + ": \(cases) of \(suites) against \(device)\n"
            + "isolation: \(PlainText.line(header.environment.isolation))"
    }

    /// The line of a case that has ended: verdict, seconds, name; and the reason if it is no pass.
    ///
    /// - Parameter device: Told before the name, where several devices are tested side by side.
    public static func line(
        for result: CaseResult, of device: String? = nil, style: Style = .plain
    ) -> String {
        let word = Columns.padded(result.verdict.word(result.reason?.code), to: verdictWidth)
        let seconds = NumberText.seconds(result.seconds)
        let name = PlainText.line("\(CaseReference(result))")
        let sentence = CaseExplanation.sentence(result)
        return style.paint(word, result.verdict.ink) + Columns.blanks(8 - seconds.utf8.count)
            + seconds + " s  " + (device.map { PlainText.line($0) + "  " } ?? "")
            + style.paint(name, .bold) + (sentence.isEmpty ? "" : ": \(sentence)")
    }

    /// The explanation of a case: what was demanded, what came, where, and how to see it again.
    ///
    /// - Parameter folder: The report folder as seen from the working directory.
    public static func explanation(
        of result: CaseResult, in folder: String = "", style: Style = .plain
    ) -> String {
        let word = result.verdict.word(result.reason?.code).uppercased()
        let name = style.paint(PlainText.line("\(CaseReference(result))"), .bold)
        let explanation = CaseExplanation(
            result: result, folder: folder, width: style.width - indent.count)
        let lines =
            [style.paint(word, result.verdict.ink) + " " + name]
            + [indent + CaseExplanation.sentence(result)]
            + explanation.lines().map { indented($0, style) }
        return lines.joined(separator: "\n")
    }

    /// Progress for one line of a terminal that is rewritten in place.
    ///
    /// - Parameter elapsed: Seconds since the run began.
    public static func progress(
        _ results: [CaseResult], planned: Int, elapsed: Double, style: Style = .plain
    ) -> String {
        let failed = results.count { $0.verdict.isAlarming }
        let trouble = failed == 0 ? "" : style.paint(", \(failed) not passed", .red)
        let done = "\(results.count) of \(planned)\(trouble)"
        guard !results.isEmpty, results.count < planned, elapsed.isFinite else { return done }
        let left = elapsed / Double(results.count) * Double(planned - results.count)
        return "\(done), about \(Int(min(max(left, 0), 1e6).rounded(.up))) s left"
    }

    /// The end of a run: each case that a reader has to look at, then the verdict, the audit, where
    /// the reports are and what to run next.
    public static func summary(of run: RunResult, style: Style = .plain) -> String {
        let folder = run.header.folder
        let alarming = run.casesInPlanOrder.filter(\.verdict.isAlarming)
        return alarming.map { "\n" + explanation(of: $0, in: folder, style: style) + "\n" }.joined()
            + "\n" + closing(run, style)
    }

    /// The audit in one line, and a line for each thing that does not add up.
    public static func auditLine(_ audit: Audit) -> String {
        let shown = audit.discrepancies.prefix(10).map { "  disagreement: " + PlainText.line($0) }
        let more = audit.discrepancies.count - shown.count
        let skipped = audit.skipped.sorted { $0.key < $1.key }
            .map { "  skipped \($0.value): " + PlainText.line($0.key) }
        let rest = more > 0 ? ["  and \(more) more disagreements"] : []
        return (["audit: " + AuditText.line(audit)] + shown + rest + skipped)
            .joined(separator: "\n")
    }

    private static func closing(_ run: RunResult, _ style: Style) -> String {
        let audit = run.audit
        let coverage = run.coverage
        let ink: Style.Ink =
            switch run.exit {
            case .conformant: .green
            case .notConformant: .red
            default: .yellow
            }
        var lines = [
            style.paint(Outcome.sentence(run, audit), ink),
            auditLine(audit),
            "requirements: \(coverage.covered) of \(coverage.rows.count) judged",
            "reports: \(PlainText.line(run.header.folder)) (\(NumberText.seconds(run.seconds)) s)",
        ]
        if let next = Outcome.next(run) { lines.append("next: " + PlainText.line(next)) }
        return lines.joined(separator: "\n")
    }

    private static let verdictWidth = 12
    private static let indent = "  "

    private static func indented(_ line: String, _ style: Style) -> String {
        guard !line.isEmpty else { return "" }
        let line = indent + line
        return line.hasPrefix(indent + ">") ? style.paint(line, .red) : line
    }
}
