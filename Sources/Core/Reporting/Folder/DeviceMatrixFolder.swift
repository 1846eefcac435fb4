import System

/// The files that compare several devices: `index.html`, `junit.xml`, `summary.md` and
/// `matrix.json`, in the folder that contains the reports of each device.
public enum DeviceMatrixFolder {
    /// The file for programs.
    public static let results = "matrix.json"

    /// Writes the files; the last is `index.html`.
    ///
    /// - Parameter junit: A further place for the JUnit report.
    public static func write(
        _ matrix: DeviceMatrix, to folder: String, junit: String? = nil
    ) throws(ReportError) {
        let xml = JUnitReport.text(of: matrix)
        let files = [
            ("junit.xml", xml), ("summary.md", summary(matrix)),
            (results, matrix.json.jsonText(pretty: true) + "\n"),
            ("index.html", DeviceMatrixPage(matrix: matrix).text),
        ]
        for (name, text) in files { try ReportFile.write(text, to: "\(folder)/\(name)") }
        if let junit { try ReportFile.write(xml, to: junit) }
    }

    private static func summary(_ matrix: DeviceMatrix) -> String {
        var lines = ["# \(NumberText.count(matrix.columns.count, "device")) side by side", ""]
        lines += matrix.columns.map { column in
            "- \(Markdown.text(column.label)): "
                + Markdown.text(Outcome.sentence(column.run, column.run.audit))
        }
        let heads = matrix.columns.map { Markdown.text($0.label) }
        for (title, rows) in [
            ("Requirement", matrix.requirements), ("Case", matrix.cases.map(\.row)),
        ] {
            let odd = rows.filter { !$0.isSame }
            lines += ["", "## \(title)s with different verdicts: \(odd.count) of \(rows.count)"]
            guard !odd.isEmpty else { continue }
            lines += ["", "| \(([title] + heads).joined(separator: " | ")) |"]
            lines += ["|" + String(repeating: " --- |", count: heads.count + 1)]
            for row in odd.prefix(rowsMax) {
                let words = row.words.map { $0.map(HTMLVerdict.spoken) ?? "not planned" }
                lines.append("| \(([Markdown.text(row.name)] + words).joined(separator: " | ")) |")
            }
            if odd.count > rowsMax { lines += ["", "and \(odd.count - rowsMax) more"] }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// How many rows the summary contains; `index.html` has all of them.
    private static let rowsMax = 200
}
