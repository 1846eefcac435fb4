extension Value {
    /// This value as a suite would write it: YAML 1.2 in flow style, on one line.
    ///
    /// Strings are quoted only where the core schema would read something else. Bytes appear as
    /// `{hex: 0aff}`, the matcher that accepts them.
    public var suiteText: String {
        switch self {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .double(let number): return Value.suiteText(of: number)
        case .string(let string): return Value.suiteText(of: string)
        case .bytes(let bytes): return "{hex: \(Value.suiteText(of: bytes.hexText))}"
        case .array(let elements):
            return "[" + elements.map(\.suiteText).joined(separator: ", ") + "]"
        case .object(let members):
            let items = members.map { "\(Value.suiteText(of: $0.name)): \($0.value.suiteText)" }
            return "{" + items.joined(separator: ", ") + "}"
        }
    }

    private static func suiteText(of number: Double) -> String {
        if number.isNaN { return ".nan" }
        if number.isInfinite { return number < 0 ? "-.inf" : ".inf" }
        return number.description
    }

    private static func suiteText(of string: String) -> String {
        if PlainScalar.keeps(string) { return string }
        var text = ""
        text.appendQuoted(string)
        return text
    }
}

/// The rules for YAML plain scalars inside a flow collection.
private enum PlainScalar {
    /// Words that the core schema reads as null, Boolean or a special number.
    private static let words: Set<String> = [
        "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
        ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF",
        ".nan", ".NaN", ".NAN",
    ]

    /// Returns whether `string` without quotes reads back as the same string.
    static func keeps(_ string: String) -> Bool {
        let bytes = [UInt8](string.utf8)
        guard let first = bytes.first, let last = bytes.last, bytes.allSatisfy(isAllowed) else {
            return false
        }
        if first == space || last == space || last == colon { return false }
        if leadingIndicators.contains(first) { return false }
        if first == dash || first == question || first == colon {
            guard bytes.count > 1, bytes[1] != space else { return false }
        }
        for (byte, next) in zip(bytes, bytes.dropFirst()) {
            if byte == colon && next == space || byte == space && next == hash { return false }
        }
        return !words.contains(string) && !isNumber(bytes)
    }

    /// Returns whether a byte may be unquoted: printable ASCII without flow indicators, or a letter
    /// byte.
    ///
    /// Bytes of non-ASCII letters are allowed, because they are never control characters.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= space && byte != 0x7F && byte < 0x80 && !flowIndicators.contains(byte)
            || isLetterByte(byte)
    }

    /// Returns whether a byte belongs to a letter of two or more bytes in UTF-8.
    ///
    /// The lead bytes of the C1 controls and the separators are excluded, so that these are quoted.
    private static func isLetterByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 && byte != 0xC2 && byte != 0xE2 && byte != 0xEF
    }

    /// Returns whether the core schema reads the text as an integer or a floating-point number.
    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: "0o".utf8) {
            return bytes.count > 2 && bytes.dropFirst(2).allSatisfy { (0x30...0x37).contains($0) }
        }
        if bytes.starts(with: "0x".utf8) {
            return bytes.count > 2 && bytes.dropFirst(2).allSatisfy(isHexDigit)
        }
        var rest = bytes[...]
        if rest.first == plus || rest.first == dash { rest.removeFirst() }
        let whole = takeDigits(&rest)
        var fraction = 0
        if rest.first == dot {
            rest.removeFirst()
            fraction = takeDigits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest.removeFirst()
            if rest.first == plus || rest.first == dash { rest.removeFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ bytes: inout ArraySlice<UInt8>) -> Int {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
        bytes.removeFirst(digits)
        return digits
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
            || (0x61...0x66).contains(byte)
    }

    private static let space = UInt8(ascii: " ")
    private static let colon = UInt8(ascii: ":")
    private static let hash = UInt8(ascii: "#")
    private static let dash = UInt8(ascii: "-")
    private static let question = UInt8(ascii: "?")
    private static let plus = UInt8(ascii: "+")
    private static let dot = UInt8(ascii: ".")
    private static let flowIndicators = Set("[]{},".utf8)
    private static let leadingIndicators = Set("#&*!|>'\"%@`".utf8)
}
