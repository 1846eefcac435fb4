import Results
import SuiteLanguage

/// The console output during a run and at its end, as lines without line ends.
public struct ConsoleReport: Sendable {
    private let style: Style
    private let folder: String

    private static let verdictWidth = 12
    private static let indent = "  "

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - style: Colour and width.
    ///   - folder: The report folder as seen from the working directory.
    public init(style: Style = .plain, folder: String) {
        self.style = style
        self.folder = folder
    }

    /// Returns the lines that announce a run.
    public func opening(_ header: RunHeader) -> [String] {
        let cases = NumberText.count(header.planned.count, "case")
        let suites = NumberText.count(header.suites.count, "suite")
        let device = PlainText.line(header.device.label)
        return [
            style.paint("conform \(header.version)", .bold)
                + ": \(cases) of \(suites) against \(device)",
            "isolation: \(PlainText.line(header.environment.isolation))",
        ] + scaleLines(header)
    }

    /// Returns the line of a case that has ended: verdict, seconds, name, and the reason if it is
    /// not a pass.
    public func line(_ result: CaseResult) -> String {
        let code = result.reason?.code
        let word = Columns.padded(result.verdict.word(code), to: Self.verdictWidth)
        let seconds = NumberText.seconds(result.seconds)
        let name = PlainText.line("\(CaseReference(result))")
        let sentence = CaseExplanation.sentence(result)
        return style.paint(word, result.verdict.ink) + Columns.blanks(8 - seconds.utf8.count)
            + seconds + " s  " + style.paint(name, .bold)
            + (sentence.isEmpty ? "" : ": \(sentence)") + executions(result)
    }

    /// Returns the line of a suite whose cases have all ended: the worst verdict, and the number of
    /// cases with each verdict.
    func line(ofSuite suite: String, _ verdicts: [Verdict: Int]) -> String {
        let judged = Verdict.allCases.filter { verdicts[$0] != nil }
        let worst = judged.last(where: \.isAlarming) ?? judged.first ?? .none
        let counts = judged.map { "\(verdicts[$0] ?? 0) \($0.word(nil))" }
        return style.paint(Columns.padded(worst.word(nil), to: Self.verdictWidth), worst.ink)
            + Columns.blanks(12) + style.paint(PlainText.line(suite), .bold)
            + ": \(counts.joined(separator: ", "))"
    }

    /// Returns the line of a case that begins.
    public func start(of reference: CaseReference) -> String {
        style.paint(Columns.padded("start", to: Self.verdictWidth), .faint)
            + Columns.blanks(12) + PlainText.line("\(reference)")
    }

    /// Returns the line that announces that failures of drawn runs are made shorter.
    func shrinking(_ count: Int, atMost limit: Duration) -> String {
        style.paint(Columns.padded("shrinking", to: Self.verdictWidth), .faint)
            + "\(NumberText.count(count, "failure")) of drawn runs, "
            + "for at most \(limit.suiteText)"
    }

    /// Returns the line of a drawn run whose failure was made shorter.
    func shrunk(_ result: CaseResult) -> [String] {
        guard let shrunk = result.shrunk else { return [] }
        let name = style.paint(PlainText.line("\(CaseReference(result))"), .bold)
        return [
            style.paint(Columns.padded("shrunk", to: Self.verdictWidth), .faint)
                + "\(name): \(PlainText.line(ShrunkText.sentence(shrunk)))"
        ]
    }

    /// Returns further details of a case that has ended, with any verdict.
    public func details(_ result: CaseResult) -> [String] {
        let steps = result.steps.map { step -> String in
            let time = step.seconds.map { "+" + NumberText.seconds($0) } ?? ""
            let frame = step.frames.first.map { " frame \($0)" } ?? ""
            return Columns.padded(Self.word(step.outcome), to: 12) + Columns.padded(time, to: 10)
                + PlainText.line(step.text) + frame
        }
        let ignored = result.ignored.sorted { $0.key < $1.key }
            .map { "ignored     \($0.value) x \(PlainText.line($0.key))" }
        let counts = result.counts
        let seen =
            "seen        \(NumberText.count(counts.packets, "packet")), "
            + "\(NumberText.count(counts.messages, "message")), \(counts.taken) taken by steps"
        let violations = (result.violations ?? []).map {
            "violation   \(PlainText.line(ViolationText.text($0)))"
        }
        let remarks = result.remarks.map { "remark      \(PlainText.line($0))" }
        return (steps + ignored + [seen] + violations + remarks).map { "    " + $0 }
    }

    private static func word(_ outcome: StepResult.Outcome) -> String {
        switch outcome {
        case .done: "done"
        case .failed: "failed"
        case .notReached: "not reached"
        }
    }

    /// The number of executions and their verdicts; empty if the case was executed once.
    private func executions(_ result: CaseResult) -> String {
        guard result.executions != nil, let remark = result.remarks.last else { return "" }
        return " [\(PlainText.line(remark))]"
    }

    /// Returns the explanation of a case that needs attention, after an empty line; empty for the
    /// other cases.
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

    /// How many different failures are explained, and with how many lines in all.
    private static let explained = (failures: 5, lines: 200)

    /// Returns the explanations of what needs attention: the first case of each of the first
    /// different failures, and how to see the others.
    public func explanations(_ run: RunResult) -> [String] {
        let groups = FailureGroups(run.casesInPlanOrder).groups
        var lines: [String] = []
        var count = 0
        for group in groups.prefix(Self.explained.failures) {
            let next = explanation(group[0]) + same(group)
            let room = Self.explained.lines - lines.count
            guard next.count <= room || count == 0 else { break }
            lines += next.prefix(room)
            count += 1
            if next.count > room {
                lines.append("\(Self.indent)... \(next.count - room) more lines")
            }
        }
        let rest = groups.reduce(-count) { $0 + $1.count }
        guard rest > 0 || lines.count > Self.explained.lines else { return lines }
        return lines + ["", "cases without an explanation above: \(rest); \(explanationAdvice)"]
    }

    /// How many other cases fail in the same way.
    private func same(_ group: [CaseResult]) -> [String] {
        guard group.count > 1 else { return [] }
        let others = NumberText.count(group.count - 1, "other case")
        return [Self.indent + Columns.padded("same", to: 12) + "\(others), at the same place"]
    }

    /// How to see the explanation of each case.
    private var explanationAdvice: String {
        folder.isEmpty
            ? "--verbose prints them all"
            : "one in full: conform report show \(PlainText.line(ShellWord.quoted(folder))) CASE"
    }

    /// Returns the verdict of each case on each capture; empty for a run whose cases were judged
    /// live.
    public func table(_ run: RunResult) -> [String] {
        let results = run.casesInPlanOrder
        let lines = VerdictTable(results).lines(style)
        guard !lines.isEmpty, results.contains(where: \.verdict.isAlarming) else { return lines }
        let others = folder.isEmpty ? ", --reports DIR writes them" : "; the reports have them"
        return lines + ["explanations: --verbose prints them\(others)"]
    }

    /// Returns the end of the output: verdict, audit, discrepancies, the place of the reports, and
    /// the command to run next.
    public func closing(_ run: RunResult) -> [String] {
        let audit = run.audit
        let coverage = run.coverage
        let ink: Style.Colour =
            switch run.exit {
            case .conformant: .green
            case .notConformant: .red
            default: .yellow
            }
        let seconds = NumberText.seconds(run.seconds)
        let folder = run.header.folder
        let place =
            folder.isEmpty
            ? "reports: none; --reports DIR writes them (\(seconds) s)"
            : "reports: \(PlainText.line(ShellWord.quoted(folder))) (\(seconds) s)"
        let next = "next: " + PlainText.line(Outcome.next(run))
        return [""] + notPassed(run) + measurementLines(run) + remarkLines(run)
            + scaleLines(run.header)
            + [style.paint(Outcome.sentence(run, audit), ink)]
            + auditLines(audit)
            + (ViolationText.line(run.cases, of: run.header).map { [PlainText.line($0)] } ?? [])
            + run.staleEntries.map { style.paint("fail", .red) + " " + PlainText.line($0) }
            + ruleLines(run.ruleCoverage)
            + [
                "requirements: \(coverage.concluded) of \(coverage.rows.count) concluded", place,
                next,
            ]
    }

    /// How many cases that did not pass are listed; the reports have all of them.
    private static let notPassedMax = 50

    /// The cases that did not pass, a line each, beside those that fail in the same way.
    ///
    /// Empty for a single case, which is explained just above, and after a table of captures.
    private func notPassed(_ run: RunResult) -> [String] {
        let groups = FailureGroups(run.casesInPlanOrder).groups
        let count = groups.reduce(0) { $0 + $1.count }
        guard count > 1, VerdictTable(run.casesInPlanOrder).lines(style).isEmpty else { return [] }
        let lines = groups.flatMap { group in
            group.enumerated().map { offset, result in
                let word = style.paint(result.verdict.word(result.reason?.code), result.verdict.ink)
                return "  \(word) " + PlainText.line("\(CaseReference(result))")
                    + (offset > 0 ? " (same failure)" : "")
            }
        }
        let different = NumberText.count(groups.count, "different failure")
        let more = count - Self.notPassedMax
        return ["not passed: \(count), \(different)"] + lines.prefix(Self.notPassedMax)
            + (more > 0 ? ["  and \(more) more, see the reports"] : []) + [""]
    }

    /// How many measurements are shown; the reports have all of them.
    private static let measurementsMax = 20

    /// The measurements of the cases.
    private func measurementLines(_ run: RunResult) -> [String] {
        let lines = run.casesInPlanOrder.flatMap { result in
            (result.measurements ?? []).map {
                "measured: \(PlainText.line($0.name)) \($0.value)"
                    + " (\(PlainText.line("\(CaseReference(result))")))"
            }
        }
        let more = lines.count - Self.measurementsMax
        return lines.prefix(Self.measurementsMax)
            + (more > 0 ? ["  and \(more) more measurements, see results.json"] : [])
    }

    /// How many kinds of remarks are shown; the reports have all of them.
    private static let remarksMax = 20

    /// The remarks of the cases, such as what they requested and could not get, each kind once.
    private func remarkLines(_ run: RunResult) -> [String] {
        let counts = run.cases.flatMap(\.remarks).reduce(into: [String: Int]()) {
            $0[$1, default: 0] += 1
        }
        let lines = counts.sorted { $0.key < $1.key }.map { remark, count in
            style.paint("remark: \(PlainText.line(remark))", .yellow)
                + " (\(NumberText.count(count, "case")))"
        }
        let more = lines.count - Self.remarksMax
        return lines.prefix(Self.remarksMax)
            + (more > 0 ? ["  and \(more) more kinds of remarks, see results.json"] : [])
    }

    /// How many rules are listed; the reports have all of them.
    private static let rulesMax = 20

    /// How many rules were exercised, and how often each of them; those that were not come first.
    private func ruleLines(_ coverage: RuleCoverage) -> [String] {
        guard let head = RuleText.line(coverage) else { return [] }
        let rows =
            coverage.rows.filter { $0.exercised == 0 }
            + coverage.rows.filter { $0.exercised > 0 }
        let more = rows.count - Self.rulesMax
        return [head]
            + rows.prefix(Self.rulesMax).map { row in
                let line = "  " + PlainText.line(RuleText.line(row))
                return row.exercised > 0 ? line : style.paint(line, .yellow)
            } + (more > 0 ? ["  and \(more) more rules, see the reports"] : [])
    }

    private func scaleLines(_ header: RunHeader) -> [String] {
        TimeScaleText.line(header).map { [style.paint($0, .yellow)] } ?? []
    }

    private func auditLines(_ audit: Audit) -> [String] {
        let shown = audit.discrepancies.prefix(10).map { "  disagreement: " + PlainText.line($0) }
        let more = audit.discrepancies.count - shown.count
        let rest = more > 0 ? ["  and \(more) more disagreements, see results.json"] : []
        let skipped = audit.skipped.sorted { $0.key < $1.key }
            .map { "  skipped \($0.value): " + PlainText.line($0.key) }
        return ["audit: " + AuditText.line(audit)] + shown + rest + skipped
    }

    private func indented(_ line: String) -> String {
        guard !line.isEmpty else { return "" }
        let line = Self.indent + line
        return line.hasPrefix(Self.indent + ">") ? style.paint(line, .red) : line
    }
}
