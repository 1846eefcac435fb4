import Results

/// The cases that did not pass, worst first, those of one requirement and kind of reason together;
/// their details open in place.
struct NotPassedSection {
    private let report: HTMLReport
    private let room: Int

    /// Prepares the section; `room` is how many bytes its details may have.
    init(_ report: HTMLReport, room: Int) {
        self.report = report
        self.room = room
    }

    /// The cases whose place in the page is here.
    static func listed(of report: HTMLReport) -> Set<CaseReference> {
        Set(report.notPassed.prefix(HTMLReport.listedCountMax).map(CaseReference.init))
    }

    /// Cases of one verdict that broke the same requirements in the same way.
    private struct Group {
        let verdict: Verdict
        let code: ReasonCode?
        let requirements: [String]
        var cases: [CaseResult]
    }

    private var groups: [Group] {
        var groups: [Group] = []
        var seen: Set<CaseReference> = []
        for result in report.notPassed.prefix(HTMLReport.listedCountMax)
        where seen.insert(CaseReference(result)).inserted {
            let cited = result.reason?.explanation?.requirements.map(\.id) ?? []
            let requirements = cited.isEmpty ? result.checks.map(\.requirement) : cited
            let place = groups.firstIndex {
                $0.verdict == result.verdict && $0.code == result.reason?.code
                    && $0.requirements == requirements
            }
            if let place {
                groups[place].cases.append(result)
            } else {
                groups.append(
                    Group(
                        verdict: result.verdict, code: result.reason?.code,
                        requirements: requirements, cases: [result]))
            }
        }
        return groups
    }

    /// The section; empty if all passed.
    var html: String {
        let cases = report.notPassed
        guard !cases.isEmpty else { return "" }
        var left = room
        var number = 0
        let parts = groups.map { group -> String in
            let items = group.cases.map { result in
                let item = item(
                    result, number: number, detailed: left > 0 || !report.hasPage(result))
                number += 1
                left -= item.utf8.count
                return item
            }
            return "<div class=\"reason\">\(heading(group))\n"
                + items.joined(separator: "\n") + "</div>"
        }
        let more = cases.count - number
        return """
            <section id="not-passed" aria-labelledby="not-passed-h">
            <h2 id="not-passed-h">Not passed: \(NumberText.count(cases.count, "case"))</h2>
            \(parts.joined(separator: "\n"))
            \(more > 0 ? "<p>And \(more) more in the <a href=\"#cases\">table of cases</a>.</p>" : "")
            </section>
            """
    }

    private func heading(_ group: Group) -> String {
        let ids = HTMLText.plain(group.requirements.joined(separator: ", "), limit: 200)
        let blame =
            group.cases.first.flatMap(Responsibility.init).map { " · fault: \($0.word)" } ?? ""
        let count = group.cases.count > 1 ? " · \(group.cases.count) cases" : ""
        return "<h3>\(HTMLVerdict.badge(HTMLVerdict.word(group.cases[0]))) "
            + "\(group.code.map { HTMLText.plain(Self.words($0)) } ?? "without a reason")"
            + " <span class=\"muted\">\(ids)\(count)\(blame)</span></h3>"
    }

    /// What a reason's code means, in a few words.
    private static func words(_ code: ReasonCode) -> String {
        switch code {
        case .sequence: "something is missing or out of order"
        case .field: "a field has another value"
        case .timing: "too early or too late"
        case .absence: "what must never come"
        case .unexpected: "nobody expects it"
        case .malformed: "bytes that do not decode"
        case .violation: "the protocol's specification is broken"
        case .liveness: "the device ends or hangs"
        case .unexpectedPass: "a known failure has passed"
        case .preamble: "the starting point was not reached"
        case .captureLoss: "packets were not captured"
        case .lateHarness: "the machine was too busy"
        case .captureEnd: "the capture ends too early"
        case .setup: "the device or what it needs could not be started"
        case .timeout: "the case takes too long"
        case .notRun: "the run ended before"
        case .notApplicable: "the device lacks what the case needs"
        }
    }

    private func item(_ result: CaseResult, number: Int, detailed: Bool) -> String {
        let reference = CaseReference(result)
        let word = HTMLVerdict.word(result)
        let reason = result.reason?.summary ?? "It ended without a reason."
        let body =
            detailed
            ? CaseBody(
                result, header: report.run.header, evidence: report.evidence, root: "",
                number: number, level: 5
            ).html
            : "<p><a href=\"\(HTMLText.path(reference.pagePath))\">The details are on a page of "
                + "their own</a>, to keep this one small.</p>"
        return """
            <details class="case \(word)"\(report.notPassed.count == 1 ? " open" : "")>
            <summary><span class="name" role="heading" aria-level="4">\
            \(HTMLText.plain("\(reference)", limit: 300))</span>\
            <span class="why">\(HTMLText.plain(reason))</span></summary>
            <article class="body" id="\(HTMLText.identifier(CaseAnchor.name(reference)))" \
            aria-label="\(HTMLText.plain("\(reference)", limit: 300))">
            \(body)
            </article></details>
            """
    }
}
