import Results

/// The cases that did not pass, worst first, each with its reason; their details open in place.
struct NotPassedSection {
    /// The section; empty if all passed.
    let html: String
    /// The cases whose place in the page is here.
    let inlined: Set<CaseReference>

    init(_ report: HTMLReport) {
        let cases = report.notPassed
        guard !cases.isEmpty else {
            html = ""
            inlined = []
            return
        }
        var left = HTMLReport.inlineBytesMax
        var listed: Set<CaseReference> = []
        var items: [String] = []
        for (number, result) in cases.prefix(HTMLReport.listedCountMax).enumerated() {
            guard listed.insert(CaseReference(result)).inserted else { continue }
            let item = Self.item(
                result, number: number, of: report,
                detailed: left > 0 || !report.hasPage(result))
            left -= item.utf8.count
            items.append(item)
        }
        inlined = listed
        let more = cases.count - items.count
        html = """
            <section id="not-passed" aria-labelledby="not-passed-h">
            <h2 id="not-passed-h">Not passed: \(NumberText.count(cases.count, "case"))</h2>
            \(items.joined(separator: "\n"))
            \(more > 0 ? "<p>And \(more) more in the <a href=\"#cases\">table of cases</a>.</p>" : "")
            </section>
            """
    }

    private static func item(
        _ result: CaseResult, number: Int, of report: HTMLReport, detailed: Bool
    ) -> String {
        let reference = CaseReference(result)
        let word = HTMLVerdict.word(result)
        let cited = result.reason?.explanation?.requirements.map(\.id) ?? []
        let checks = cited.isEmpty ? result.checks.map(\.requirement) : cited
        let reason = result.reason?.summary ?? "It ended without a reason."
        let body =
            detailed
            ? CaseBody(
                result, header: report.run.header, evidence: report.evidence, root: "",
                number: number
            ).html
            : "<p><a href=\"\(HTMLText.path(reference.pagePath))\">The details stand on a page of "
                + "their own</a>, to keep this one small.</p>"
        return """
            <details class="case \(word)"\(report.notPassed.count == 1 ? " open" : "")>
            <summary>\(HTMLVerdict.badge(word)) <span class="name" role="heading" aria-level="3">\
            \(HTMLText.plain("\(reference)", limit: 300))</span>\
            <span class="why">\(HTMLText.plain(reason))</span>\
            <span class="muted">\(HTMLText.plain(checks.joined(separator: ", ")))\
            \(Blame(result).map { " · fault: \($0.word)" } ?? "")</span></summary>
            <article class="body" id="\(HTMLText.identifier(CaseAnchor.name(reference)))" \
            aria-label="\(HTMLText.plain("\(reference)", limit: 300))">
            \(body)
            </article></details>
            """
    }
}
