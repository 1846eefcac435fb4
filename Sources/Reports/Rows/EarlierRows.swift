import Files
import Glibc
import Results
import Wire

/// What the rows of an earlier process say: which captures are concluded, and what came of them.
///
/// A capture is concluded if all its rows are there, none is an error, and its size is what it was.
public struct EarlierRows {
    /// How many rows of concluded captures have which verdict.
    public private(set) var counts: [Verdict: Int] = [:]
    /// Whether all rows belong to concluded captures, and none is cut off.
    private(set) var isWhole = true
    /// The exit status by these verdicts.
    public var exit: ExitStatus { counts.exit }
    private var isCSV = false
    private var concluded: Set<String> = []

    /// None.
    init() {}

    /// Reads the rows of a file.
    ///
    /// - Throws: `UnreadableReport` if they are no rows, or rest on something else than `order`.
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
            if isCSV, number == 1 { continue }
            guard let row = StoredRow(line, isCSV: isCSV) else {
                throw StoredRow.unreadable(path, line: number)
            }
            guard row.order == order else {
                throw UnreadableReport(
                    what: path, line: number,
                    why: "it rests on another suite, other options or another conform",
                    advice: "write into another file, or leave out --resume to replace this one")
            }
            tallies[row.capture, default: Tally()].take(row)
        }
        isWhole = !lines.isCutOff
        for (capture, tally) in tallies {
            // What is not asked for this time stays as it is.
            let isSame = sizes[capture].map { $0 == tally.bytes } ?? true
            guard tally.isComplete, isSame else {
                isWhole = false
                continue
            }
            concluded.insert(capture)
            counts.merge(tally.counts, uniquingKeysWith: +)
        }
    }

    /// How a capture is named in rows.
    public static func name(of paths: [String]) -> String { paths.joined(separator: "+") }

    /// How many bytes a capture has; `nil` if it is not known, as of a pipe.
    static func size(of paths: [String]) -> Int? {
        var sum = 0
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            sum += Int(status.st_size)
        }
        return sum
    }

    /// Whether a capture need not be judged again.
    public func isConcluded(_ paths: [String]) -> Bool { concluded.contains(Self.name(of: paths)) }

    /// Hands on the lines of concluded captures, with their ends.
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

        mutating func take(_ row: StoredRow) {
            rows += 1
            (expected, bytes) = (row.rows, row.bytes)
            counts[row.verdict, default: 0] += 1
        }
    }
}
