import Glibc
import Results
import System
import Wire

/// A file with a row for each judged case: JSON Lines, or CSV if its name ends in `.csv`.
///
/// All rows of a capture are written by one call, and no other process writes while this one has
/// the file open. So a process that is killed leaves at most one truncated capture, at the end.
public final class RowFile {
    private let path: String
    private let order: String
    private let isCSV: Bool
    private var output: RowOutput
    private var waiting: [CaseResult] = []
    private var failure: ReportError?
    /// The captures that an earlier process has judged, and their verdicts.
    public let earlier: EarlierRows

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - order: A digest of the inputs of verdicts other than the capture; see `CaseRow`.
    ///   - captures: The captures to judge, each of one file or of several, if existing rows are
    ///     kept; `nil` to replace them.
    /// - Throws: `ReportError` if the file cannot be written, or another process writes it;
    ///   `UnreadableReport` if its rows were judged with another `order`.
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

    /// Adds a result; a skipped case gets no row.
    ///
    /// - Throws: The error of an earlier write.
    public func add(_ result: CaseResult) throws(ReportError) {
        try finish()
        if result.verdict != .skipped { waiting.append(result.stored) }
    }

    /// Writes the rows of a capture whose results were complete at the given time.
    public func end(_ paths: [String], at time: Timestamp) {
        let bytes = EarlierRows.size(of: paths) ?? 0
        let rows = waiting.map {
            CaseRow(
                result: $0, judged: time, bytes: bytes, rows: waiting.count, order: order)
        }
        waiting = []
        do throws(ReportError) {
            try write(rows.map { isCSV ? $0.csv : $0.json }.joined())
        } catch {
            failure = failure ?? error
        }
    }

    /// Throws the error of an earlier write, if there was one.
    public func finish() throws(ReportError) {
        if let failure { throw failure }
    }

    private func write(_ text: String) throws(ReportError) {
        try output.write(text.utf8)
        try output.flush()
    }

    /// Replaces the file by one with only the rows of concluded captures.
    private func rewrite() throws {
        // The old file stays locked, so that a process that has opened it meanwhile cannot write.
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
