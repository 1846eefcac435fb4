import Glibc
import Results
import System
import Wire

/// The rows of an earlier process: which captures are concluded, and their verdicts.
///
/// A capture is concluded if all its rows are present, none is an error, and its size is unchanged.
public struct EarlierRows {
    /// The number of rows of concluded captures by verdict.
    public private(set) var counts: [Verdict: Int] = [:]
    /// Whether all rows belong to concluded captures, and none is truncated.
    private(set) var isWhole = true
    /// The exit status for these verdicts.
    public var exit: ExitStatus { counts.exit }
    private var isCSV = false
    private var concluded: Set<String> = []

    /// Creates an empty collection.
    init() {}

    /// Reads the rows of a file.
    ///
    /// - Throws: `UnreadableReport` if they are not rows, or were judged with another `order`.
    init(_ path: String, isCSV: Bool, order: String, captures: [[String]]) throws {
        self.isCSV = isCSV
        let sizes = Dictionary(
            captures.map { (Self.name(of: $0), Self.size(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        var tallies: [String: Tally] = [:]
        var lines = try RowLines(path)
        var number = 0
        while let line = try lines.next() {
            number += 1
            if isCSV, number == 1 {
                guard String(decoding: line, as: UTF8.self) + "\n" == CaseRow.head else {
                    throw StoredRow.unreadable(path, line: number)
                }
                continue
            }
            guard let row = StoredRow(line, isCSV: isCSV) else {
                throw StoredRow.unreadable(path, line: number)
            }
            guard row.order == order else {
                throw UnreadableReport(
                    what: path, line: number,
                    why: "it was judged with another suite, other options or another conform",
                    advice: "write into another file, or leave out \"resume=\" to replace this one")
            }
            tallies[row.capture, default: Tally()].consume(row)
        }
        isWhole = !lines.isCutOff
        for (capture, tally) in tallies {
            // Captures that are not requested this time stay as they are.
            let isSame = sizes[capture].map { $0 == tally.bytes } ?? true
            guard tally.isComplete, isSame else {
                isWhole = false
                continue
            }
            concluded.insert(capture)
            counts.merge(tally.counts, uniquingKeysWith: +)
        }
    }

    /// Returns the name of a capture in rows.
    public static func name(of paths: [String]) -> String { paths.joined(separator: "+") }

    /// Returns the size of a capture in bytes; `nil` if it is unknown, for example for a pipe.
    static func size(of paths: [String]) -> Int? {
        var sum = 0
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            sum += Int(status.st_size)
        }
        return sum
    }

    /// Returns whether a capture need not be judged again.
    public func isConcluded(_ paths: [String]) -> Bool { concluded.contains(Self.name(of: paths)) }

    /// Calls `body` with each line of concluded captures, with its line end.
    func forEachKept(in path: String, _ body: (String) throws -> Void) throws {
        var lines = try RowLines(path)
        var isHead = isCSV
        while let line = try lines.next() {
            defer { isHead = false }
            guard !isHead, let row = StoredRow(line, isCSV: isCSV), concluded.contains(row.capture)
            else { continue }
            try body(String(decoding: line, as: UTF8.self) + "\n")
        }
    }

    /// The rows of one capture.
    private struct Tally {
        var counts: [Verdict: Int] = [:]
        var bytes = 0
        private var rows = 0
        private var expected = 0

        var isComplete: Bool { rows == expected && counts[.error] == nil }

        mutating func consume(_ row: StoredRow) {
            rows += 1
            (expected, bytes) = (row.rows, row.bytes)
            counts[row.verdict, default: 0] += 1
        }
    }
}
