import Results

/// `cases/<case>.html`: one case on its own page.
struct CasePage {
    let result: CaseResult
    let header: RunHeader
    let evidence: EvidenceFiles

    /// The whole page.
    var text: String {
        let reference = CaseReference(result)
        let name = HTMLText.plain("\(reference)", limit: 300)
        let back = "../index.html" + HTMLText.fragment(CaseAnchor.name(reference))
        let reason = result.reason.map {
            "<p class=\"lead\">\(HTMLText.plain($0.summary))</p>"
        }
        let body = CaseBody(
            result, header: header, evidence: evidence, root: "../", number: 0, level: 2
        ).html
        return HTMLPage(
            title: "\(HTMLVerdict.word(result)): \(reference)",
            body: """
                \(HTMLPage.skips(to: [("main", "Skip to the case")]))
                <header class="top"><p><a href="\(back)">← All cases</a></p></header>
                <main id="main" class="case-page"><article>
                <h1>\(HTMLVerdict.badge(HTMLVerdict.word(result))) \(name)</h1>
                \(reason ?? "")
                \(body)
                </article></main>
                """
        ).text
    }
}
