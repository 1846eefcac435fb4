import Results

/// `index.html`: the run on a self-contained page that needs no network.
public struct HTMLReport: Sendable {
    /// The maximum size of a page in bytes; details that do not fit are on separate pages.
    static let bytesMax = 2_800_000
    /// How many cases a page lists; larger runs continue in `cases-2.html` and so on.
    static let rowCountMax = 5000
    /// How many cases that did not pass are listed at the top; the table of cases has all of them.
    static let listedCountMax = 300

    let run: RunResult
    let audit: Audit
    let cases: [CaseResult]
    /// The cases that did not pass, the most severe first, without those that do not apply.
    let notPassed: [CaseResult]
    /// The evidence files of the cases.
    let evidence: EvidenceFiles
    private let pages: Set<CaseReference>
    /// The page number of each case that is listed on a further page.
    private let furtherPages: [CaseReference: Int]

    /// Creates the report of a run, finished or not.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - pages: The cases that have their own page in `cases/`.
    ///   - evidence: The evidence files of the cases.
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
        furtherPages = Dictionary(
            cases.enumerated().dropFirst(Self.rowCountMax)
                .map { (CaseReference($0.element), $0.offset / Self.rowCountMax + 1) }
        ) { first, _ in first }
    }

    /// Returns the page of one case for the folder `cases/`, where its path is
    /// `CaseReference.pagePath`; `nil` for a case without a page.
    public static func page(
        of result: CaseResult, in header: RunHeader, evidence: EvidenceFiles = EvidenceFiles()
    ) -> String? {
        guard CaseAnchor.canHavePage(result) else { return nil }
        return CasePage(result: result, header: header, evidence: evidence).text
    }

    /// Returns whether a case has its own page.
    func hasPage(_ result: CaseResult) -> Bool {
        CaseAnchor.canHavePage(result) && pages.contains(CaseReference(result))
    }

    /// The whole page.
    public var text: String {
        let listed = NotPassedSection.listed(of: self)
        let others = [
            MatrixSection(report: self).html, RequirementsSection(self).html,
            MeasurementsSection(report: self).html,
            CasesSection(report: self, cases: cases.prefix(Self.rowCountMax), listed: listed).html,
            RunSection(report: self).html,
        ]
        let room = Self.bytesMax - others.reduce(0) { $0 + $1.utf8.count }
        let sections =
            [VerdictSection(report: self).html, NotPassedSection(report: self, room: room).html]
            + others
        return HTMLPage(
            title: "\(Outcome.sentence(run, audit)) — conform",
            body: """
                \(HTMLPage.skips(to: skips))
                \(top)
                <main id="main">
                \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
                </main>
                <footer class="bottom"><p>conform \(HTMLText.plain(run.header.version)) · generated from \
                <a href="results.json">results.json</a> · <a href="junit.xml">junit.xml</a> · \
                <a href="summary.md">summary.md</a></p></footer>
                """
        ).text
    }

    /// The pages `cases-2.html` and so on, for a run with more cases than one page lists.
    var furtherCases: [(name: String, text: String)] {
        stride(from: Self.rowCountMax, to: cases.count, by: Self.rowCountMax).map { first in
            let rows = cases.dropFirst(first).prefix(Self.rowCountMax)
            let name = Self.pageName(first / Self.rowCountMax + 1)
            let page = HTMLPage(
                title: "Cases from \(first + 1) — conform",
                body: """
                    \(HTMLPage.skips(to: [("cases", "Skip to the cases")]))
                    <header class="top"><p><a href="index.html">← The run</a></p></header>
                    <main id="main"><h1>Cases from \(first + 1)</h1>
                    \(CasesSection(report: self, cases: rows, listed: []).html)
                    </main>
                    """)
            return (name, page.text)
        }
    }

    private static func pageName(_ number: Int) -> String { "cases-\(number).html" }

    /// Links to the pages that list the cases; empty if one page lists them all.
    var pager: String {
        let count = (cases.count + Self.rowCountMax - 1) / Self.rowCountMax
        guard count > 1 else { return "" }
        let links = (1...count).map { number in
            let name = number == 1 ? "index.html#cases" : Self.pageName(number)
            return "<a href=\"\(name)\">from \((number - 1) * Self.rowCountMax + 1)</a>"
        }
        return "<p>Cases: \(links.joined(separator: " · "))</p>"
    }

    private var skips: [(String, String)] {
        [("main", "Skip to the verdict")]
            + (notPassed.isEmpty ? [] : [("not-passed", "Skip to the cases that did not pass")])
            + [("cases", "Skip to the cases")]
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

    /// Returns the target of a link to a case: its place in the page, with its details or a link to
    /// them.
    func target(_ reference: CaseReference) -> String {
        (furtherPages[reference].map(Self.pageName) ?? "")
            + HTMLText.fragment(CaseAnchor.name(reference))
    }
}
