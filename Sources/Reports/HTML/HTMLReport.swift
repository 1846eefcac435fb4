import Results

/// `index.html`: the run on a page that needs nothing else and no network.
public struct HTMLReport: Sendable {
    /// How many bytes of details stand in the page itself; of further cases they stand in pages
    /// beside it.
    static let inlineBytesMax = 6_000_000
    /// How many cases that did not pass are listed first; the table of cases has all of them.
    static let listedCountMax = 300

    let run: RunResult
    let audit: Audit
    let cases: [CaseResult]
    /// The cases that did not pass, the gravest first; those that do not apply are not among them.
    let notPassed: [CaseResult]
    /// Where the evidence of the cases is.
    let evidence: EvidenceFiles
    private let pages: Set<CaseReference>

    /// Makes the report of a run, finished or not.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - pages: The cases that have a page of their own beside this one, in `cases/`.
    ///   - evidence: Where the evidence of the cases is.
    public init(
        _ run: RunResult, pages: Set<CaseReference> = [], evidence: EvidenceFiles = EvidenceFiles()
    ) {
        self.run = run
        self.pages = pages
        self.evidence = evidence
        audit = run.audit
        let cases = run.casesInPlanOrder
        let order: [Verdict] = [.fail, .error, .inconclusive, .flaky, .known]
        notPassed = order.flatMap { verdict in cases.filter { $0.verdict == verdict } }
        self.cases = cases
    }

    /// The page of one case for the folder `cases/`, by its `CaseReference.pagePath`; `nil` for a
    /// case of which nothing was seen.
    public static func page(
        of result: CaseResult, in header: RunHeader, evidence: EvidenceFiles = EvidenceFiles()
    ) -> String? {
        guard CaseAnchor.canHavePage(result) else { return nil }
        return CasePage(result, header: header, evidence: evidence).text
    }

    /// Whether a case has a page of its own beside this one.
    func hasPage(_ result: CaseResult) -> Bool {
        CaseAnchor.canHavePage(result) && pages.contains(CaseReference(result))
    }

    /// The whole page.
    public var text: String {
        let inline = NotPassedSection(self)
        let sections = [
            VerdictSection(self).html, inline.html,
            MatrixSection(self, inline: inline.inlined).html, RequirementsSection(self).html,
            MeasurementsSection(self).html,
            CasesSection(self, inline: inline.inlined).html, RunSection(self).html,
        ]
        return HTMLPage(
            title: "\(Outcome.sentence(run, audit)) — conform",
            body: """
                <a class="skip" href="#main">Skip to the verdict</a>
                \(top)
                <main id="main">
                \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
                </main>
                <footer class="bottom"><p>conform \(HTMLText.plain(run.header.version)) · drawn from \
                <a href="results.json">results.json</a> · <a href="junit.xml">junit.xml</a> · \
                <a href="summary.md">summary.md</a></p></footer>
                """
        ).text
    }

    private var top: String {
        let header = run.header
        let count = notPassed.count
        let first = count > 0 ? "<a href=\"#not-passed\">Not passed (\(count))</a>" : ""
        return """
            <header class="top">
            <p class="brand">conform</p>
            <p class="subject"><strong>\(HTMLText.plain(header.device.label))</strong> \
            <span class="muted">\(HTMLText.plain(header.device.role)) · \
            \(header.started.utc) · \(NumberText.length(run.seconds))</span></p>
            <nav aria-label="Sections">\(first)<a href="#matrix">Matrix</a>\
            <a href="#requirements">Requirements</a><a href="#cases">Cases</a>\
            <a href="#run">Run</a></nav>
            </header>
            """
    }

    /// Where a link to a case leads: to its place in the page, where its details stand or a link
    /// to them.
    static func target(_ result: CaseResult) -> String {
        HTMLText.fragment(CaseAnchor.name(CaseReference(result)))
    }
}
