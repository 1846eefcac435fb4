import Results
import Wire

/// The report about the history of runs, as text, as a page and for programs.
public struct HistoryReport: Sendable {
    /// The format of the report.
    public enum Format: String, Sendable, CaseIterable {
        case text, html, json
    }

    private let history: RunHistory
    private let style: Style

    /// Creates a report.
    public init(_ history: RunHistory, style: Style = .plain) {
        self.history = history
        self.style = style
    }

    /// Returns the report with a final line end.
    public func text(_ format: Format) -> String {
        switch format {
        case .text: lines.joined(separator: "\n") + "\n"
        case .html: page
        case .json: json.jsonText(pretty: true) + "\n"
        }
    }

    private var unsteady: [RunHistory.Row] { history.rows.filter { !$0.isSteady } }

    private func outcome(_ run: RunResult) -> String { Outcome.sentence(run, run.audit) }

    // MARK: text

    private var lines: [String] {
        let runs = history.runs.enumerated().map { place, run in
            PlainText.line(
                "\(place + 1)  \(run.header.started.utc)  \(run.header.device.label)  "
                    + "\(outcome(run))  \(run.header.folder)")
        }
        let cases = unsteady.map { row in
            let signs = row.words.map { $0.map(HTMLVerdict.sign) ?? " " }.joined(separator: " ")
            let remarks = row.remarks.joined(separator: "; ")
            return "  \(signs)  \(style.paint(PlainText.line("\(row.reference)"), .bold))"
                + (remarks.isEmpty ? "" : "  (\(remarks))")
        }
        let measured = history.series.map { series in
            let values = series.values.map(series.text).joined(separator: ", ")
            return "  \(PlainText.line("\(series.reference): \(series.name)")): \(values)"
        }
        let steady = history.rows.count - unsteady.count
        return runs + [
            "", "\(NumberText.count(steady, "case")) passed in every run that planned them",
        ] + (cases.isEmpty ? [] : ["\(NumberText.count(cases.count, "case")) did not:"]) + cases
            + (measured.isEmpty ? [] : ["measured:"]) + measured
    }

    // MARK: page

    private var page: String {
        let title = "\(NumberText.count(history.runs.count, "run")) over time"
        let runs = history.runs.enumerated().map { place, run in
            "<tr><th scope=\"row\">\(place + 1)</th><td>\(run.header.started.utc)</td>"
                + "<td>\(HTMLText.plain(run.header.device.label))</td>"
                + "<td>\(HTMLText.plain(outcome(run)))</td>"
                + "<td>\(HTMLText.code(run.header.folder))</td></tr>"
        }
        let heads = history.runs.indices.map { "<th scope=\"col\">\($0 + 1)</th>" }.joined()
        let order = unsteady + history.rows.filter(\.isSteady)
        let cases = order.map { row in
            let cells = row.words.map { word in
                "<td>\(word.map(HTMLVerdict.badge) ?? "<span class=\"muted\">not planned</span>")</td>"
            }.joined()
            return "<tr><th scope=\"row\">\(HTMLText.plain("\(row.reference)", limit: 200)) "
                + "<span class=\"muted\">\(row.remarks.joined(separator: "; "))</span></th>"
                + "\(cells)</tr>"
        }
        let measured = history.series.map { series in
            let cells = series.values.map { "<td>\(series.text($0))</td>" }.joined()
            return "<tr><th scope=\"row\">\(HTMLText.plain(series.name)) <span class=\"muted\">"
                + "\(HTMLText.plain("\(series.reference)", limit: 200))</span></th>"
                + "<td>\(trend(series))</td>\(cells)</tr>"
        }
        return HTMLPage(
            title: "\(title) — conform",
            body: """
                \(HTMLPage.skips(to: [("main", "Skip to the runs")]))
                <header class="top"><p class="brand">conform</p>
                <p class="subject"><strong>\(title)</strong></p></header>
                <main id="main">
                \(table("runs", "Runs", level: 1, ["Run", "Started", "Device", "Verdict", "Reports"].map(head), runs))
                \(table("cases", "Cases: \(unsteady.count) did not pass in every run", [head("Case"), heads], cases))
                \(measured.isEmpty ? "" : table("measured", "Measured", [head("Measured"), head("Trend"), heads], measured))
                </main>
                """
        ).text
    }

    private func head(_ text: String) -> String { "<th scope=\"col\">\(text)</th>" }

    private func table(
        _ id: String, _ title: String, level: Int = 2, _ heads: [String], _ rows: [String]
    ) -> String {
        """
        <section id="\(id)" aria-labelledby="\(id)-h">
        <h\(level) id="\(id)-h">\(title)</h\(level)>
        <div class="scroll" tabindex="0" role="group" aria-label="Table of \(id)">
        <table class="\(level == 1 ? "stack" : "by-run")"><caption class="hidden">\(title)</caption>
        <thead><tr>\(heads.joined())</tr></thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody></table></div>
        </section>
        """
    }

    /// Returns a line through the values, scaled from the smallest to the largest.
    private func trend(_ series: RunHistory.Series) -> String {
        let (width, height) = (120.0, 24.0)
        let (low, high) = series.range
        let step = width / Double(max(1, series.values.count - 1))
        let points = series.values.enumerated().compactMap { place, value -> String? in
            guard let value else { return nil }
            let share = high > low ? (value - low) / (high - low) : 0.5
            let x = NumberText.coordinate(Double(place) * step)
            return "\(x),\(NumberText.coordinate(2 + (1 - share) * (height - 4)))"
        }
        let label = "from \(series.text(low)) to \(series.text(high))"
        return "<svg width=\"120\" height=\"24\" role=\"img\" aria-label=\"\(label)\">"
            + "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
            + "stroke=\"currentColor\" stroke-width=\"2\"/></svg>"
    }

    // MARK: JSON

    private var json: Value {
        typealias Member = Value.Member
        let runs = history.runs.map { run -> Value in
            .object([
                Member("folder", .string(run.header.folder)),
                Member("started", .string(run.header.started.utc)),
                Member("device", .string(run.header.device.label)),
                Member(
                    "exitCode", .integer(Int64(exactly: (run.exit ?? .couldNotJudge).rawValue) ?? 3)
                ),
            ])
        }
        let cases = history.rows.map { row -> Value in
            let broken = row.brokenSince.map {
                Member("brokenSince", .integer(Int64(exactly: $0) ?? 0))
            }
            return .object(
                [
                    Member("suite", .string(row.reference.suite)),
                    Member("case", .string(row.reference.id)),
                    Member("verdicts", .array(row.words.map { $0.map(Value.string) ?? .null })),
                    Member(
                        "seconds",
                        .array(row.results.map { $0.map { .double($0.seconds) } ?? .null })),
                    Member("changes", .integer(Int64(exactly: row.changes) ?? 0)),
                    Member("chances", .integer(Int64(exactly: row.chances) ?? 0)),
                    Member("flaky", .integer(Int64(exactly: row.flaky) ?? 0)),
                ] + (broken.map { [$0] } ?? []))
        }
        let series = history.series.map { series -> Value in
            .object([
                Member("suite", .string(series.reference.suite)),
                Member("case", .string(series.reference.id)),
                Member("name", .string(series.name)),
                Member("unit", series.isTime ? "seconds" : "messages"),
                Member("values", .array(series.values.map { $0.map(Value.double) ?? .null })),
            ])
        }
        return .object([
            Member("conform-history", .integer(1)), Member("runs", .array(runs)),
            Member("cases", .array(cases)), Member("measurements", .array(series)),
        ])
    }
}
