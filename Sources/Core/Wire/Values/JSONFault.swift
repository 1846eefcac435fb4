/// Finds where a text stops being JSON (RFC 8259); the parser reports only that it is not.
struct JSONFault {
    private let bytes: [UInt8]
    private var index = 0
    /// Whether JSON is accepted that a `Value` cannot hold.
    private let isAnyAccepted: Bool
    /// The numbers and the halves of surrogate pairs that a `Value` cannot hold.
    private var unheld: [Range<Int>] = []
    /// Whether the text is nested deeper than `JSONLimits.maximumDepth`.
    private(set) var isTooDeep = false
    /// The offset of the first byte at which the text can no longer become JSON; `nil` if it is JSON.
    private(set) var offset: Int?

    /// Returns the offset of the first byte at which a text can no longer become JSON.
    ///
    /// The JSON must be such that a `Value` can hold it. The result is the size of the text if it
    /// only ends too early, and `nil` if it is JSON.
    static func offset(in json: RawSpan) -> Int? { JSONFault(in: json).offset }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - isAnyAccepted: Whether JSON is accepted that a `Value` cannot hold.
    init(in json: RawSpan, isAnyAccepted: Bool = false) {
        bytes = [UInt8](copying: json)
        self.isAnyAccepted = isAnyAccepted
        // The parser skips a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let isRead = takeValue(depth: 0)
        if isRead { skipBlanks() }
        offset = isRead && index == bytes.count ? nil : index
    }

    /// The JSON with texts in place of what a `Value` cannot hold: the number as it is written, and
    /// half a surrogate pair as its escape.
    var held: [UInt8] {
        var text: [UInt8] = []
        var start = 0
        for range in unheld {
            text += bytes[start..<range.lowerBound]
            let isEscape = bytes[range.lowerBound] == UInt8(ascii: "\\")
            let frame = isEscape ? [] : [UInt8(ascii: "\"")]
            text += (isEscape ? [UInt8(ascii: "\\")] : frame) + bytes[range] + frame
            start = range.upperBound
        }
        return text + bytes[start...]
    }

    /// The next byte; `nil` at the end.
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    // MARK: - Values

    private mutating func takeValue(depth: Int) -> Bool {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return takeContainer("}", depth: depth) { $0.takeMember($1) }
        case UInt8(ascii: "["): return takeContainer("]", depth: depth) { $0.takeValue(depth: $1) }
        case UInt8(ascii: "\""): return takeString()
        case UInt8(ascii: "t"): return takeWord("true")
        case UInt8(ascii: "f"): return takeWord("false")
        case UInt8(ascii: "n"): return takeWord("null")
        default: return takeNumber()
        }
    }

    private mutating func takeContainer(
        _ end: Unicode.Scalar, depth: Int, _ element: (inout JSONFault, Int) -> Bool
    ) -> Bool {
        guard depth < JSONLimits.maximumDepth else {
            isTooDeep = true
            return false
        }
        index += 1
        skipBlanks()
        if consume(end) { return true }
        repeat {
            guard element(&self, depth + 1) else { return false }
            skipBlanks()
        } while consume(",")
        return consume(end)
    }

    private mutating func takeMember(_ depth: Int) -> Bool {
        skipBlanks()
        guard takeString() else { return false }
        skipBlanks()
        return consume(":") && takeValue(depth: depth)
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            for character in word {
                guard next == character else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func takeNumber() -> Bool {
        let start = index
        _ = consume("-")
        guard consume("0") || takeDigits() else { return false }
        var isWhole = true
        if consume(".") {
            isWhole = false
            guard takeDigits() else { return false }
        }
        if consume("e") || consume("E") {
            isWhole = false
            _ = consume("+") || consume("-")
            guard takeDigits() else { return false }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole ? Int64(text) != nil : Double(text)?.isFinite == true { return true }
        if isAnyAccepted {
            unheld.append(start..<index)
        } else if !isWhole || UInt64(text) == nil {
            index = start
            return false
        }
        return true
    }

    private mutating func takeDigits() -> Bool {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index > start
    }

    // MARK: - Strings

    private mutating func takeString() -> Bool {
        guard consume("\"") else { return false }
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return true
            case UInt8(ascii: "\\"): guard takeEscape() else { return false }
            case 0..<0x20: return false
            case 0x80...: guard takeManyBytes() else { return false }
            default: index += 1
            }
        }
        return false
    }

    /// Consumes an escape; an incomplete surrogate pair is the fault.
    private mutating func takeEscape() -> Bool {
        let start = index
        index += 1
        guard let kind = next else { return false }
        guard kind == UInt8(ascii: "u") else {
            guard #""\/bfnrt"#.utf8.contains(kind) else { return false }
            index += 1
            return true
        }
        guard let unit = takeUnit() else { return false }
        guard UTF16.isSurrogate(unit) else { return true }
        if UTF16.isLeadSurrogate(unit), consume("\\"), next == UInt8(ascii: "u"),
            let trail = takeUnit(), UTF16.isTrailSurrogate(trail)
        {
            return true
        }
        index = start
        guard isAnyAccepted else { return false }
        index += 6
        unheld.append(start..<index)
        return true
    }

    /// Consumes the `u` and four hexadecimal digits.
    private mutating func takeUnit() -> UInt16? {
        index += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    /// Consumes a character that has several bytes in UTF-8 (RFC 3629).
    private mutating func takeManyBytes() -> Bool {
        let (count, second): (Int, ClosedRange<UInt8>)
        switch bytes[index] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return false
        }
        let rest = bytes[(index + 1)...].prefix(count - 1)
        guard rest.count == count - 1, let first = rest.first, second.contains(first),
            rest.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) })
        else { return false }
        index += count
        return true
    }
}
