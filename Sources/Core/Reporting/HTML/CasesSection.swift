import Results

/// The table of all cases, which can be searched and filtered.
struct CasesSection {
    let report: HTMLReport
    let cases: ArraySlice<CaseResult>
    /// The cases that are described elsewhere on the page.
    let listed: Set<CaseReference>

    /// How many rows are shown before the reader requests more.
    private static let shownCountMax = 300

    /// The section.
    var html: String {
        let rows = cases.map(row)
        let further = rows.dropFirst(Self.shownCountMax)
        return """
            <section id="cases" aria-labelledby="cases-h">
            <h2 id="cases-h">Cases: \(report.cases.count)</h2>
            \(filter)
            <div class="scroll" tabindex="0" role="group" aria-label="Table of cases">
            <table class="cases stack sortable"><caption class="hidden">All cases in the order of the plan</caption>
            <thead><tr><th scope="col">Verdict</th><th scope="col">Case</th>\
            <th scope="col">Requirements</th><th scope="col">Time</th></tr></thead>
            <tbody class="case-rows">
            \(rows.prefix(Self.shownCountMax).joined(separator: "\n"))
            </tbody>
            \(further.isEmpty ? "" : "<tbody class=\"case-rows further\">\(further.joined(separator: "\n"))</tbody>")
            </table></div>
            <button id="more" class="more" type="button" hidden>Show all</button>
            \(report.pager)
            </section>
            """
    }

    /// The form with search and filters; the script shows it and applies it.
    private var filter: String {
        let present = Set(cases.map(HTMLVerdict.word))
        let boxes = HTMLVerdict.words.filter(present.contains).map { word in
            "<label class=\"\(word)\"><input type=\"checkbox\" value=\"\(word)\" checked> "
                + "\(HTMLVerdict.sign(word)) \(HTMLVerdict.spoken(word))</label>"
        }
        return """
            <form id="filter" class="filter" role="search" hidden>
            <label>Search <input type="search" id="search" autocomplete="off" \
            placeholder="name, requirement, reason"></label>
            <fieldset><legend class="hidden">Verdicts</legend>\(boxes.joined())</fieldset>
            <output id="shown" aria-live="polite"></output>
            </form>
            """
    }

    private func row(_ result: CaseResult) -> String {
        let reference = CaseReference(result)
        let word = HTMLVerdict.word(result)
        let rank = HTMLVerdict.words.firstIndex(of: word) ?? 0
        let time = NumberText.fixed(result.seconds * 1e6, digits: 0)
        let anchor = CaseAnchor.name(reference)
        let isHere = listed.contains(reference)
        let id = isHere ? "" : " id=\"\(HTMLText.identifier(anchor))\""
        let name = HTMLText.plain("\(reference)", limit: 300)
        let hasPage = report.hasPage(result)
        let target =
            isHere
            ? HTMLText.fragment(anchor) : hasPage ? HTMLText.path(reference.pagePath) : nil
        let link = target.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
        let reason = result.reason.map {
            "<br><span class=\"muted\">\(HTMLText.plain($0.summary, limit: 300))</span>"
        }
        let checks = result.checks.map(\.requirement).joined(separator: ", ")
        return
            "<tr\(id) class=\"v-\(word)\"><td data-key=\"\(rank)\">\(HTMLVerdict.badge(word))</td>"
            + "<td>\(link)<br>\(HTMLText.plain(result.title, limit: 200))\(reason ?? "")</td>"
            + "<td>\(HTMLText.plain(checks, limit: 200))</td>"
            + "<td class=\"number\" data-key=\"\(time)\">\(NumberText.length(result.seconds))</td></tr>"
    }
}
