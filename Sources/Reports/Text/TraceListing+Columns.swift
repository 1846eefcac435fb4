import Protocols
import Trace

extension TraceListing {
    /// Whether the heads of messages may tell all that their lines hold.
    var isToldByHeads: Bool { columns?.allSatisfy(\.isToldByHeads) ?? false }

    /// Appends the line of a sound message, the line's end with it, as far as its head tells it.
    ///
    /// - Returns: Whether it does; if not, nothing is appended.
    func append(
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace, to bytes: inout [UInt8]
    ) -> Bool {
        guard let columns else { return false }
        if format == .json {
            var values: [[Value]] = []
            for column in columns {
                switch column.value(of: head, unit, at: place) {
                case .value(let value): values.append([value])
                case .absent: values.append([])
                case .undecided: return false
                }
            }
            append(values, of: columns, to: &bytes)
        } else {
            let start = bytes.count
            for (index, column) in columns.enumerated() {
                if index > 0 { bytes.append(Self.tab) }
                switch column.value(of: head, unit, at: place) {
                case .value(let value): bytes.append(cell: value)
                case .absent: break
                case .undecided:
                    bytes.removeLast(bytes.count - start)
                    return false
                }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
        return true
    }

    /// Appends the values of fields; where a field has several, they are joined by commas.
    func append(_ values: [[Value]], of columns: [TraceField], to bytes: inout [UInt8]) {
        switch format {
        case .text, .indented:
            for (index, values) in values.enumerated() {
                if index > 0 { bytes.append(Self.tab) }
                for (index, value) in values.enumerated() {
                    if index > 0 { bytes.append(UInt8(ascii: ",")) }
                    bytes.append(cell: value)
                }
            }
        case .json:
            let members = zip(columns, values).compactMap { column, values in
                values.first.map {
                    Value.Member(
                        column.path.description, values.count == 1 ? $0 : .array(values))
                }
            }
            bytes += Value.object(members).jsonText().utf8
        }
    }

    private static let tab = UInt8(ascii: "\t")
}

extension [UInt8] {
    /// A value in a column: text as it is, but for what would break the line.
    fileprivate mutating func append(cell value: Value) {
        switch value {
        case .integer(let number): append(decimal: number)
        case .string(let text) where text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }):
            self += text.utf8
        default: self += value.suiteText.utf8
        }
    }

    private mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var unit: UInt64 = 1
        while magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
            unit /= 10
        }
    }
}
