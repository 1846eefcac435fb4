import Wire

/// How the records of a log become messages: regular expressions with named groups.
///
/// A record is a line, unless the format defines it otherwise. The first message whose expression
/// is found in a record gives the name. The groups of that expression are the fields.
public struct LogFormat: Sendable {
    /// A kind of record that is a message.
    public struct Entry: Sendable {
        /// The message's name: `log.` and a word.
        public let message: String
        let pattern: TextPattern
    }

    /// A description of the log for people.
    public let title: String
    /// The file that it was loaded from; empty if it was not loaded from a file.
    public private(set) var file = ""
    /// The kinds of records, in the order in which they are tried.
    public let entries: [Entry]
    let record: TextPattern?
    let time: TextPattern

    /// Loads a format file.
    ///
    /// - Throws: All findings, if one of them is an error.
    public static func load(path: String) throws(InvalidInput) -> LogFormat {
        var format = try parse(text: try SourceFile.text(path: path), file: path)
        format.file = path
        return format
    }

    /// Reads the text of a format file.
    static func parse(text: String, file: String) throws(InvalidInput) -> LogFormat {
        let findings = Findings()
        let root = try YAMLNode.parse(text: text, file: file)
        let format = LogFormatReader(findings: findings).read(root)
        try findings.throwErrors()
        guard let format else { throw InvalidInput(findings.diagnostics) }
        return format
    }
}

/// One record of a log that is a message.
public struct LogRecord: Sendable, Hashable {
    /// When it was written, in nanoseconds since 1970.
    public let nanoseconds: Int64
    /// The line in which it begins, counted from 1.
    public let line: Int
    /// The message.
    public let event: LogEvent
}

/// The result of reading a log.
public struct LogReading: Sendable {
    /// The messages in order of time; messages of the same time are in the order of the log.
    public let records: [LogRecord]
    /// The number of records, including those that are not messages.
    public let recordCount: Int
    /// The lines of records whose text is a message but whose time could not be read.
    public let timelessLines: [Int]
    /// The lines of records on which an expression reached its limits.
    public let exhaustedLines: [Int]
    /// The first line whose time is before that of an earlier line, by more than threads that write
    /// at the same time explain; `nil` if there is none.
    public let backwardLine: Int?
}

extension LogFormat {
    /// The maximum size of a log, in bytes.
    public static let bytesMax = 64 << 20

    /// Reads a log file; bytes that are not UTF-8 become replacement characters.
    ///
    /// - Throws: An error if the file cannot be read, or is larger than `bytesMax`.
    public func read(path: String) throws(InvalidInput) -> LogReading {
        let bytes = try SourceFile.contents(path: path, limit: Self.bytesMax)
        return read(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the text of a log.
    ///
    /// A byte order mark at its beginning does not belong to its first record.
    public func read(_ text: String) -> LogReading {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        var found: [LogRecord] = []
        var timeless: [Int] = []
        var exhausted: [Int] = []
        var days = DayCounter()
        let (pieces, unreadLine) = pieces(of: text)
        for piece in pieces {
            switch match(piece.text) {
            case .none: break
            case .exhausted: exhausted.append(piece.line)
            case .message(let event):
                switch moment(of: piece.text) {
                case .none: timeless.append(piece.line)
                case .exhausted: exhausted.append(piece.line)
                case .time(let nanoseconds, let isOfDay):
                    let time = isOfDay ? days.time(nanoseconds) : nanoseconds
                    found.append(LogRecord(nanoseconds: time, line: piece.line, event: event))
                }
            }
        }
        exhausted += unreadLine.map { [$0] } ?? []
        let ordered = found.enumerated().sorted { left, right in
            (left.element.nanoseconds, left.offset) < (right.element.nanoseconds, right.offset)
        }
        return LogReading(
            records: ordered.map(\.element), recordCount: pieces.count, timelessLines: timeless,
            exhaustedLines: exhausted, backwardLine: Self.backwardLine(in: found))
    }

    /// The largest difference of times that threads write in the wrong order, in nanoseconds.
    private static let disorderMax: Int64 = 50_000_000

    private static func backwardLine(in records: [LogRecord]) -> Int? {
        var latest = Int64.min
        return records.first { record in
            defer { latest = max(latest, record.nanoseconds) }
            return record.nanoseconds < latest
                && latest.subtractingReportingOverflow(record.nanoseconds).partialValue
                    > disorderMax
        }?.line
    }

    private enum Match {
        case none
        case exhausted
        case message(LogEvent)
    }

    private func match(_ text: String) -> Match {
        for entry in entries {
            switch entry.pattern.groups(in: text) {
            case .found(let groups):
                let members = groups.map { Value.Member($0.name, Self.value(of: $0.text)) }
                return .message(
                    LogEvent(name: entry.message, fields: .object(members), text: text))
            case .limitReached: return .exhausted
            case .notFound: continue
            }
        }
        return .none
    }

    private enum Moment {
        case none
        case exhausted
        case time(Int64, isOfDay: Bool)
    }

    private func moment(of text: String) -> Moment {
        switch time.groups(in: text) {
        case .limitReached: return .exhausted
        case .notFound: return .none
        case .found(let groups):
            return groups.first { $0.name == "time" }.flatMap { LogTime.parse($0.text) }
                .map { .time($0.nanoseconds, isOfDay: $0.isOfDay) } ?? .none
        }
    }

    /// Returns a number if the text is a JSON number, otherwise the text.
    private static func value(of text: String) -> Value {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let whole = digits.prefix { $0 != "." }
        let isPlain = digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard isPlain, !whole.isEmpty, whole == "0" || whole.first != "0", digits.last != "."
        else { return .string(text) }
        // Fits: a text out of range gives nil, and the text is used.
        if whole.count == digits.count { return Int64(text).map(Value.integer) ?? .string(text) }
        return Double(text).map(Value.double) ?? .string(text)
    }

    /// Returns the records, and the line at which a limit ended their search.
    private func pieces(of text: String) -> ([(text: String, line: Int)], unreadLine: Int?) {
        guard let record else {
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated().filter { !$0.element.isEmpty }
                .map { (String($0.element), $0.offset + 1) }
            return (lines, nil)
        }
        let bytes = Array(text.utf8)
        var line = 1
        var counted = 0
        func advance(to place: Int) {
            line += bytes[counted..<place].count { $0 == UInt8(ascii: "\n") }
            counted = place
        }
        let found = record.matches(in: bytes)
        let pieces = found.ranges.map { range in
            advance(to: range.lowerBound)
            return (text: String(decoding: bytes[range], as: UTF8.self), line: line)
        }
        guard let end = found.end else { return (pieces, nil) }
        advance(to: min(end, bytes.count))
        return (pieces, line)
    }
}
