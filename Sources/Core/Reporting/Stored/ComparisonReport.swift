import Results

/// The report about the differences of two runs, for people, for Markdown pages and for programs.
public struct ComparisonReport: Sendable {
    /// The format of the report.
    public enum Format: String, Sendable, CaseIterable {
        /// Lines for a terminal.
        case text
        /// For a comment or a job page.
        case markdown
        /// One JSON object.
        case json
    }

    private let comparison: RunComparison
    private let style: Style

    /// The kinds of change, in the order for readers.
    private static let order = RunComparison.Change.allCases

    /// Creates a report.
    public init(_ comparison: RunComparison, style: Style = .plain) {
        self.comparison = comparison
        self.style = style
    }

    /// Returns the report with a final line end.
    public func text(_ format: Format) -> String {
        switch format {
        case .text: lines.joined(separator: "\n") + "\n"
        case .markdown: markdown
        case .json: json
        }
    }

    // MARK: text

    private var lines: [String] {
        var lines = [
            "before: " + Self.origin(comparison.before), "after:  " + Self.origin(comparison.after),
        ]
        lines += comparison.differences.map {
            style.paint("files:  \(PlainText.line($0))", .yellow)
        }
        for change in Self.order {
            let rows = comparison.rows(change)
            guard !rows.isEmpty else { continue }
            lines += ["", style.paint("\(change.title): \(rows.count)", ink(change))]
            lines += rows.map { "  " + style.paint(name($0), .bold) + detail($0, change) }
        }
        return lines + ["", sum]
    }

    private static func origin(_ run: RunResult) -> String {
        let header = run.header
        return PlainText.line(
            "\(header.folder), \(header.device.label), \(header.started.utc): "
                + Outcome.sentence(run, run.audit))
    }

    private func name(_ row: RunComparison.Row) -> String { PlainText.line("\(row.reference)") }

    private func ink(_ change: RunComparison.Change) -> Style.Colour {
        switch change {
        case .newlyFailing, .stillFailing: .red
        case .noLongerJudged, .flaky, .slower: .yellow
        case .newlyPassing: .green
        case .added, .removed: .blue
        }
    }

    /// Returns the details of a case in the list of one kind of change.
    private func detail(_ row: RunComparison.Row, _ change: RunComparison.Change) -> String {
        let verdicts = [row.before, row.after].compactMap { $0 }
            .map { $0.verdict.word($0.reason?.code) }.joined(separator: " -> ")
        switch change {
        case .newlyFailing, .stillFailing, .noLongerJudged:
            let why = row.after.map(CaseExplanation.sentence) ?? ""
            return " (\(verdicts))" + (why.isEmpty ? "" : ": " + why)
        case .flaky:
            let remark = row.after?.remarks.last.map { ": " + PlainText.line($0) }
            return " (\(verdicts))" + (remark ?? "")
        case .slower:
            return ": \(NumberText.seconds(row.before?.seconds ?? 0)) s -> "
                + "\(NumberText.seconds(row.after?.seconds ?? 0)) s"
        case .newlyPassing, .added, .removed: return " (\(verdicts))"
        }
    }

    private var sum: String {
        let counts = Self.order.map { ($0.title, comparison.rows($0).count) }.filter { $0.1 > 0 }
            .map { "\($0.1) \($0.0)" }
        return (counts + ["\(comparison.unchanged) unchanged"]).joined(separator: ", ")
            + " of \(NumberText.count(comparison.rows.count, "case"))"
    }

    // MARK: Markdown

    private var markdown: String {
        var page = MarkdownPage(limit: MarkdownLimit.comment)
        page.append([
            "## conform: \(Markdown.text(sum))", "",
            "- before: \(Markdown.text(Self.origin(comparison.before)))",
            "- after: \(Markdown.text(Self.origin(comparison.after)))",
        ])
        if !comparison.differences.isEmpty {
            page.append(comparison.differences.map { "- files: \(Markdown.text($0))" })
        }
        for change in Self.order {
            let rows = comparison.rows(change)
            guard !rows.isEmpty else { continue }
            page.append(
                heading: ["### \(change.title): \(rows.count)", ""],
                entries: rows.lazy.map { row in
                    [
                        "- \(Markdown.code("\(row.reference)"))"
                            + Markdown.text(Markdown.shortened(detail(row, change)))
                    ]
                }, rest: { ["- and \($0) more"] })
        }
        return page.text
    }

    // MARK: JSON

    private struct Document: Encodable {
        struct Case: Encodable {
            var suite: String
            var id: String
            var changes: [String]
            var before: Verdict?
            var after: Verdict?
            var secondsBefore: Double?
            var secondsAfter: Double?
        }

        var schema = 1
        var before: String
        var after: String
        var files: [String]
        var counts: [String: Int]
        var cases: [Case]
    }

    private var json: String {
        let counts = Self.order.map { ($0.rawValue, comparison.rows($0).count) }
        let document = Document(
            before: comparison.before.header.folder, after: comparison.after.header.folder,
            files: comparison.differences, counts: Dictionary(uniqueKeysWithValues: counts),
            cases: comparison.rows.map { row in
                Document.Case(
                    suite: row.reference.suite, id: row.reference.id,
                    changes: Self.order.filter(row.changes.contains).map(\.rawValue),
                    before: row.before?.verdict, after: row.after?.verdict,
                    secondsBefore: row.before?.seconds, secondsAfter: row.after?.seconds)
            })
        let bytes = (try? JSONText.pretty(document)) ?? []
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }
}
