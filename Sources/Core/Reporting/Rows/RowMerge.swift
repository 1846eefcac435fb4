import Glibc
import Results
import System
import Wire

/// The merge of the rows of several processes into one file.
///
/// The processes may have judged different captures, or judged captures again. For each capture the
/// rows of one process are used: the latest complete rows without an error, otherwise the latest
/// complete ones. Files are read twice and are never held in memory; about 220 bytes are kept for
/// each capture (measured with 400,000).
public struct RowMerge {
    /// The number of rows by verdict.
    public private(set) var counts: [Verdict: Int] = [:]
    /// The same for each case.
    public private(set) var cases: [String: [Verdict: Int]] = [:]
    /// The number of captures that have rows.
    public var captureCount: Int { chosen.count }
    /// The captures for which a process has left only part of the rows, and no process all of them.
    public private(set) var cutOff: [String] = []
    /// The number of times that a capture was judged again.
    public private(set) var repeatedCount = 0

    /// Consecutive rows of one capture that one process has written.
    private struct Block {
        let file: Int32
        let firstLine: Int
        var lineCount: Int
        var isWhole: Bool
        var hasError: Bool
        var judged: Int64

        /// Returns whether these rows are used instead of those of another block.
        func prevails(over other: Block) -> Bool {
            let (own, others) = (grade, other.grade)
            return own != others ? own > others : judged >= other.judged
        }

        private var grade: Int { isWhole ? (hasError ? 1 : 2) : 0 }
    }

    private let paths: [String]
    private let isCSV: Bool
    private var chosen: [CaptureKey: Block] = [:]
    /// The omitted lines of each file.
    private var omitted: [[Range<Int>]]
    private var incomplete: [CaptureKey: String] = [:]

    /// Reads the rows of files.
    ///
    /// - Parameter paths: The files, all with JSON Lines or all with CSV, according to their names.
    /// - Throws: `UnreadableReport` if a file is invalid, or was judged with another suite, other
    ///   options or another `conform` than the first.
    public init(_ paths: [String]) throws {
        self.paths = paths
        isCSV = paths.first?.hasSuffix(".csv") == true
        omitted = paths.map { _ in [] }
        if let odd = paths.first(where: { $0.hasSuffix(".csv") != isCSV }) {
            throw UnreadableReport(
                what: odd, line: nil, why: "its format differs from that of \(paths[0])",
                advice: "give files of JSON Lines, or files of CSV")
        }
        var order: String?
        for (index, path) in paths.enumerated() {
            try read(path, Int32(clamping: index), &order)
        }
        cutOff = incomplete.values.sorted()
        if repeatedCount > 0 { try countAgain() }
    }

    /// Returns the captures of a list that have no rows.
    public func missing(of captures: [[String]]) -> [String] {
        captures.map(EarlierRows.name).filter { chosen[CaptureKey($0)] == nil }
    }

    /// The exit status for the verdicts.
    public var exit: ExitStatus { counts.exit }

    // MARK: - Reading

    private mutating func read(_ path: String, _ file: Int32, _ order: inout String?) throws {
        var open: (row: StoredRow, block: Block, count: Int)?
        try forEachRow(of: path) { row, line in
            count(row)
            if let order, order != row.order {
                throw UnreadableReport(
                    what: path, line: line,
                    why: "it was judged with another suite, other options or another conform "
                        + "than \(paths[0])",
                    advice: "judge all captures with the same command line, then merge")
            }
            order = row.order
            if let last = open, last.row.capture == row.capture, last.row.judged == row.judged,
                last.count < last.row.rows
            {
                open?.count += 1
                open?.block.lineCount += 1
                open?.block.hasError = last.block.hasError || row.verdict == .error
                return
            }
            if let last = open { consume(last.block, of: last.row, count: last.count) }
            let block = Block(
                file: file, firstLine: line, lineCount: 1, isWhole: false,
                hasError: row.verdict == .error, judged: row.judgedNumber)
            open = (row, block, 1)
        }
        if let last = open { consume(last.block, of: last.row, count: last.count) }
    }

    private mutating func consume(_ block: Block, of row: StoredRow, count: Int) {
        var block = block
        block.isWhole = count == row.rows
        let key = CaptureKey(row.capture)
        guard let other = chosen[key] else {
            chosen[key] = block
            if !block.isWhole { incomplete[key] = row.capture }
            return
        }
        repeatedCount += 1
        let isNew = block.prevails(over: other)
        omit(isNew ? other : block)
        guard isNew else { return }
        chosen[key] = block
        if block.isWhole { incomplete[key] = nil }
    }

    private mutating func omit(_ block: Block) {
        omitted[Int(block.file)].append(block.firstLine..<block.firstLine + block.lineCount)
    }

    private func forEachRow(
        of path: String, _ body: (StoredRow, Int) throws -> Void
    ) throws {
        var lines = try RowLines(path)
        var number = 0
        while let line = try lines.next() {
            number += 1
            if isCSV, number == 1 { continue }
            guard let row = StoredRow(line, isCSV: isCSV) else {
                throw StoredRow.unreadable(path, line: number)
            }
            try body(row, number)
        }
    }

    private mutating func count(_ row: StoredRow) {
        counts[row.verdict, default: 0] += 1
        cases[row.testCase, default: [:]][row.verdict, default: 0] += 1
    }

    /// Counts again without the omitted lines.
    private mutating func countAgain() throws {
        (counts, cases) = ([:], [:])
        for index in omitted.indices { omitted[index].sort { $0.lowerBound < $1.lowerBound } }
        for index in paths.indices {
            var left = omitted[index][...]
            try forEachRow(of: paths[index]) { row, line in
                if !Self.isOmitted(line, &left) { count(row) }
            }
        }
    }

    /// Returns whether a line is omitted; lines must be queried in order.
    private static func isOmitted(_ line: Int, _ left: inout ArraySlice<Range<Int>>) -> Bool {
        while let first = left.first, first.upperBound <= line { left.removeFirst() }
        return left.first?.contains(line) == true
    }

    // MARK: - Writing

    /// Writes the rows that are used, file by file.
    ///
    /// - Throws: `ReportError` if the file cannot be written; `UnreadableReport` if a file that was
    ///   read no longer exists.
    public func write(to path: String) throws {
        let output = try RowOutput(path + ".partial", named: path)
        try output.empty()
        if isCSV { try output.write(CaseRow.head.utf8) }
        for index in paths.indices {
            var left = omitted[index][...]
            var lines = try RowLines(paths[index])
            var number = 0
            while let line = try lines.next() {
                number += 1
                guard !(isCSV && number == 1), !Self.isOmitted(number, &left) else { continue }
                try output.write(line)
                try output.write(CollectionOfOne(UInt8(ascii: "\n")))
            }
        }
        try output.flush()
        try output.rename(to: path)
    }
}

/// A key for the name of a capture, always 16 bytes long: two hashes with different seeds.
private struct CaptureKey: Hashable {
    private let first: UInt64
    private let second: UInt64

    init(_ name: String) {
        var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
        for byte in name.utf8 {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
            second ^= second >> 29
        }
        (self.first, self.second) = (first, second)
    }
}

extension [Verdict: Int] {
    /// The exit status of a check with these numbers of rows by verdict.
    var exit: ExitStatus {
        let bad = keys.filter { ![.pass, .flaky, .known].contains($0) }
        if isEmpty { return .nothingExecuted }
        if bad.isEmpty { return .conformant }
        return bad.contains(.fail) ? .notConformant : .couldNotJudge
    }
}
