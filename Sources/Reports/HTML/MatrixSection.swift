import Results

/// Suites by cases: one sign for each case.
struct MatrixSection {
    private let report: HTMLReport

    init(_ report: HTMLReport, inline: Set<CaseReference>) {
        self.report = report
    }

    /// The section.
    var html: String {
        var order: [String] = report.run.header.suites.map(\.id)
        let suites = Dictionary(grouping: report.cases, by: \.suite)
        for result in report.cases where !order.contains(result.suite) {
            order.append(result.suite)
        }
        let titles = Dictionary(report.run.header.suites.map { ($0.id, $0.title) }) { first, _ in
            first
        }
        let rows = order.compactMap { suite in
            suites[suite].map { row(suite, title: titles[suite] ?? "", $0) }
        }
        return """
            <section id="matrix" aria-labelledby="matrix-h">
            <h2 id="matrix-h">Suites and their cases</h2>
            <table class="matrix"><caption class="hidden">One sign for each case</caption>
            <thead><tr><th scope="col">Suite</th><th scope="col">Passed</th>\
            <th scope="col">Cases</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            <p class="muted legend">\(legend)</p>
            </section>
            """
    }

    private func row(_ suite: String, title: String, _ cases: [CaseResult]) -> String {
        let passed = cases.count { $0.verdict == .pass }
        let cells = cases.map(cell).joined()
        return "<tr><th scope=\"row\">\(HTMLText.plain(suite, limit: 200))"
            + "<span class=\"muted\">\(HTMLText.plain(title, limit: 200))</span></th>"
            + "<td>\(passed) of \(cases.count)</td><td class=\"cells\">\(cells)</td></tr>"
    }

    private func cell(_ result: CaseResult) -> String {
        let word = HTMLVerdict.word(result)
        let label = "\(HTMLText.plain(result.id, limit: 120)): \(HTMLVerdict.spoken(word))"
        return "<a class=\"\(word)\" href=\"\(HTMLReport.target(result))\" title=\"\(label)\""
            + " aria-label=\"\(label)\">\(HTMLVerdict.sign(word))</a>"
    }

    private var legend: String {
        let present = Set(report.cases.map(HTMLVerdict.word))
        return HTMLVerdict.words.filter(present.contains)
            .map { "\(HTMLVerdict.sign($0)) \(HTMLVerdict.spoken($0))" }.joined(separator: " · ")
    }
}
