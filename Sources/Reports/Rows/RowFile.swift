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
    private var descriptor: Int32
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
        descriptor = try Self.claimed(path, path)
        var status = stat()
        let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isRegular, let captures, status.st_size > 0 else {
            earlier = EarlierRows()
            if isRegular { ftruncate(descriptor, 0) }
            if isCSV { try write(CaseRow.head) }
            return
        }
        let rows: EarlierRows
        do {
            rows = try EarlierRows(path, isCSV: isCSV, order: order, captures: captures)
        } catch {
            close(descriptor)
            throw error
        }
        earlier = rows
        if !rows.isWhole { try rewrite() }
    }

    deinit {
        close(descriptor)
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
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Self.error(path) }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Replaces the file by one with the rows of concluded captures alone.
    private func rewrite() throws {
        let partial = path + ".partial"
        let old = descriptor
        descriptor = try Self.claimed(partial, path)
        // Whoever opened the old file meanwhile finds it claimed.
        defer { close(old) }
        ftruncate(descriptor, 0)
        if isCSV { try write(CaseRow.head) }
        try earlier.forEachKept(in: path) { (line) throws(ReportError) in try write(line) }
        guard rename(partial, path) == 0 else { throw Self.error(path) }
    }

    /// Opens a file that no other process writes.
    private static func claimed(_ path: String, _ named: String) throws(ReportError) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
        guard file >= 0 else { throw error(named) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(file)
            throw ReportError(
                attempt: "cannot be written", path: named, cause: "another process writes it",
                advice: "give each process a file of its own, and a part of the captures by --shard"
            )
        }
        return file
    }

    private static func error(_ path: String) -> ReportError {
        ReportError(FileError("cannot be written", path, errno: errno))
    }
}
