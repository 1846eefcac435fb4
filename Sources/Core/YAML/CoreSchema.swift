import Wire

/// The resolution of plain scalars: the core schema of YAML 1.2, section 10.3.2.
package enum CoreSchema {
    /// Returns the value of a plain scalar; `nil` if it is a number that does not fit any 64-bit
    /// type.
    package static func value(ofPlain text: String) -> Value? {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .double(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
        default: break
        }
        switch NumberForm(text) {
        case .none: return .string(text)
        case .integer(let radix, let digits): return Int64(digits, radix: radix).map(Value.integer)
        case .float: return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        }
    }
}

/// The forms of texts that are written like numbers.
private enum NumberForm {
    case none
    case integer(radix: Int, digits: Substring)
    case float

    init(_ text: String) {
        if text.hasPrefix("0x") {
            self = NumberForm(digits: text.dropFirst(2), radix: 16, while: \.isASCIIHexDigit)
        } else if text.hasPrefix("0o") {
            self = NumberForm(digits: text.dropFirst(2), radix: 8) { ("0"..."7").contains($0) }
        } else {
            self = NumberForm(decimal: text)
        }
    }

    private init(digits: Substring, radix: Int, while isDigit: (Character) -> Bool) {
        self =
            digits.isEmpty || !digits.allSatisfy(isDigit)
            ? .none : .integer(radix: radix, digits: digits)
    }

    private init(decimal text: String) {
        var rest = Substring(text)
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        let whole = NumberForm.takeDigits(&rest)
        if rest.isEmpty && whole > 0 {
            self = .integer(radix: 10, digits: text[...])
            return
        }
        var fraction = 0
        if rest.first == "." {
            rest.removeFirst()
            fraction = NumberForm.takeDigits(&rest)
        }
        guard whole + fraction > 0 else {
            self = .none
            return
        }
        if rest.first == "e" || rest.first == "E" {
            rest.removeFirst()
            if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
            guard NumberForm.takeDigits(&rest) > 0 else {
                self = .none
                return
            }
        }
        self = rest.isEmpty ? .float : .none
    }

    private static func takeDigits(_ rest: inout Substring) -> Int {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest[digits.endIndex...]
        return digits.count
    }
}

extension Character {
    /// Whether this is one of `0-9a-fA-F`.
    package var isASCIIHexDigit: Bool { isASCII && isHexDigit }
}
