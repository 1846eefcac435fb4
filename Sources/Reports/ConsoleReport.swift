import Runner
import Verdicts

/// What a person sees while a run goes on and at its end.
///
/// Each function gives lines without line
/// ends.
public struct ConsoleReport: Sendable {
    private let style: Style
    private let folder: String

    private static let verdictWidth = 12

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - style: Colour and width.
    ///   - folder: The report folder as seen from the working directory.
    public init(style: Style = .plain, folder: String) {
        self.style = style
        self.folder = folder
    }

    /// What a run is about to do, as its first lines.
    public func opening(_ header: RunHeader) -> [String] {
        let cases = NumberText.count(header.planned.count, "case")
        let suites = NumberText.count(header.suites.count, "suite")
        let device = PlainText.line(header.device.label)
        return [
            "conform \(header.version): \(cases) of \(suites) against \(device) (seed \(header.seed))",
            "isolation: \(PlainText.line(header.environment.isolation))",
        ]
    }

    /// The line of a case that has ended: verdict, seconds, name; and the reason if it is no pass.
    public func line(_ result: CaseResult) -> String {
        let word = Columns.padded(result.verdict.word(result.reason?.code), to: Self.verdictWidth)
        let seconds = NumberText.seconds(result.seconds)
        let name = PlainText.line("\(CaseReference(result))")
        let sentence = CaseExplanation.sentence(result)
        return style.paint(word, result.verdict.ink) + Columns.blanks(8 - seconds.utf8.count)
            + seconds + " s  " + style.paint(name, .bold)
            + (sentence.isEmpty ? "" : ": \(sentence)")
    }

    /// The explanation of a case that a reader has to look at; no lines for the others.
    public func explanation(_ result: CaseResult) -> [String] {
        guard result.verdict.isAlarming else { return [] }
        let word = result.verdict.word(result.reason?.code).uppercased()
        let name = style.paint(PlainText.line("\(CaseReference(result))"), .bold)
        let explanation = CaseExplanation(
            result: result, folder: folder, width: style.width - Self.indent.count)
        return ["", style.paint(word, result.verdict.ink) + " " + name]
            + [Self.indent + CaseExplanation.sentence(result)]
            + explanation.lines().map(indented)
    }

    /// Progress for one line of a terminal that is rewritten in place.
    ///
    /// - Parameters:
    ///   - elapsed: Seconds since the run began.
    public func progress(done: [CaseResult], planned: Int, elapsed: Double) -> String {
        let failed = done.count { $0.verdict.isAlarming }
        let trouble = failed == 0 ? "" : style.paint(", \(failed) not passed", .red)
        guard !done.isEmpty, done.count < planned else {
            return "\(done.count) of \(planned)\(trouble)"
        }
        let left = elapsed / Double(done.count) * Double(planned - done.count)
        return "\(done.count) of \(planned)\(trouble), about \(Int(min(max(left, 0), 1e6))) s left"
    }

    /// The end: verdict, audit, what does not add up, where the reports are and what to run next.
    public func closing(_ run: RunResult) -> [String] {
        let audit = run.audit
        let coverage = run.coverage
        let ink: Style.Ink =
            switch run.exit {
            case .conformant: .green
            case .notConformant: .red
            default: .yellow
            }
        var lines = ["", style.paint(Outcome.sentence(run, audit), ink)]
        lines.append("audit: " + AuditText.line(audit))
        lines += audit.discrepancies.prefix(10).map { "  disagreement: " + PlainText.line($0) }
        if audit.discrepancies.count > 10 {
            lines.append("  and \(audit.discrepancies.count - 10) more in results.json")
        }
        lines += audit.skipped.sorted { $0.key < $1.key }
            .map { "  skipped \($0.value): " + PlainText.line($0.key) }
        lines.append("requirements: \(coverage.covered) of \(coverage.rows.count) judged")
        lines.append("reports: \(PlainText.line(folder)) (\(NumberText.seconds(run.seconds)) s)")
        if let next = Outcome.next(run) { lines.append("next: " + PlainText.line(next)) }
        return lines
    }

    private static let indent = "  "

    private func indented(_ line: String) -> String {
        guard !line.isEmpty else { return "" }
        let line = Self.indent + line
        return line.hasPrefix(Self.indent + ">") ? style.paint(line, .red) : line
    }
}

/// The outcome of a run in words, the same in every report.
enum Outcome {
    /// `not conformant: 2 of 12 cases failed (exit 1)`.
    static func sentence(_ run: RunResult, _ audit: Audit) -> String {
        guard let exit = run.exit else { return "unfinished: \(why(run, audit))" }
        return "\(exit.word): \(why(run, audit)) (exit \(exit.rawValue))"
    }

    private static func why(_ run: RunResult, _ audit: Audit) -> String {
        let judged = audit.judged
        let planned = NumberText.count(audit.planned, "planned case")
        return switch run.exit {
        case .conformant where audit.skippedTotal > 0 || judged.known > 0:
            "\(judged.pass + judged.flaky) passed, \(audit.skippedTotal) not applicable,"
                + " \(judged.known) known to fail, of \(planned)"
        case .conformant: "all \(planned) passed"
        case .notConformant where judged.fail == 0: "\(judged.flaky) flaky of \(planned)"
        case .notConformant: "\(judged.fail) failed of \(planned)"
        case .couldNotJudge where judged.error + judged.inconclusive > 0:
            "\(judged.error) with an error and \(judged.inconclusive) inconclusive of \(planned)"
        default: IncompleteRun.sentence(run, audit) ?? "of \(planned)"
        }
    }

    /// The one command to run next.
    static func next(_ run: RunResult) -> String? {
        let order: [Verdict] = [.fail, .error, .inconclusive, .flaky]
        for verdict in order {
            let cases = run.casesInPlanOrder
            if let command = cases.first(where: { $0.verdict == verdict })?.reproduce {
                return command
            }
        }
        switch run.exit {
        case .conformant:
            guard let suite = run.header.suites.first,
                run.cases.contains(where: { $0.suite == suite.id && $0.capture != nil })
            else { return nil }
            return "conform check \(suite.file) \(run.header.folder)/captures/*.pcapng"
        case .nothingExecuted:
            return "conform list " + run.header.suites.map(\.file).joined(separator: " ")
        default:
            return run.header.command.joined(separator: " ")
        }
    }
}
