import Results

/// The section with the cases that did not pass, the most severe first.
///
/// Cases with the same requirements and kind of reason are grouped. Their details open in place.
struct NotPassedSection {
    let report: HTMLReport
    /// The maximum size of its details in bytes.
    let room: Int

    /// Returns the cases that are described in this section.
    static func listed(of report: HTMLReport) -> Set<CaseReference> {
        Set(report.notPassed.prefix(HTMLReport.listedCountMax).map(CaseReference.init))
    }

    /// Cases with the same verdict, requirements and kind of reason.
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
            + "\(group.code.map { HTMLText.plain(Self.words($0)) } ?? "no reason given")"
            + " <span class=\"muted\">\(ids)\(count)\(blame)</span></h3>"
    }

    /// Returns the meaning of a reason's code, in a few words.
    private static func words(_ code: ReasonCode) -> String {
        switch code {
        case .sequence: "something is missing or out of order"
        case .field: "a field has a wrong value"
        case .timing: "too early or too late"
        case .absence: "a message that must never come"
        case .unexpected: "an unexpected message"
        case .malformed: "bytes that do not decode"
        case .violation: "the specification of the protocol is violated"
        case .liveness: "the device exits or hangs"
        case .unexpectedPass: "a listed known failure passes"
        case .preamble: "the preamble was not completed"
        case .captureLoss: "packets were not captured"
        case .lateHarness: "the machine was too busy"
        case .captureEnd: "the capture ends too early"
        case .setup: "the device or its environment could not be started"
        case .timeout: "the case takes too long"
        case .notRun: "the run ended before the case"
        case .notApplicable: "the device lacks what the case needs"
        }
    }

    private func item(_ result: CaseResult, number: Int, detailed: Bool) -> String {
        let reference = CaseReference(result)
        let word = HTMLVerdict.word(result)
        let reason = result.reason?.summary ?? "No reason was given."
        let body =
            detailed
            ? CaseBody(
                result, header: report.run.header, evidence: report.evidence, root: "",
                number: number, level: 5
            ).html
            : "<p><a href=\"\(HTMLText.path(reference.pagePath))\">The details are on a "
                + "separate page</a>, to keep this one small.</p>"
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
