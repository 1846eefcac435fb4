import Results
import Wire

/// One judged case of a capture as a row of a table, for tools that read many rows.
public struct CaseRow: Sendable, Hashable {
    /// The columns in the order of CSV.
    public static let columns = [
        "suite", "case", "capture", "part", "verdict", "reason", "sentence", "requirements",
        "broken", "started", "seconds", "judged", "bytes", "rows", "order",
    ]

    /// The result in the row.
    let result: CaseResult
    /// When the case was judged.
    let judged: Timestamp
    /// The size of the capture in bytes.
    let bytes: Int
    /// The number of rows of the capture.
    let rows: Int
    /// A digest of the inputs of the verdict other than the capture: suite, options and version.
    let order: String

    /// The values of the columns: a text, a number or a list of texts.
    private var cells: [Value] {
        let checks = result.checks
        func requirements(_ list: [CheckResult]) -> Value {
            .array(list.map { .string($0.requirement) })
        }
        return [
            .string(result.suite), .string(result.subject?.testCase ?? result.id),
            .string(result.subject?.capture ?? ""), .string(result.subject?.connection ?? ""),
            .string(result.verdict.rawValue), .string(result.reason?.code.rawValue ?? ""),
            .string(result.reason?.summary ?? ""), requirements(checks),
            requirements(checks.filter { $0.verdict == .fail }),
            .string(result.started.map(Self.text) ?? ""), .double(result.seconds),
            .string(Self.text(judged)), .integer(Int64(bytes)), .integer(Int64(rows)),
            .string(order),
        ]
    }

    /// One line of JSON, with its line end.
    public var json: String {
        let members = zip(Self.columns, cells).map { Value.Member($0, $1) }
        return Value.object(members).jsonText() + "\n"
    }

    /// One line of CSV (RFC 4180), with its line end.
    ///
    /// The members of a list are separated by blanks. Line ends within a cell become `\x0A`.
    public var csv: String {
        Self.line(
            cells.map { cell in
                PlainText.line(
                    cell.arrayValue.map {
                        PlainText.cell($0.compactMap(\.stringValue).joined(separator: " "))
                    } ?? cell.stringValue.map(PlainText.cell) ?? cell.jsonText())
            })
    }

    /// The first line of CSV.
    public static let head = line(columns)

    private static func line(_ cells: [String]) -> String {
        cells.map { cell in
            cell.contains(where: { ",\"".contains($0) })
                ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
        }.joined(separator: ",") + "\n"
    }

    /// Returns UTC to the microsecond, in a form that databases read.
    private static func text(_ time: Timestamp) -> String {
        let micros = ((time.nanoseconds / 1000) % 1_000_000 + 1_000_000) % 1_000_000
        let digits = String(micros)
        return Moment(time).utc.dropLast() + "." + String(repeating: "0", count: 6 - digits.count)
            + digits + "Z"
    }
}
