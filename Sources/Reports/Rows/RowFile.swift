import Files
import Glibc
import Results
import Wire

/// A file with a row for each judged case, which is written a capture at a time: JSON Lines, or CSV if
/// its name ends in `.csv`.
///
/// All rows of a capture are written by one call, and nobody else writes while this one has the file,
/// so that a process which is killed leaves at most one capture cut off, at the end.
public final class RowFile {
    private let path: String
    private let order: String
    private let isCSV: Bool
    private var output: RowOutput
    private var waiting: [CaseResult] = []
    private var failure: ReportError?
    /// The captures that an earlier process has judged, and what came of them.
    public let earlier: EarlierRows

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - order: What verdicts rest on beside the capture; see `CaseRow`.
    ///   - captures: Those that are to be judged, each of one file or of several, if rows that are in
    ///     the file already are taken over; `nil` to replace them.
    /// - Throws: `ReportError` if it cannot be written, or another process writes it;
    ///   `UnreadableReport` if its rows are of something else.
    public init(_ path: String, order: String, resuming captures: [[String]]?) throws {
        self.path = path
        self.order = order
        isCSV = path.hasSuffix(".csv")
        output = try RowOutput(path)
        let size = output.byteCount ?? 0
        guard let captures, size > 0 else {
            earlier = EarlierRows()
            try output.empty()
            if isCSV { try write(CaseRow.head) }
            return
        }
        earlier = try EarlierRows(path, isCSV: isCSV, order: order, captures: captures)
        if !earlier.isWhole { try rewrite() }
    }

    /// Takes a result; one that was skipped is not judged.
    ///
    /// - Throws: What came in the way of the rows before.
    public func add(_ result: CaseResult) throws(ReportError) {
        try finish()
        if result.verdict != .skipped { waiting.append(result.stored) }
    }

    /// Writes the rows of a capture, of which all results have come by a time.
    public func end(_ paths: [String], at time: Timestamp) {
        let bytes = EarlierRows.size(of: paths) ?? 0
        let rows = waiting.map {
            CaseRow(
                $0, judged: time, bytes: bytes, rows: waiting.count, order: order)
        }
        waiting = []
        do throws(ReportError) {
            try write(rows.map { isCSV ? $0.csv : $0.json }.joined())
        } catch {
            failure = failure ?? error
        }
    }

    /// Throws what came in the way of rows.
    public func finish() throws(ReportError) {
        if let failure { throw failure }
    }

    private func write(_ text: String) throws(ReportError) {
        try output.write(text.utf8)
        try output.flush()
    }

    /// Replaces the file by one with the rows of concluded captures alone.
    private func rewrite() throws {
        // Whoever opened the old file meanwhile finds it claimed.
        let old = output
        defer { withExtendedLifetime(old) {} }
        output = try RowOutput(path + ".partial", named: path)
        try output.empty()
        if isCSV { try output.write(CaseRow.head.utf8) }
        try earlier.forEachKept(in: path) { (line) throws(ReportError) in
            try output.write(line.utf8)
        }
        try output.flush()
        try output.rename(to: path)
    }
}
