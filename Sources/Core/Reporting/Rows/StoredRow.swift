import Results
import System
import Wire

/// The relevant columns of a row in a file.
struct StoredRow {
    let testCase: String
    let capture: String
    let verdict: Verdict
    /// When it was judged, as text whose order is that of times.
    let judged: String
    let bytes: Int
    let rows: Int
    let order: String

    init?(_ line: [UInt8], isCSV: Bool) {
        guard let columns = isCSV ? Self.csv(line) : Self.json(line),
            let testCase = columns["case"], let capture = columns["capture"],
            let judged = columns["judged"], let order = columns["order"],
            let verdict = columns["verdict"].flatMap(Verdict.init),
            let bytes = columns["bytes"].flatMap({ Int($0) }),
            let rows = columns["rows"].flatMap({ Int($0) })
        else { return nil }
        (self.testCase, self.capture, self.judged) = (testCase, capture, judged)
        (self.order, self.verdict) = (order, verdict)
        (self.bytes, self.rows) = (bytes, rows)
    }

    static func unreadable(_ path: String, line: Int) -> UnreadableReport {
        UnreadableReport(
            what: path, line: line, why: "this is not a row of conform check",
            advice: "give a file that --rows has written")
    }

    /// When it was judged, as a number with the order of times: the digits without the century.
    var judgedNumber: Int64 {
        Int64(String(judged.filter(\.isNumber).suffix(18))) ?? 0
    }

    private static func json(_ line: [UInt8]) -> [String: String]? {
        guard let row = try? Value(json: line.span.bytes), row.objectValue != nil else {
            return nil
        }
        let names = ["case", "capture", "verdict", "judged", "bytes", "rows", "order"]
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
                // Within quotation marks, two of them mean one.
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
                CaseRow.columns,
                cells.map {
                    // An apostrophe marks a text that could be taken for a formula.
                    String(
                        decoding: $0.first == UInt8(ascii: "'") ? $0[1...] : $0[...], as: UTF8.self)
                }))
    }
}

/// The lines of a file, one after the other; text after the last line end is discarded.
struct RowLines {
    /// Whether there was text after the last line end.
    private(set) var isCutOff = false
    private let input: NamedInput
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var read: [UInt8] = []
    private var place = 0

    init(_ path: String) throws {
        input = try NamedInput(path)
    }

    /// Returns the next line without its end; `nil` at the end of the file.
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
