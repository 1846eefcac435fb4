import Runner
import Verdicts

/// `summary.md`: the run on one page, for a CI job's summary.
public struct SummaryReport: Sendable {
    private let run: RunResult
    private let audit: Audit

    /// So many failures are told in full; the page of a CI server holds a megabyte at most.
    private static let shownFailures = 50

    /// Makes the report of a run, finished or not.
    public init(_ run: RunResult) {
        self.run = run
        audit = run.audit
    }

    /// The whole page.
    public var text: String {
        let parts = [heading, auditTable, staleEntries, failures, skipped, coverage]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }

    private var heading: [String] {
        let header = run.header
        let suites = header.suites.map { Markdown.code($0.file) }.joined(separator: ", ")
        return [
            "# conform: \(Markdown.text(Outcome.sentence(run, audit)))",
            "",
            "\(Markdown.text(header.device.label)) (\(Markdown.text(header.device.role)))"
                + " against \(suites.isEmpty ? "no suite" : suites)"
                + " on \(header.started.utc), \(NumberText.seconds(run.seconds)) s,"
                + " seed \(header.seed), conform \(Markdown.text(header.version)),"
                + " isolation: \(Markdown.text(header.environment.isolation)).",
        ]
    }

    private var auditTable: [String] {
        let kinds = AuditText.kinds(audit.judged)
        let names = kinds.map { "\($0.verdict.rawValue) | " }.joined()
        let counts = kinds.map { "\($0.count) | " }.joined()
        let rule = kinds.map { _ in " ---: |" }.joined()
        return [
            "| planned | judged | \(names)skipped | not run | checks |",
            "| ---: | ---: |\(rule) ---: | ---: | ---: |",
            "| \(audit.planned) | \(audit.judged.total) | \(counts)\(audit.skippedTotal)"
                + " | \(audit.notRun) | \(audit.checks) |",
        ] + discrepancies
    }

    private var discrepancies: [String] {
        guard !audit.isConsistent else { return [] }
        let shown = audit.discrepancies.prefix(Self.shownFailures)
        let more = audit.discrepancies.count - shown.count
        return ["", "Plan and results disagree:", ""] + shown.map { "- \(Markdown.text($0))" }
            + (more > 0 ? ["- and \(more) more in `results.json`"] : [])
    }

    private var staleEntries: [String] {
        guard !run.staleEntries.isEmpty else { return [] }
        return ["## Known failures that expired or match nothing", ""]
            + run.staleEntries.map { "- \(Markdown.text($0))" }
    }

    private var failures: [String] {
        let cases = run.casesInPlanOrder.filter { $0.verdict.isAlarming || $0.verdict == .known }
        guard !cases.isEmpty else { return [] }
        let more = cases.count - Self.shownFailures
        return ["## Not passed"] + cases.prefix(Self.shownFailures).flatMap(failure)
            + (more > 0 ? ["", "And \(more) more in `results.json`."] : [])
    }

    private func failure(_ result: CaseResult) -> [String] {
        var lines = [
            "",
            "- **\(result.verdict.word(result.reason?.code))** "
                + "\(Markdown.code("\(CaseReference(result))")):"
                + " \(Markdown.text(CaseExplanation.sentence(result)))",
        ]
        if let explanation = result.reason?.explanation {
            lines += explanation.requirements.map {
                "  - \(Markdown.text($0.id)): \(Markdown.text($0.text))"
                    + " (\(Markdown.text($0.source)))"
            }
            lines.append("  - at \(Markdown.code("\(explanation.position)"))")
        }
        if result.executions != nil, let remark = result.remarks.last {
            lines.append("  - \(Markdown.text(remark))")
        }
        let place = CaseExplanation(result: result, folder: run.header.folder, width: 100)
        if let capture = result.capture {
            lines.append("  - packets: \(Markdown.code(place.path(capture)))")
        }
        if let command = result.reproduce { lines.append("  - again: \(Markdown.code(command))") }
        return lines
    }

    private var skipped: [String] {
        guard !audit.skipped.isEmpty || audit.notRun > 0 else { return [] }
        let reasons = audit.skipped.sorted { $0.key < $1.key }
            .map { "| \($0.value) | \(Markdown.text($0.key)) |" }
        let left = audit.notRun > 0 ? ["| \(audit.notRun) | not run |"] : []
        return ["## Not judged", "", "| cases | reason |", "| ---: | --- |"] + reasons + left
    }

    private var coverage: [String] {
        let coverage = run.coverage
        guard !coverage.rows.isEmpty else { return [] }
        let head = [
            "## Requirements: \(coverage.covered) of \(coverage.rows.count) judged", "",
            "| requirement | verdict | cases | text |", "| --- | --- | ---: | --- |",
        ]
        return head
            + coverage.rows.map { row in
                let verdict = row.verdict == .none ? "not judged" : row.verdict.rawValue
                return "| \(Markdown.text(row.requirement)) | \(verdict)"
                    + " | \(row.judged) of \(row.cases.count) | \(Markdown.text(row.text)) |"
            }
    }
}

/// Text made fit for Markdown, also inside a table.
enum Markdown {
    /// Plain text on one line, in which nothing is markup.
    static func text(_ text: String) -> String {
        var escaped = ""
        for character in PlainText.line(text) {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// A code span on one line, whatever backticks are in it.
    static func code(_ text: String) -> String {
        let line = PlainText.line(text)
        var longest = 0
        var current = 0
        for character in line {
            current = character == "`" ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let blank = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + blank + line + blank + fence
    }
}
