import Runner

/// `results.json`: the whole run as JSON, the one source of all other reports.
public enum ResultsFile {
    /// The file's content, indented, with sorted keys and a line end after it.
    public static func bytes(of run: RunResult) throws(UnreadableReport) -> [UInt8] {
        do {
            return try JSONText.pretty(run) + [UInt8(ascii: "\n")]
        } catch {
            throw UnreadableReport(what: "results.json", line: nil, why: "\(error)")
        }
    }

    /// Reads what `bytes(of:)` wrote.
    ///
    /// Audit and coverage are worked out anew.
    public static func run(from bytes: [UInt8]) throws(UnreadableReport) -> RunResult {
        do {
            return try JSONText.decoded(RunResult.self, from: bytes)
        } catch {
            throw UnreadableReport(
                what: "results.json", line: nil, why: JSONText.complaint(error))
        }
    }
}

/// A stored report that cannot be read back.
public struct UnreadableReport: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which report.
    public var what: String
    /// The line, counted from 1; `nil` if the report is one document.
    public var line: Int?
    /// What is wrong with it.
    public var why: String

    /// `journal.jsonl:3: why`.
    public var description: String { what + (line.map { ":\($0)" } ?? "") + ": " + why }
}
