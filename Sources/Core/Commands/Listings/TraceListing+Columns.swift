import Reporting
import Trace
import Wire

extension TraceListing {
    /// Whether the headers of messages may be sufficient for their lines.
    var isReadFromHeaders: Bool { columns?.allSatisfy(\.isReadFromHeaders) ?? false }

    /// Appends the line of a sound message, including its end, if its header is sufficient.
    ///
    /// - Returns: Whether it is; if not, nothing is appended.
    func append(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace, to bytes: inout [UInt8]
    ) -> Bool {
        guard let columns else { return false }
        let start = bytes.count
        for index in columnNumbers.indices {
            if format != .json, index > 0 { bytes.append(Self.tab) }
            guard append(index, of: columns, header, unit, at: place, since: start, to: &bytes)
            else {
                bytes.removeLast(bytes.count - start)
                return false
            }
        }
        if format == .json { close(since: start, &bytes) }
        bytes.append(UInt8(ascii: "\n"))
        return true
    }

    /// Appends the value of a column from a header.
    ///
    /// Returns `false` if the header is not sufficient.
    private func append(
        _ index: Int, of columns: [TraceField], _ header: MessageHeader, _ unit: RawSpan,
        at place: MessagePlace, since start: Int, to bytes: inout [UInt8]
    ) -> Bool {
        if let number = columnNumbers[index] {
            switch number.reading(of: header, in: unit) {
            case .number(let number):
                if format == .json { beginMember(index, since: start, &bytes) }
                bytes.append(decimal: number)
            case .absent: break
            case .undecided: return false
            }
            return true
        }
        if columns[index].isTime {
            if format == .json { beginMember(index, since: start, &bytes) }
            bytes += Timestamp(nanoseconds: place.nanoseconds).decimalSeconds.utf8
            return true
        }
        switch columns[index].value(of: header, unit, at: place) {
        case .value(let value) where format == .json:
            beginMember(index, since: start, &bytes)
            bytes.append(json: value)
        case .value(let value): bytes.append(cell: value, isFirst: true)
        case .absent: break
        case .undecided: return false
        }
        return true
    }

    /// Appends the values of the columns; several values of one column are joined by commas.
    func append(_ values: [[ShownValue]], to bytes: inout [UInt8]) {
        let start = bytes.count
        for (index, values) in values.enumerated() {
            switch format {
            case .text, .indented:
                if index > 0 { bytes.append(Self.tab) }
                for (number, value) in values.enumerated() {
                    if number > 0 { bytes.append(UInt8(ascii: ",")) }
                    switch value {
                    case .time(let time): bytes += time.decimalSeconds.utf8
                    case .value(let value): bytes.append(cell: value, isFirst: number == 0)
                    }
                }
            case .json:
                guard let first = values.first else { continue }
                beginMember(index, since: start, &bytes)
                switch first {
                case .time(let time): bytes += time.decimalSeconds.utf8
                case .value(let only) where values.count == 1: bytes.append(json: only)
                case .value: bytes.append(json: .array(values.compactMap(\.value)))
                }
            }
        }
        if format == .json { close(since: start, &bytes) }
    }

    /// Starts a member of the JSON object of a line that begins at `start`.
    private func beginMember(_ index: Int, since start: Int, _ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: bytes.count == start ? "{" : ","))
        bytes += columnNames[index]
    }

    /// Closes the JSON object of a line that begins at `start`.
    private func close(since start: Int, _ bytes: inout [UInt8]) {
        if bytes.count == start { bytes.append(UInt8(ascii: "{")) }
        bytes.append(UInt8(ascii: "}"))
    }

    private static let tab = UInt8(ascii: "\t")
}

/// A value of a column.
enum ShownValue {
    case value(Value)
    /// A time, which has more digits than a floating-point number.
    case time(Timestamp)

    var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension TraceField {
    /// Returns all values of the field as they are shown.
    func shownValues(of message: TraceMessage) -> [ShownValue] {
        isTime ? [.time(message.time)] : values(of: message).map(ShownValue.value)
    }
}

extension Timestamp {
    /// The seconds since 1970 with nine decimals, as Wireshark shows them.
    var decimalSeconds: String {
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = String(rest)
        return (nanoseconds < 0 ? "-" : "") + "\(seconds)."
            + String(repeating: "0", count: 9 - digits.count) + digits
    }
}

extension String {
    /// Whether it has no control characters, neither of ASCII nor of Latin-1.
    fileprivate var isPrinted: Bool {
        // In UTF-8 a control character of Latin-1 begins with C2.
        guard utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return false }
        return !utf8.contains(0xC2)
            || unicodeScalars.allSatisfy { !(0x80..<0xA0).contains($0.value) }
    }
}

extension [UInt8] {
    /// Appends a value in a column: text unchanged, unless it would break the line.
    ///
    /// - Parameter isFirst: Whether it begins the cell, which must not be a formula then.
    fileprivate mutating func append(cell value: Value, isFirst: Bool) {
        switch value {
        case .integer(let number): append(decimal: number)
        case .double: self += value.suiteText.utf8
        case .string(let text) where text.isPrinted:
            self += (isFirst ? PlainText.cell(text) : text).utf8
        default:
            self += (isFirst ? PlainText.cell(value.suiteText) : value.suiteText).utf8
        }
    }

    fileprivate mutating func append(json value: Value) {
        switch value {
        case .integer(let number): append(decimal: number)
        case .string(let text) where text.utf8.allSatisfy(Self.isPlainInJSON):
            append(UInt8(ascii: "\""))
            self += text.utf8
            append(UInt8(ascii: "\""))
        default: self += value.jsonText().utf8
        }
    }

    /// Returns whether a character needs no escape in a JSON string.
    private static func isPlainInJSON(_ character: UInt8) -> Bool {
        (0x20..<0x7F).contains(character) && character != UInt8(ascii: "\"")
            && character != UInt8(ascii: "\\")
    }

    fileprivate mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt64) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
