import Results

/// The section with the measurements of the cases.
struct MeasurementsSection {
    /// How many are listed; `results.json` has all of them.
    private static let listedCountMax = 500

    let report: HTMLReport

    /// The section; empty if nothing was measured.
    var html: String {
        let rows = report.cases.flatMap { result in
            (result.measurements ?? []).map { row($0, of: result) }
        }
        guard !rows.isEmpty else { return "" }
        let more = rows.count - Self.listedCountMax
        return """
            <section id="measurements" aria-labelledby="measurements-h">
            <h2 id="measurements-h">Measured: \(NumberText.count(rows.count, "value"))</h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Table of measurements">
            <table><caption class="hidden">Measurements of the cases</caption>
            <thead><tr><th scope="col">Measured</th><th scope="col">Value</th>\
            <th scope="col">Case</th></tr></thead>
            <tbody>
            \(rows.prefix(Self.listedCountMax).joined(separator: "\n"))
            </tbody></table></div>
            \(more > 0 ? "<p>And \(more) more in <a href=\"results.json\">results.json</a>.</p>" : "")
            </section>
            """
    }

    private func row(_ measurement: Measurement, of result: CaseResult) -> String {
        "<tr><th scope=\"row\">\(HTMLText.plain(measurement.name))</th>"
            + "<td>\(HTMLText.plain(measurement.value))</td>"
            + "<td>\(HTMLVerdict.badge(HTMLVerdict.word(result))) "
            + "<a href=\"\(report.target(CaseReference(result)))\">"
            + "\(HTMLText.plain("\(CaseReference(result))", limit: 200))</a></td></tr>"
    }
}
