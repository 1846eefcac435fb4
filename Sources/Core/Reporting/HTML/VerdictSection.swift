import Results

/// The first section: whether the device conforms, and otherwise which party is at fault.
struct VerdictSection {
    let report: HTMLReport

    /// The section.
    var html: String {
        """
        <section id="verdict" class="verdict \(style)" aria-labelledby="verdict-h">
        <h1 id="verdict-h"><span aria-hidden="true">\(sign)</span> \(headline)</h1>
        <p class="lead">\(lead)</p>
        \(faults)
        \(counts)
        <p class="audit"><span>Audit</span> \(HTMLText.plain(AuditText.line(report.audit)))</p>
        \(discrepancies)\(violations)
        </section>
        """
    }

    private var violations: String {
        ViolationText.line(report.cases, of: report.run.header)
            .map { "<p class=\"audit\">\(HTMLText.plain($0))</p>" } ?? ""
    }

    private var style: String {
        switch report.run.exit {
        case .conformant: "pass"
        case .notConformant, .invalid: "fail"
        case .couldNotJudge, .nothingExecuted, .reportFailed: "inconclusive"
        case .interrupted, .terminated, nil: report.audit.judged.fail > 0 ? "fail" : "not-run"
        }
    }

    private var sign: String { HTMLVerdict.sign(style) }

    private var headline: String {
        switch report.run.exit {
        case .conformant: "The device conforms"
        case .notConformant: "The device does not conform"
        case .couldNotJudge: "Whether the device conforms could not be judged"
        case .nothingExecuted: "The run does not show whether the device conforms"
        case .reportFailed: "A report could not be written"
        case .invalid: "The input is invalid, nothing was run"
        case .interrupted, .terminated: "The run was cut short"
        case nil: "The run is not finished"
        }
    }

    /// The device, the scope of the verdict, and the outcome in numbers.
    private var lead: String {
        let header = report.run.header
        let coverage = report.run.coverage
        let sentence = HTMLText.plain(Outcome.sentence(report.run, report.audit))
        // Captures do not contain the name of the device.
        let isCheck = header.command.dropFirst().first == "check"
        let device = isCheck ? "It" : HTMLText.plain(header.device.label, limit: 80)
        guard report.run.exit == .conformant, coverage.concluded > 0 else {
            return isCheck ? sentence : "<strong>\(device)</strong>: \(sentence)"
        }
        let scope = HTMLText.plain(CoverageText.scope(coverage))
        return "<strong>\(device)</strong> conforms \(scope). <br>\(sentence)"
    }

    /// The parties at fault, with the number of cases.
    private var faults: String {
        var counts: [Responsibility: Int] = [:]
        for result in report.cases {
            guard let blame = Responsibility(result), result.verdict != .known else { continue }
            counts[blame, default: 0] += 1
        }
        let parts = Responsibility.allCases.compactMap { blame in
            counts[blame].map { "\(blame.word) in \(NumberText.count($0, "case"))" }
        }
        return parts.isEmpty
            ? ""
            : "<p class=\"faults\"><strong>Responsible:</strong> "
                + "\(parts.joined(separator: ", ")).</p>"
    }

    private var counts: String {
        let audit = report.audit
        let judged = audit.judged
        let all: [(String, Int)] = [
            ("fail", judged.fail), ("error", judged.error), ("inconclusive", judged.inconclusive),
            ("flaky", judged.flaky), ("known", judged.known), ("pass", judged.pass),
            ("skipped", audit.skippedTotal), ("not-run", audit.notRun),
        ]
        let tiles = all.filter { $0.1 > 0 || ["fail", "pass", "not-run"].contains($0.0) }
            .map { word, count in
                "<div class=\"tile \(count > 0 ? word : "zero")\"><dt><span aria-hidden=\"true\">"
                    + "\(HTMLVerdict.sign(word))</span> \(HTMLVerdict.spoken(word))</dt>"
                    + "<dd>\(count)</dd></div>"
            }
        return
            "<dl class=\"tiles\"><div class=\"tile\"><dt>planned</dt><dd>\(audit.planned)</dd></div>"
            + tiles.joined() + "</dl><p class=\"share\">\(MatrixSection.bar(report.cases))</p>"
    }

    private var discrepancies: String {
        let sentences =
            report.audit.discrepancies.map { "Plan and results disagree: \($0)" }
            + report.run.staleEntries.map { "List of known failures: \($0)" }
        guard !sentences.isEmpty else { return "" }
        let shown = sentences.prefix(50).map { "<li>\(HTMLText.plain($0))</li>" }.joined()
        let more = sentences.count > 50 ? "<li>and \(sentences.count - 50) more</li>" : ""
        return "<ul class=\"discrepancies\">\(shown)\(more)</ul>"
    }
}
