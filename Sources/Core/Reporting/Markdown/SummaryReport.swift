import Results

/// The run on one page of Markdown: `summary.md` for a CI job's page, or a comment on a pull
/// request.
public struct SummaryReport: Sendable {
    /// Where the page is shown.
    public enum Place: String, Sendable, CaseIterable {
        /// The page of a CI job: everything that fits into a megabyte.
        case job
        /// A comment: the verdict, the audit, the first failures; the requirements are folded.
        case comment
    }

    private let run: RunResult
    private let audit: Audit
    private let place: Place

    /// How many failures are shown in full.
    private var shownFailures: Int { place == .job ? 50 : 10 }

    /// The marker by which a script finds the comment of an earlier run in order to replace it.
    public static let commentMark = "<!-- conform -->"

    /// Creates the report of a run, finished or not.
    public init(_ run: RunResult, for place: Place = .job) {
        self.run = run
        self.place = place
        audit = run.audit
    }

    /// The whole page; never longer than its place accepts.
    public var text: String {
        var page = MarkdownPage(
            limit: place == .job ? MarkdownLimit.jobPage : MarkdownLimit.comment)
        page.append(heading)
        page.append(auditTable)
        page.append(
            ViolationText.line(run.cases, of: run.header).map { [Markdown.text($0) + "."] } ?? [])
        appendList("Plan and results disagree", audit.discrepancies, to: &page)
        appendFailures(to: &page)
        appendList(
            "Known failures that expired or match nothing", run.staleEntries, to: &page)
        appendSkipped(to: &page)
        appendMeasurements(to: &page)
        appendCoverage(to: &page)
        appendRules(to: &page)
        return page.text
    }

    // MARK: the verdict

    private var heading: [String] {
        let header = run.header
        let suites = header.suites.prefix(20).map { Markdown.code($0.file) }
            .joined(separator: ", ")
        let more = header.suites.count > 20 ? " and \(header.suites.count - 20) more" : ""
        let title = Markdown.text(Outcome.sentence(run, audit))
        let mark = place == .comment ? [Self.commentMark] : []
        return mark + [
            (place == .job ? "# " : "## ") + "conform: \(title)",
            "",
            "\(Markdown.text(header.device.label)) (\(Markdown.text(header.device.role)))"
                + " against \(suites.isEmpty ? "no suite" : suites)\(more)"
                + " on \(header.started.utc), \(NumberText.seconds(run.seconds)) s,"
                + " seed \(header.seed), conform \(Markdown.text(header.version)),"
                + " isolation: \(Markdown.text(header.environment.isolation)).",
        ] + (TimeScaleText.line(header).map { ["", "**\(Markdown.text($0)).**"] } ?? []) + links
    }

    /// Links to the job and its files; empty outside of a CI engine.
    private var links: [String] {
        guard let job = run.header.job else { return [] }
        let files = ReportFolder.files.compactMap { name in
            address(of: name).map { Markdown.link(name, to: $0) }
        }
        return ["", ([Markdown.link("The job", to: job.page)] + files).joined(separator: ", ")]
    }

    /// Returns the address of a file of the report folder; `nil` if there is none.
    private func address(of file: String) -> String? {
        let folder = run.header.folder
        guard let base = run.header.job?.artifacts, !folder.hasPrefix("/"), !folder.isEmpty else {
            return nil
        }
        return "\(base)\(folder)/\(file)"
    }

    private var auditTable: [String] {
        let kinds = AuditText.kinds(audit.judged)
        let judged = kinds.filter(\.verdict.isConclusion).reduce(0) { $0 + $1.count }
        let names = kinds.map { "\($0.verdict.rawValue) | " }.joined()
        let counts = kinds.map { "\($0.count) | " }.joined()
        let rule = kinds.map { _ in " ---: |" }.joined()
        let shard = AuditText.shard(audit).map { ["", Markdown.text($0) + "."] } ?? []
        return [
            "| planned | judged | \(names)skipped | not run | checks |",
            "| ---: | ---: |\(rule) ---: | ---: | ---: |",
            "| \(audit.planned) | \(judged) | \(counts)\(audit.skippedTotal)"
                + " | \(audit.notRun) | \(audit.checks) |",
        ] + shard
    }

    private func appendList(_ title: String, _ items: [String], to page: inout MarkdownPage) {
        page.append(
            heading: ["## \(title)", ""],
            entries: items.lazy.map { ["- " + Markdown.text(shown($0))] },
            most: shownFailures, rest: { ["- and \($0) more in `results.json`"] })
    }

    // MARK: failures

    /// The cases that did not pass, the most severe first, each kind in the order of the plan.
    private var failures: [CaseResult] {
        let order: [Verdict] = [.fail, .error, .none, .inconclusive, .flaky, .known]
        let cases = run.casesInPlanOrder
        return order.flatMap { verdict in cases.filter { $0.verdict == verdict } }
    }

    private func appendFailures(to page: inout MarkdownPage) {
        page.append(
            heading: ["## Not passed"], entries: failures.lazy.map { [""] + failure($0) },
            most: shownFailures, rest: { ["", "And \($0) more in `results.json`."] })
    }

    /// Returns a sentence, shortened if the place has little space.
    private func shown(_ sentence: String) -> String {
        place == .job ? sentence : Markdown.shortened(sentence)
    }

    private func failure(_ result: CaseResult) -> [String] {
        let sentence = shown(CaseExplanation.sentence(result))
        var lines = [
            "- **\(result.verdict.word(result.reason?.code))** "
                + "\(Markdown.code("\(CaseReference(result))")): \(Markdown.text(sentence))"
        ]
        if let explanation = result.reason?.explanation {
            lines += explanation.requirements.map { requirement in
                let text = place == .job ? ": \(Markdown.text(requirement.text))" : ""
                return "  - \(Markdown.text(requirement.id))\(text)"
                    + " (\(Markdown.text(requirement.source)))"
            }
            lines.append("  - at \(Markdown.code("\(explanation.position)"))")
        }
        if result.executions != nil, let remark = result.remarks.last {
            lines.append("  - \(Markdown.text(remark))")
        }
        if let shrunk = result.shrunk {
            lines.append("  - shrunk: \(Markdown.text(ShrunkText.sentence(shrunk)))")
        }
        return lines + evidence(result)
    }

    private func evidence(_ result: CaseResult) -> [String] {
        let explanation = CaseExplanation(
            result: result, folder: run.header.folder, width: Style.plain.width)
        var lines: [String] = []
        if let capture = result.capture {
            let path = Markdown.code(explanation.path(capture))
            lines.append(
                "  - capture: " + (address(of: capture).map { Markdown.link(path, to: $0) } ?? path)
            )
        }
        if let command = result.reproduce {
            lines.append("  - run again: \(Markdown.code(command))")
        }
        return lines
    }

    // MARK: what was not judged, and the requirements

    private func appendSkipped(to page: inout MarkdownPage) {
        guard !audit.skipped.isEmpty || audit.notRun > 0 else { return }
        let reasons = audit.skipped.sorted { $0.key < $1.key }
            .map { ["| \($0.value) | \(Markdown.text($0.key)) |"] }
        let left = audit.notRun > 0 ? [["| \(audit.notRun) | not run |"]] : []
        page.append(
            heading: ["## Not judged", "", "| cases | reason |", "| ---: | --- |"],
            entries: left + reasons, most: 200,
            rest: { ["| | and \($0) more reasons in `results.json` |"] })
    }

    private func appendMeasurements(to page: inout MarkdownPage) {
        let measured = run.casesInPlanOrder.flatMap { result in
            (result.measurements ?? []).map { (CaseReference(result), $0) }
        }
        guard !measured.isEmpty else { return }
        page.append(
            heading: ["## Measured", "", "| measured | value | case |", "| --- | ---: | --- |"],
            entries: measured.lazy.map { reference, measurement in
                [
                    "| \(Markdown.text(measurement.name)) | \(Markdown.text(measurement.value))"
                        + " | \(Markdown.text("\(reference)")) |"
                ]
            }, most: place == .job ? 200 : 20,
            rest: { ["| | | and \($0) more in `results.json` |"] })
    }

    private func appendCoverage(to page: inout MarkdownPage) {
        let coverage = run.coverage
        guard !coverage.rows.isEmpty else { return }
        let title = "Requirements: \(coverage.concluded) of \(coverage.rows.count) concluded"
        let head = ["| requirement | verdict | cases | text |", "| --- | --- | ---: | --- |"]
        let isFolded = place == .comment
        page.append(
            heading: isFolded
                ? ["<details><summary>\(title)</summary>", ""] + head : ["## \(title)", ""] + head,
            entries: coverage.rows.lazy.map { row in
                let verdict = row.verdict == .none ? "not judged" : row.verdict.rawValue
                return [
                    "| \(Markdown.text(row.requirement)) | \(verdict)"
                        + " | \(row.concluded) of \(row.cases.count) | \(Markdown.text(row.text)) |"
                ]
            }, closing: isFolded ? ["", "</details>"] : [],
            rest: { ["| | | | and \($0) more in `results.json` |"] })
    }

    private func appendRules(to page: inout MarkdownPage) {
        let coverage = run.ruleCoverage
        guard let title = RuleText.line(coverage) else { return }
        let isFolded = place == .comment
        let head = ["| rule | exercised |", "| --- | --- |"]
        page.append(
            heading: isFolded
                ? ["<details><summary>\(title)</summary>", ""] + head : ["## \(title)", ""] + head,
            entries: coverage.rows.lazy.map { row in
                [
                    "| \(Markdown.text("\(row.suite)/\(row.rule.id)"))"
                        + " | \(Markdown.text(RuleText.count(row))) |"
                ]
            }, closing: isFolded ? ["", "</details>"] : [],
            rest: { ["| | and \($0) more in `results.json` |"] })
    }
}
