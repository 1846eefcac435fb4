import Results
import SuiteLanguage

/// The section with the verdict on each requirement, and the sentence from its source.
struct RequirementsSection {
    /// How many cases of a requirement have links.
    private static let linkedCountMax = 100

    private let report: HTMLReport
    private let coverage: Coverage
    private let sources: [String: Requirement]
    private let rules: [RuleCoverage.Row]

    init(_ report: HTMLReport) {
        self.report = report
        coverage = report.run.coverage
        rules = report.run.ruleCoverage.rows
        sources = Dictionary(
            report.run.header.suites.flatMap(\.requirements).map { ($0.id, $0) }
        ) { first, _ in first }
    }

    /// The section; empty without requirements.
    var html: String {
        guard !coverage.rows.isEmpty else { return "" }
        return """
            <section id="requirements" aria-labelledby="requirements-h">
            <h2 id="requirements-h">Requirements: \(coverage.concluded) of \(coverage.rows.count) concluded\
            </h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
            <table class="stack"><caption class="hidden">Requirements and their verdicts</caption>
            <thead><tr><th scope="col">Requirement</th><th scope="col">Verdict</th>\
            <th scope="col">Sentence and source</th><th scope="col">Cases</th></tr></thead>
            <tbody>
            \(coverage.rows.map(row).joined(separator: "\n"))
            </tbody></table></div>
            </section>
            """
    }

    private func row(_ row: Coverage.Row) -> String {
        let source = sources[row.requirement]
        let text = row.text.isEmpty ? "Not in any catalogue of these suites." : row.text
        let wire = source.map(\.wire).flatMap { $0.isEmpty ? nil : "On the wire: \($0)" }
        let notes = [source?.source, source?.basis?.words, wire].compactMap(\.self).map {
            "<br><span class=\"muted\">\(HTMLText.plain($0))</span>"
        }.joined()
        let id = HTMLText.identifier("requirement/\(row.requirement)")
        return
            "<tr id=\"\(id)\"><th scope=\"row\">\(HTMLText.plain(row.requirement, limit: 80))</th>"
            + "<td>\(HTMLVerdict.badge(row.verdict.rawValue))</td>"
            + "<td>\(HTMLText.plain(text))\(notes)</td><td>\(cases(row))</td></tr>"
    }

    private func cases(_ row: Coverage.Row) -> String {
        guard !row.cases.isEmpty else { return "none" + rules(row) }
        let links = row.cases.prefix(Self.linkedCountMax).map { entry in
            let target = report.target(entry.reference)
            let word = entry.verdict.rawValue
            return "<li>\(HTMLVerdict.badge(word)) <a href=\"\(target)\">"
                + "\(HTMLText.plain(entry.reference.id, limit: 120))</a></li>"
        }
        let more = row.cases.count - links.count
        return "<details><summary>\(row.concluded) of \(row.cases.count) concluded</summary>"
            + "<ul class=\"plain\">\(links.joined())"
            + (more > 0 ? "<li>and \(more) more</li>" : "") + "</ul></details>" + rules(row)
    }

    /// The rules that judge the requirement, and how often they were exercised.
    private func rules(_ row: Coverage.Row) -> String {
        let own = rules.filter { $0.rule.checks.contains(row.requirement) }
        guard !own.isEmpty else { return "" }
        let items = own.map { rule in
            let count = HTMLText.plain(RuleText.count(rule))
            return "<li>rule \(HTMLText.plain(rule.rule.id, limit: 120)): "
                + (rule.exercised > 0 ? count : "<strong>\(count)</strong>") + "</li>"
        }
        return "<ul class=\"plain\">\(items.joined())</ul>"
    }
}
