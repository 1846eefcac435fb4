extension Value {
    /// Returns this value as JSON text (RFC 8259).
    ///
    /// Bytes are written as a string of hexadecimal digits. Numbers that JSON lacks (infinity,
    /// not-a-number) are written as `null`, other numbers in the shortest form that reads back the
    /// same.
    ///
    /// - Parameter pretty: Whether members and elements are on lines of their own, indented by two
    ///   spaces a level.
    public func jsonText(pretty: Bool = false) -> String {
        String(decoding: jsonBytes(pretty: pretty), as: UTF8.self)
    }

    /// Returns the same text in UTF-8.
    public func jsonBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        return writer.text
    }
}

extension [UInt8] {
    /// The bytes as text, with two lower-case hexadecimal digits a byte.
    public var hexText: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(count * 2)
        for byte in self {
            for nibble in [byte >> 4, byte & 0x0F] {
                digits.append(nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// Writes values as JSON.
private struct JSONWriter {
    let isPretty: Bool
    var text: [UInt8] = []
    private var depth = 0

    init(isPretty: Bool) {
        self.isPretty = isPretty
    }

    mutating func write(_ value: Value) {
        switch value {
        case .null: text += "null".utf8
        case .bool(let flag): text += (flag ? "true" : "false").utf8
        case .integer(let number): text += String(number).utf8
        case .double(let number): text += (number.isFinite ? number.description : "null").utf8
        case .string(let string): writeQuoted(string)
        case .bytes(let bytes): writeQuoted(bytes.hexText)
        case .array(let elements):
            writeItems(elements, between: UInt8(ascii: "["), and: UInt8(ascii: "]")) {
                $0.write($1)
            }
        case .object(let members):
            writeItems(members, between: UInt8(ascii: "{"), and: UInt8(ascii: "}")) {
                writer, member in
                writer.writeQuoted(member.name)
                writer.text.append(UInt8(ascii: ":"))
                if writer.isPretty { writer.text.append(UInt8(ascii: " ")) }
                writer.write(member.value)
            }
        }
    }

    private mutating func writeQuoted(_ string: String) {
        // Most texts have nothing to escape.
        guard string.utf8.allSatisfy(\.isPlainInQuotes) else {
            var quoted = ""
            quoted.appendQuoted(string)
            return text += quoted.utf8
        }
        text.append(UInt8(ascii: "\""))
        text += string.utf8
        text.append(UInt8(ascii: "\""))
    }

    private mutating func writeItems<Item>(
        _ items: [Item], between opening: UInt8, and closing: UInt8,
        each: (inout JSONWriter, Item) -> Void
    ) {
        text.append(opening)
        depth += 1
        for (index, item) in items.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            breakLine()
            each(&self, item)
        }
        depth -= 1
        if !items.isEmpty { breakLine() }
        text.append(closing)
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
}

extension String {
    /// Appends `string` in double quotes with the escapes that JSON and YAML share.
    mutating func appendQuoted(_ string: String) {
        self += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": self += "\\\""
            case "\\": self += "\\\\"
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                let digits = String(scalar.value, radix: 16)
                self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: unicodeScalars.append(scalar)
            }
        }
        self += "\""
    }
}

extension UInt8 {
    /// Whether it is printable ASCII that needs no escape between double quotes.
    fileprivate var isPlainInQuotes: Bool {
        self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
