import Results

/// The notes of a case on its page: what it demands, where it failed, how earlier runs ended.
struct CaseNotesHTML {
    let notes: CaseNotes?

    /// The sentences of `conform explain`, closed at first.
    var demands: String {
        guard let notes, !notes.demands.isEmpty else { return "" }
        let lines = notes.demands.map { line -> String in
            let indent = min(3, line.prefix { $0 == " " }.count / 2)
            let text = HTMLText.plain(String(line.drop { $0 == " " }))
            return text.isEmpty ? "" : "<p class=\"in-\(indent)\">\(text)</p>"
        }
        return "<details class=\"demands\"><summary>What the case demands</summary>"
            + "\(lines.joined())</details>"
    }

    /// The lines of the suite at the failure, with a caret under its column.
    var source: String {
        guard let source = notes?.source else { return "" }
        let position = source.position
        let width = "\(source.first + source.lines.count)".count
        let lines = source.lines.enumerated().flatMap { offset, line -> [String] in
            let number = source.first + offset
            let margin = Columns.blanks(width - "\(number)".count) + "\(number) | "
            let text = "\(margin)\(HTMLText.source(line))"
            guard number == position.line else { return [text] }
            let caret = Columns.blanks(width) + " | " + Columns.blanks(position.column - 1) + "^"
            return ["<b>\(text)</b>", "<b class=\"fail\">\(caret)</b>"]
        }
        return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The suite\">"
            + "<pre class=\"source\" dir=\"ltr\">\(lines.joined(separator: "\n"))</pre></div>"
    }

    /// The verdicts of earlier runs; empty if there were none.
    var earlier: String {
        guard let notes, !notes.earlier.isEmpty else { return "" }
        let items = notes.earlier.map { earlier in
            let words = "\(earlier.run), \(NumberText.length(earlier.seconds))"
            return "<li>\(HTMLVerdict.badge(earlier.verdict.rawValue)) "
                + "<span class=\"muted\">\(HTMLText.plain(words))</span></li>"
        }
        let passed = notes.earlier.count { $0.verdict == .pass }
        return "<details class=\"earlier\"><summary>Earlier runs: \(passed) of "
            + "\(notes.earlier.count) passed</summary>"
            + "<ul class=\"plain\">\(items.joined())</ul></details>"
    }
}

/// The executions of a case that was executed more than once, side by side.
struct ExecutionsTable {
    private let executions: [Execution]
    private let link: (String) -> String

    /// Creates the table; `link` returns a link to a file of the report folder.
    init(_ result: CaseResult, link: @escaping (String) -> String) {
        executions = result.executions ?? []
        self.link = link
    }

    /// The table; empty for a case that was executed once.
    var html: String {
        guard !executions.isEmpty else { return "" }
        let head = executions.indices.map { "<th scope=\"col\">Execution \($0 + 1)</th>" }
        let rows = [
            row("Verdict") { HTMLVerdict.badge($0.verdict.rawValue) },
            row("Took") { NumberText.length($0.seconds) },
            row("Reason") { $0.summary.map { HTMLText.plain($0) } },
            row("Capture") { $0.capture.map(link) },
            row("SHA-256") { $0.captureDigest.map { HTMLText.code($0) } },
            row("Device log") { $0.log.map(link) },
        ]
        return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Executions\">"
            + "<table class=\"executions\"><caption>Executions</caption>"
            + "<thead><tr><td></td>\(head.joined())</tr></thead>"
            + "<tbody>\(rows.joined())</tbody></table></div>"
    }

    private func row(_ name: String, _ cell: (Execution) -> String?) -> String {
        let cells = executions.map(cell)
        guard cells.contains(where: { $0 != nil }) else { return "" }
        return "<tr><th scope=\"row\">\(name)</th>"
            + cells.map { "<td>\($0 ?? "")</td>" }.joined() + "</tr>"
    }
}
