import Files
import Glibc
import Results
import Wire

/// The rows of several processes made into one file: the parts of a fleet's captures, and what was
/// judged again.
///
/// Of each capture the rows of one process are taken: of those that are whole and without an error, or
/// else that are whole, the latest. Files are read twice and never held; for each capture some
/// 220 bytes are kept (measured with 400,000).
public struct RowMerge {
    /// How many rows have which verdict.
    public private(set) var counts: [Verdict: Int] = [:]
    /// The same for each case.
    public private(set) var cases: [String: [Verdict: Int]] = [:]
    /// How many captures have rows.
    public var captureCount: Int { chosen.count }
    /// The captures of which a process has left only a part of its rows, and no other all of them.
    public private(set) var cutOff: [String] = []
    /// How many times a capture was judged again.
    public private(set) var repeatedCount = 0

    /// The rows of one capture that one process has written, one after the other.
    private struct Block {
        let file: Int32
        let firstLine: Int
        var lineCount: Int
        var isWhole: Bool
        var hasError: Bool
        var judged: Int64

        /// Whether these rows count, and not those of another block.
        func prevails(over other: Block) -> Bool {
            let (own, others) = (grade, other.grade)
            return own != others ? own > others : judged >= other.judged
        }

        private var grade: Int { isWhole ? (hasError ? 1 : 2) : 0 }
    }

    private let paths: [String]
    private let isCSV: Bool
    private var chosen: [CaptureKey: Block] = [:]
    /// The lines of each file that are left out.
    private var omitted: [[Range<Int>]]
    private var incomplete: [CaptureKey: String] = [:]

    /// Reads the rows of files.
    ///
    /// - Parameter paths: The files, all of JSON Lines or all of CSV, as their names say.
    /// - Throws: `UnreadableReport` if one holds something else, or rests on another suite, other options
    ///   or another `conform` than the first.
    public init(_ paths: [String]) throws {
        self.paths = paths
        isCSV = paths.first?.hasSuffix(".csv") == true
        omitted = paths.map { _ in [] }
        if let odd = paths.first(where: { $0.hasSuffix(".csv") != isCSV }) {
            throw UnreadableReport(
                what: odd, line: nil, why: "it has another form than \(paths[0])",
                advice: "give files of JSON Lines, or files of CSV")
        }
        var order: String?
        for (index, path) in paths.enumerated() {
            try read(path, Int32(clamping: index), &order)
        }
        cutOff = incomplete.values.sorted()
        if repeatedCount > 0 { try countAgain() }
    }

    /// The captures of a list that have no rows.
    public func missing(of captures: [[String]]) -> [String] {
        captures.map(EarlierRows.name).filter { chosen[CaptureKey($0)] == nil }
    }

    /// The exit status by the verdicts.
    public var exit: ExitStatus { counts.exit }

    // MARK: - Reading

    private mutating func read(_ path: String, _ file: Int32, _ order: inout String?) throws {
        var open: (row: StoredRow, block: Block, count: Int)?
        try forEachRow(of: path) { row, line in
            count(row)
            if let order, order != row.order {
                throw UnreadableReport(
                    what: path, line: line,
                    why: "it rests on another suite, other options or another conform than "
                        + paths[0],
                    advice: "judge all captures by the same command line, and merge these")
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
            if let last = open { take(last.block, of: last.row, count: last.count) }
            let block = Block(
                file: file, firstLine: line, lineCount: 1, isWhole: false,
                hasError: row.verdict == .error, judged: row.judgedNumber)
            open = (row, block, 1)
        }
        if let last = open { take(last.block, of: last.row, count: last.count) }
    }

    private mutating func take(_ block: Block, of row: StoredRow, count: Int) {
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

    /// Counts without what is left out.
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

    /// Whether a line is left out; lines are asked for in their order.
    private static func isOmitted(_ line: Int, _ left: inout ArraySlice<Range<Int>>) -> Bool {
        while let first = left.first, first.upperBound <= line { left.removeFirst() }
        return left.first?.contains(line) == true
    }

    // MARK: - Writing

    /// Writes the rows that count, of file after file.
    ///
    /// - Throws: `ReportError` if the file cannot be written; `UnreadableReport` if a file that was read is not
    ///   there any more.
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

/// A capture by its name, in 16 bytes whatever its length: two hashes by different seeds.
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
    /// The exit status of a check with so many rows of each verdict.
    var exit: ExitStatus {
        let bad = keys.filter { ![.pass, .flaky, .known].contains($0) }
        if isEmpty { return .nothingExecuted }
        if bad.isEmpty { return .conformant }
        return bad.contains(.fail) ? .notConformant : .couldNotJudge
    }
}
