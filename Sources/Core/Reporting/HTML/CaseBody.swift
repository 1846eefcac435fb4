import Results
import SuiteLanguage
import Wire

/// The body of a page or section about one case.
struct CaseBody {
    private let result: CaseResult
    private let header: RunHeader
    /// The path from the page to the report folder: empty or `../`.
    private let root: String
    private let anchor: String
    private let id: String
    private let level: Int
    private let evidence: Evidence?
    /// Why the evidence of the case cannot be shown; empty if it can, or if there is none.
    private let flaw: String

    /// Creates the body.
    ///
    /// - Parameters:
    ///   - result: The case.
    ///   - header: The run.
    ///   - evidence: The evidence files of the run's cases.
    ///   - root: The path from the page to the report folder.
    ///   - number: A number that is unique on the page.
    ///   - level: The level of its headings.
    init(
        _ result: CaseResult, header: RunHeader, evidence: EvidenceFiles, root: String, number: Int,
        level: Int
    ) {
        do throws(UnreadableReport) {
            self.evidence = try evidence.evidence(of: result)
            flaw = ""
        } catch {
            self.evidence = nil
            flaw = error.why
        }
        self.result = result
        self.header = header
        self.root = root
        anchor = CaseAnchor.name(CaseReference(result))
        id = "c\(number)"
        self.level = level
    }

    /// The body.
    var html: String {
        let notes = CaseNotesHTML(notes: evidence?.notes)
        var parts = [
            facts, notes.earlier, notes.demands, requirements, comparison, notes.source, shrunk,
        ]
        if let evidence {
            parts += drawings(evidence)
        } else {
            parts += [missingEvidence, alignment, StepsTable(result, job: header.job).html]
        }
        parts += [ExecutionsTable(result, link: link).html, files, environment]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: - Facts

    private var facts: String {
        let counts = result.counts
        var facts = [
            "took \(NumberText.length(result.seconds))",
            "\(NumberText.count(counts.messages, "message")) in "
                + NumberText.count(counts.packets, "packet"),
        ]
        facts += (result.measurements ?? []).map { "\($0.name): \($0.value)" }
        if counts.dropped > 0 { facts.append("\(counts.dropped) packets lost") }
        let ignored = result.ignored.values.reduce(0, +)
        if ignored > 0 {
            let names = result.ignored.sorted { $0.key < $1.key }
                .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
            facts.append("\(ignored) ignored: \(names)")
        }
        let blame = Responsibility(result).map {
            "<p class=\"blame\"><strong>Responsible: \($0.word).</strong> \($0.sentence)</p>"
        }
        let violations = (result.violations ?? []).map(ViolationText.text)
        let remarks = (violations + result.remarks)
            .map { "<li>\(HTMLText.plain($0))</li>" }.joined()
        return "<p class=\"title\">\(HTMLText.plain(result.title))</p>"
            + "<p class=\"muted\">\(FilePlace.html(result.position, header.job)) · "
            + "\(HTMLText.plain(facts.joined(separator: " · ")))</p>"
            + (blame ?? "") + (remarks.isEmpty ? "" : "<ul class=\"remarks\">\(remarks)</ul>")
    }

    private var requirements: String {
        let cited = result.reason?.explanation?.requirements ?? []
        let known = header.suites.first { $0.id == result.suite }?.requirements ?? []
        let shown =
            cited.isEmpty
            ? result.checks.compactMap { check in known.first { $0.id == check.requirement } }
            : cited
        return shown.map { requirement in
            let verdict = result.checks.first { $0.requirement == requirement.id }?.verdict
            return "<blockquote><p><strong>\(HTMLText.plain(requirement.id))</strong> "
                + "\(verdict.map { HTMLVerdict.badge($0.rawValue) } ?? "") "
                + "\(HTMLText.plain(requirement.text))</p>"
                + "<footer>\(HTMLText.plain(requirement.source))</footer></blockquote>"
        }.joined()
    }

    private var comparison: String {
        guard let reason = result.reason, let explanation = reason.explanation else { return "" }
        let step = explanation.step.map { "step \($0), " } ?? ""
        var rows = [
            ("Where", step + FilePlace.html(explanation.position, header.job)),
            ("Expected", HTMLText.code(explanation.expected)),
            ("Got", HTMLText.code(explanation.actual)),
        ]
        if let miss = explanation.nearestMiss {
            // If the message that differs is the actual one, the row before shows it already.
            let isToldAlready = explanation.actual.hasPrefix(miss.message)
            if !isToldAlready {
                let frames = "<span class=\"muted\">\(FramesText.short(miss.frames))</span>"
                rows.append(("Nearest", "\(HTMLText.code(miss.message)) \(frames)"))
            }
            rows.append(
                ("Differs", miss.differences.map { HTMLText.code($0) }.joined(separator: "<br>")))
        }
        let cells = rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>" }.joined()
        return
            "<table class=\"compare expected\"><caption class=\"hidden\">Expected and actual</caption>"
            + cells + "</table>"
    }

    /// The shorter run that fails in the same way, as a case of a suite.
    private var shrunk: String {
        guard let shrunk = result.shrunk else { return "" }
        let text = HTMLText.plain(ShrunkText.suiteLines(shrunk).joined(separator: "\n"))
        return "<h\(level)>Shrunk run</h\(level)><p>"
            + "\(HTMLText.plain(ShrunkText.sentence(shrunk)))</p><div class=\"scroll\" tabindex=\"0\" "
            + "role=\"group\" aria-label=\"Shrunk run\"><pre>\(text)</pre></div>"
    }

    /// The notice that is shown if the evidence is lost.
    private var missingEvidence: String {
        guard !flaw.isEmpty, let file = result.evidenceFile else { return "" }
        return "<p><strong>No messages can be shown:</strong> \(HTMLText.code(file)): "
            + "\(HTMLText.plain(flaw)).</p>"
    }

    // MARK: - Drawings

    private func drawings(_ evidence: Evidence) -> [String] {
        let lines = LadderLine.lines(of: result, evidence)
        let time = Timeline(result, evidence)
        return [
            ladder(lines, evidence), SchedulePlot(stepsOf: result)?.html(id: "\(id)-s") ?? "",
            StepsTable(result, evidence, job: header.job).html,
            """
            <figure>
            <div class="scroll" tabindex="0" role="group" aria-label="Time axis">\
            \(time.svg(id: "\(id)-x"))</div>
            <figcaption>Time axis: windows of the steps, messages, actions, device log. \
            Bands: allowed. Points: measured.</figcaption>
            </figure>
            """,
            "<h\(level)>Messages, actions and device log</h\(level)>",
            EventLog(result, evidence, anchor: anchor).html,
        ]
    }

    private func ladder(_ lines: [LadderLine], _ evidence: Evidence) -> String {
        let rule = result.reason?.explanation?.expected
        func drawing(_ spacing: LadderDrawing.Spacing) -> LadderDrawing {
            LadderDrawing(
                lines, parties: evidence.parties, rule: rule, spacing: spacing, anchor: anchor,
                captureStart: evidence.captureStartSeconds)
        }
        let scaled = drawing(.toScale)
        let ordered = drawing(.byOrder).svg(id: "\(id)-l")
        func box(_ svg: String, _ name: String) -> String {
            "<div class=\"scroll \(name)\" tabindex=\"0\" role=\"group\""
                + " aria-label=\"Ladder, \(name == "by-order" ? "by order" : "to scale")\">"
                + "\(svg)</div>"
        }
        let views =
            [("order", "By order")] + (scaled.hasScale ? [("scale", "To scale")] : [])
            + [("table", "As a table")]
        let toggle = views.map { view, words in
            "<input type=\"radio\" class=\"hidden pick-\(view)\" name=\"\(id)\" id=\"\(id)-\(view)\""
                + "\(view == "order" ? " checked" : "")><label for=\"\(id)-\(view)\">\(words)</label>"
        }.joined()
        return """
            <figure class="ladder-figure">
            \(toggle)\(box(ordered, "by-order"))
            \(scaled.hasScale ? box(scaled.svg(id: "\(id)-m"), "to-scale") : "")
            <div class="as-table">\(table(lines, evidence))</div>
            <figcaption>Expected and actual. Times with a sign are relative to the first message of \
            the case; sentences name what their times are relative to\
            \(evidence.captureStartSeconds == nil ? "" : "; times next to frames are those of Wireshark, relative to the first packet of the capture"). \
            Each message links to its fields and bytes.</figcaption>
            </figure>
            """
    }

    private func table(_ lines: [LadderLine], _ evidence: Evidence) -> String {
        let rows = lines.compactMap { line -> String? in
            let mark: String
            switch line.kind {
            case .row(let kind): mark = LadderDrawing.sign(line, kind)
            case .background: mark = ""
            case .folded(let names):
                let text = HTMLText.plain(LadderDrawing.summary(names))
                return "<tr><td></td><td></td><td></td><td>\(text)</td><td></td></tr>"
            case .omitted(let count):
                return "<tr><td></td><td></td><td></td><td>\(count) omitted</td><td></td></tr>"
            }
            let expected = line.step.map { HTMLText.code($0.result.text, limit: 200) } ?? ""
            let actual = line.message.map { message in
                HTMLText.code(message.name, limit: 80) + " "
                    + HTMLText.plain(MessageSummary.text(message, line.step?.result), limit: 120)
            }
            let bad = line.isDivergence ? " class=\"wrong\"" : ""
            let frames = line.message.map { FramesText.short($0, in: evidence) } ?? ""
            return Self.alignmentRow(
                bad, line.seconds, expected, mark, actual ?? "", frames)
        }
        return Self.alignmentTable(rows)
    }

    /// The table of expected and actual messages if only texts are known.
    private var alignment: String {
        guard let rows = result.reason?.explanation?.alignment, !rows.isEmpty else { return "" }
        return Self.alignmentTable(
            rows.map { row in
                let isBad = row.mark == .missing || row.mark == .extra
                return Self.alignmentRow(
                    isBad ? " class=\"wrong\"" : "", row.seconds,
                    row.expected.map { HTMLText.code($0) } ?? "", row.mark.rawValue,
                    row.actual.map { HTMLText.code($0) } ?? "", FramesText.short(row.frames))
            })
    }

    /// Returns a row; on a narrow page the cells are below each other and show their own headings.
    private static func alignmentRow(
        _ style: String, _ seconds: Double?, _ expected: String, _ mark: String, _ actual: String,
        _ frames: String
    ) -> String {
        "<tr\(style)><td>\(seconds.map(NumberText.offset) ?? "")</td>"
            + "<td data-h=\"Expected\">\(expected)</td><td>\(mark)</td>"
            + "<td data-h=\"Actual\">\(actual)</td><td>\(frames)</td></tr>"
    }

    private static func alignmentTable(_ rows: [String]) -> String {
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Expected and actual\">"
            + "<table class=\"stack pairs\"><caption class=\"hidden\">Expected and actual</caption><thead><tr>"
            + ["Time", "Expected", "Result", "Actual", "Frames"]
            .map { "<th scope=\"col\">\($0)</th>" }
            .joined() + "</tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table></div>"
    }

    // MARK: - Files and commands

    private var files: String {
        var rows: [(String, String)] = []
        if let command = result.reproduce { rows.append(("Run again", HTMLText.command(command))) }
        if let capture = result.capture {
            rows.append(("Capture", link(capture)))
            if let digest = result.captureDigest {
                rows.append(("Capture, SHA-256", HTMLText.code(digest)))
            }
            rows += filters.map { ($0.name, HTMLText.command($0.filter)) }
        }
        if let log = result.log { rows.append(("Device log", link(log))) }
        if let shrunk = result.shrunk {
            if let command = shrunk.reproduce {
                rows.append(("Run the shrunk run", HTMLText.command(command)))
            }
            if let capture = shrunk.execution.capture, capture != result.capture {
                rows.append(("Capture of the shrunk run", link(capture)))
            }
        }
        guard !rows.isEmpty else { return "" }
        let cells = rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>" }.joined()
        return "<table class=\"compare files\"><caption>Files and commands</caption>"
            + "\(cells)</table>"
    }

    private var filters: [(name: String, filter: String)] {
        var filters: [(name: String, filter: String)] = []
        let frames = result.reason?.explanation?.frames ?? []
        if !frames.isEmpty {
            filters.append(("Wireshark filter, frames of the failure", FramesText.filter(frames)))
        }
        let flows = Set((evidence?.messages ?? []).compactMap(\.flow)).sorted()
        if !flows.isEmpty, flows.count <= 20 {
            filters.append(
                (
                    "Wireshark filter, connections of the case",
                    flows.map(FlowNumber.filter).joined(separator: " or ")
                ))
        }
        return filters
    }

    private func link(_ path: String) -> String {
        let target = path.hasPrefix("/") ? path : root + path
        return "<a href=\"\(HTMLText.path(target))\">\(HTMLText.plain(path))</a>"
    }

    private var environment: String {
        let run = header
        let facts =
            [
                run.device.label, "conform \(run.version)", run.environment.system,
                "Linux \(run.environment.kernel)", run.environment.isolation, "seed \(run.seed)",
                run.started.utc,
            ] + (run.timeScale.map { ["time scale \($0)"] } ?? [])
        return "<p class=\"muted\">\(HTMLText.plain(facts.joined(separator: " · ")))</p>"
    }
}
