import Results

/// The page of several devices: requirements and cases by device; each verdict of a case links to
/// the report of the device.
struct DeviceMatrixPage {
    let matrix: DeviceMatrix

    /// The whole page.
    var text: String {
        let title = "\(NumberText.count(matrix.columns.count, "device")) side by side"
        return HTMLPage(
            title: "\(title) — conform",
            body: """
                \(HTMLPage.skips(to: [("main", "Skip to the devices")]))
                <header class="top"><p class="brand">conform</p>
                <p class="subject"><strong>\(title)</strong></p>
                <nav aria-label="Sections"><a href="#devices">Devices</a>\
                <a href="#requirements">Requirements</a><a href="#cases">Cases</a></nav></header>
                <main id="main">
                \(devices)
                \(table("requirements", "Requirements", "Requirement", matrix.requirements) { _, _ in nil })
                \(table("cases", "Cases", "Case", matrix.cases.map(\.row), link: caseLink))
                </main>
                <footer class="bottom"><p><a href="matrix.json">matrix.json</a> · \
                <a href="junit.xml">junit.xml</a> · <a href="summary.md">summary.md</a></p></footer>
                """
        ).text
    }

    private var devices: String {
        let rows = matrix.columns.map { column -> String in
            let run = column.run
            let count = run.casesInPlanOrder.count { $0.verdict == .pass }
            return "<tr><th scope=\"row\"><a href=\"\(page(of: column))\">"
                + "\(HTMLText.plain(column.label, limit: 200))</a></th>"
                + "<td>\(HTMLText.plain(run.header.device.role))</td>"
                + "<td>\(HTMLText.plain(Outcome.sentence(run, run.audit)))</td>"
                + "<td class=\"number\">\(count) of \(run.header.planned.count)</td></tr>"
        }
        return """
            <section id="devices" aria-labelledby="devices-h">
            <h1 id="devices-h">Devices</h1>
            <div class="scroll" tabindex="0" role="group" aria-label="Table of devices">
            <table class="stack"><caption class="hidden">The devices and their verdicts</caption>
            <thead><tr><th scope="col">Device</th><th scope="col">Role</th>\
            <th scope="col">Verdict</th><th scope="col">Cases passed</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            </section>
            """
    }

    private func table(
        _ id: String, _ title: String, _ noun: String, _ rows: [DeviceMatrix.Row],
        link: (Int, Int) -> String?
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let heads = matrix.columns.map {
            "<th scope=\"col\">\(HTMLText.plain($0.label, limit: 80))</th>"
        }.joined()
        let lines = rows.enumerated().map { place, row -> String in
            let cells = row.words.enumerated().map { column, word -> String in
                guard let word else { return "<td class=\"muted\">not planned</td>" }
                let badge = HTMLVerdict.badge(word)
                return link(place, column).map { "<td><a href=\"\($0)\">\(badge)</a></td>" }
                    ?? "<td>\(badge)</td>"
            }.joined()
            return "<tr\(row.isSame ? "" : " class=\"wrong\"")><th scope=\"row\">"
                + "\(HTMLText.plain(row.name, limit: 200)) <span class=\"muted\">"
                + "\(HTMLText.plain(row.text, limit: 300))</span></th>\(cells)</tr>"
        }
        let odd = rows.count { !$0.isSame }
        return """
            <section id="\(id)" aria-labelledby="\(id)-h">
            <h2 id="\(id)-h">\(title): \(rows.count), \(odd) with different verdicts</h2>
            <div class="scroll" tabindex="0" role="group" aria-label="\(title) by device">
            <table class="by-run"><caption class="hidden">\(title) by device</caption>
            <thead><tr><th scope="col">\(noun)</th>\(heads)</tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody></table></div>
            </section>
            """
    }

    private func caseLink(_ place: Int, _ column: Int) -> String? {
        let target = HTMLText.fragment(CaseAnchor.name(matrix.cases[place].reference))
        return page(of: matrix.columns[column]) + target
    }

    private func page(of column: DeviceMatrix.Column) -> String {
        HTMLText.path("\(column.folder)/index.html")
    }
}
