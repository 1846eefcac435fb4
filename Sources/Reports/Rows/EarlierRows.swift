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
            guard let row = Row(line, isCSV: isCSV) else {
                throw UnreadableReport(
                    what: path, line: number, why: "this is no row of conform check",
                    advice: "give the file that --rows has written")
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
            guard !isHead, let row = Row(line, isCSV: isCSV), concluded.contains(row.capture)
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

        mutating func take(_ row: Row) {
            rows += 1
            (expected, bytes) = (row.rows, row.bytes)
            counts[row.verdict, default: 0] += 1
        }
    }

    /// What counts of a row.
    private struct Row {
        let capture: String
        let verdict: Verdict
        let bytes: Int
        let rows: Int
        let order: String

        init?(_ line: [UInt8], isCSV: Bool) {
            guard let columns = isCSV ? Self.csv(line) : Self.json(line),
                let capture = columns["capture"], let order = columns["order"],
                let verdict = columns["verdict"].flatMap(Verdict.init),
                let bytes = columns["bytes"].flatMap({ Int($0) }),
                let rows = columns["rows"].flatMap({ Int($0) })
            else { return nil }
            (self.capture, self.order, self.verdict) = (capture, order, verdict)
            (self.bytes, self.rows) = (bytes, rows)
        }

        private static func json(_ line: [UInt8]) -> [String: String]? {
            guard let row = try? Value(json: line.span.bytes), row.objectValue != nil else {
                return nil
            }
            let names = ["capture", "verdict", "bytes", "rows", "order"]
            return Dictionary(
                uniqueKeysWithValues: names.compactMap { name in
                    row[name].map { (name, $0.stringValue ?? $0.jsonText()) }
                })
        }

        private static func csv(_ line: [UInt8]) -> [String: String]? {
            var cells: [[UInt8]] = [[]]
            var (isQuoted, place) = (false, 0)
            while place < line.count {
                let byte = line[place]
                place += 1
                if byte == UInt8(ascii: "\"") {
                    // Within quotation marks a doubled one stands for one.
                    let isDoubled = isQuoted && place < line.count && line[place] == byte
                    if isDoubled {
                        cells[cells.count - 1].append(byte)
                        place += 1
                    } else {
                        isQuoted.toggle()
                    }
                } else if byte == UInt8(ascii: ","), !isQuoted {
                    cells.append([])
                } else {
                    cells[cells.count - 1].append(byte)
                }
            }
            guard cells.count == CaseRow.columns.count else { return nil }
            return Dictionary(
                uniqueKeysWithValues: zip(
                    CaseRow.columns, cells.map { String(decoding: $0, as: UTF8.self) }))
        }
    }
}

/// The lines of a file, one after the other; what follows the last line end is cut off.
private struct RowLines {
    /// Whether something followed the last line end.
    private(set) var isCutOff = false
    private let input: NamedInput
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var read: [UInt8] = []
    private var place = 0

    init(_ path: String) throws {
        input = try NamedInput(path)
    }

    /// The next line without its end; `nil` at the end of the file.
    mutating func next() throws -> [UInt8]? {
        var searched = place
        while true {
            if let end = read[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { place = end + 1 }
                return Array(read[place..<end])
            }
            read.removeFirst(place)
            (place, searched) = (0, read.count)
            let input = input
            let count = try chunk.withUnsafeMutableBytes { try input.read(into: $0) }
            guard count > 0 else {
                isCutOff = !read.isEmpty
                return nil
            }
            read += chunk[..<count]
        }
    }
}
