/// A token of an expression.
struct Token: Hashable {
    enum Kind: Hashable {
        case integer(Int128)
        case float(Double)
        case string(String)
        case format([FormatPart])
        case name(String)
        case symbol(String)
        case end
    }

    /// A part of `f"..{e}.."`.
    enum FormatPart: Hashable {
        case text(String)
        case expression(String)
    }

    var kind: Kind
    /// The position in characters from the beginning.
    var offset: Int
}

/// Cuts the text of an expression into tokens.
struct Lexer {
    private let text: [Character]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text)
    }

    /// Returns all tokens of a text, ending with `end`.
    static func tokens(of text: String) throws(SyntaxError) -> [Token] {
        guard text.utf8.count <= KaitaiLimits.expressionLength else {
            throw SyntaxError(
                what: "the expression is longer than \(KaitaiLimits.expressionLength) bytes",
                offset: 0, advice: "divide it among value instances")
        }
        var lexer = Lexer(text)
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private func character(_ ahead: Int = 0) -> Character? {
        position + ahead < text.count ? text[position + ahead] : nil
    }

    private mutating func next() throws(SyntaxError) -> Token {
        skipSpace()
        let start = position
        guard let first = character() else { return Token(kind: .end, offset: start) }
        let kind: Token.Kind
        if first.isDigit || first == "." && character(1)?.isDigit == true {
            kind = try number()
        } else if first == "f", character(1) == "\"" {
            position += 2
            kind = .format(try formatParts())
        } else if first.isNameStart {
            kind = .name(name())
        } else if first == "'" || first == "\"" {
            position += 1
            kind = .string(first == "'" ? try rawString() : try string())
        } else {
            kind = try symbol()
        }
        return Token(kind: kind, offset: start)
    }

    private mutating func skipSpace() {
        while let next = character() {
            if next == " " || next.isNewline || next == "\t" {
                position += 1
            } else if next == "\\", character(1)?.isNewline == true {
                position += 2
            } else {
                return
            }
        }
    }

    private mutating func name() -> String {
        let start = position
        while let next = character(), next.isNameStart || next.isDigit { position += 1 }
        return String(text[start..<position])
    }

    private static let symbols = [
        "::", "<<", ">>", "<=", ">=", "==", "!=", "(", ")", "[", "]", "<", ">", "+", "-", "*", "/",
        "%", "&", "|", "^", "~", "?", ":", ",", ".",
    ]

    private mutating func symbol() throws(SyntaxError) -> Token.Kind {
        for symbol in Lexer.symbols where text[position...].starts(with: symbol) {
            position += symbol.count
            return .symbol(symbol)
        }
        throw SyntaxError(
            what: "\"\(text[position])\" cannot begin a part of an expression",
            offset: position)
    }

    private mutating func digits(_ isDigit: (Character) -> Bool) -> String {
        var digits = ""
        while let next = character(), isDigit(next) || next == "_" {
            if next != "_" { digits.append(next) }
            position += 1
        }
        return digits
    }

    private mutating func number() throws(SyntaxError) -> Token.Kind {
        let start = position
        if character() == "0", let radix = character(1).flatMap(Lexer.radix) {
            position += 2
            let digits = digits(\.isASCIIHexDigit)
            guard let number = Int128(digits, radix: radix), !digits.isEmpty else {
                throw tooLarge(start)
            }
            return .integer(number)
        }
        var text = digits(\.isDigit)
        // `42.x` is an attribute, `4.` and `4.2` are numbers.
        let fraction = character(1)
        let isFraction = character() == "." && !(fraction?.isNameStart ?? false)
        if isFraction {
            position += 1
            let digits = digits(\.isDigit)
            text = "\(text.isEmpty ? "0" : text).\(digits.isEmpty ? "0" : digits)"
        }
        let hasExponent = takeExponent(into: &text)
        if isFraction || hasExponent {
            guard let number = Double(text), number.isFinite else { throw tooLarge(start) }
            return .float(number)
        }
        guard let number = Int128(text) else { throw tooLarge(start) }
        return .integer(number)
    }

    private mutating func takeExponent(into text: inout String) -> Bool {
        guard character() == "e" || character() == "E" else { return false }
        let hasSign = character(1) == "+" || character(1) == "-"
        guard character(hasSign ? 2 : 1)?.isDigit == true else { return false }
        text.append("e")
        if hasSign { text.append(character(1) == "-" ? "-" : "+") }
        position += hasSign ? 2 : 1
        text += digits(\.isDigit)
        return true
    }

    private static func radix(_ letter: Character) -> Int? {
        switch letter {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private func tooLarge(_ offset: Int) -> SyntaxError {
        SyntaxError(what: "this number cannot be read, or it does not fit", offset: offset)
    }
}

extension Lexer {
    private mutating func rawString() throws(SyntaxError) -> String {
        var result = ""
        while let next = character() {
            position += 1
            if next == "'" { return result }
            result.append(next)
        }
        throw unclosed("'")
    }

    private mutating func string() throws(SyntaxError) -> String {
        var result = ""
        while let next = character() {
            position += 1
            if next == "\"" { return result }
            if next == "\\" { try escape(into: &result) } else { result.append(next) }
        }
        throw unclosed("\"")
    }

    private mutating func formatParts() throws(SyntaxError) -> [Token.FormatPart] {
        var parts: [Token.FormatPart] = []
        var pending = ""
        while let next = character() {
            position += 1
            switch next {
            case "\"":
                if !pending.isEmpty { parts.append(.text(pending)) }
                return parts
            case "\\": try escape(into: &pending)
            case "{":
                if !pending.isEmpty { parts.append(.text(pending)) }
                pending = ""
                parts.append(.expression(try placeholder()))
            default: pending.append(next)
            }
        }
        throw unclosed("\"")
    }

    private mutating func placeholder() throws(SyntaxError) -> String {
        var result = ""
        while let next = character() {
            position += 1
            if next == "}" { return result }
            result.append(next)
        }
        throw unclosed("}")
    }

    private mutating func escape(into result: inout String) throws(SyntaxError) {
        let start = position - 1
        guard let letter = character() else { throw unclosed("\"") }
        if let plain = Lexer.escapes[letter] {
            position += 1
            result.append(plain)
            return
        }
        var digits = ""
        let radix = letter == "u" ? 16 : 8
        if letter == "u" {
            position += 1
            while digits.count < 4, let next = character(), next.isASCIIHexDigit {
                digits.append(next)
                position += 1
            }
        } else {
            while digits.count < 3, let next = character(), ("0"..."7").contains(next) {
                digits.append(next)
                position += 1
            }
        }
        guard !digits.isEmpty, radix == 8 || digits.count == 4,
            let scalar = UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init)
        else {
            throw SyntaxError(what: "\"\\\(letter)\" is not an escape sequence", offset: start)
        }
        result.unicodeScalars.append(scalar)
    }

    private static let escapes: [Character: Character] = [
        "a": "\u{7}", "b": "\u{8}", "t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r",
        "e": "\u{1B}", "\"": "\"", "'": "'", "\\": "\\",
    ]

    private func unclosed(_ mark: Character) -> SyntaxError {
        SyntaxError(
            what: "the text ends before \(mark)", offset: text.count,
            advice: "close it with \(mark)")
    }
}

extension Character {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isNameStart: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_"
    }
    fileprivate var isASCIIHexDigit: Bool { isASCII && isHexDigit }
}
