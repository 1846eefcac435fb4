/// Parses the text of an expression.
///
/// In order of increasing precedence: `? :`, `or`, `and`, `not`, one comparison, `|`, `^`, `&`,
/// shifts, sums, products, signs, then postfix operations on a value.
struct Parser {
    private var tokens: [Token]
    private var position = 0
    private var depth = 0

    private init(_ text: String) throws(SyntaxError) {
        tokens = try Lexer.tokens(of: text)
        guard tokens.count <= KaitaiLimits.expressionTokens else {
            throw SyntaxError(
                what: "the expression has more than \(KaitaiLimits.expressionTokens) parts",
                offset: 0, advice: "divide it among value instances")
        }
    }

    static func expression(_ text: String) throws(SyntaxError) -> Syntax {
        var parser = try Parser(text)
        let result = try parser.conditional()
        try parser.expectEnd()
        return result
    }

    /// Parses `a::b(x, y)[]`, the text of `type`.
    static func type(
        _ text: String
    ) throws(SyntaxError) -> (name: TypeReference, arguments: [Syntax]) {
        var parser = try Parser(text)
        var name = try parser.typeReference()
        let arguments = parser.consume("(") ? try parser.arguments() : []
        if parser.takeArrayMark() { name.isArray = true }
        try parser.expectEnd()
        return (name, arguments)
    }

    /// Parses `a.b.c(x, y)`, the text of `process`.
    static func process(
        _ text: String
    ) throws(SyntaxError) -> (name: String, arguments: [Syntax]) {
        var parser = try Parser(text)
        var name = try parser.name()
        while parser.consume(".") { name += ".\(try parser.name())" }
        let arguments = parser.consume("(") ? try parser.arguments() : []
        try parser.expectEnd()
        return (name, arguments)
    }
}

extension Parser {
    private var token: Token { tokens[position] }

    private func isSymbol(_ symbol: String, ahead: Int = 0) -> Bool {
        position + ahead < tokens.count && tokens[position + ahead].kind == .symbol(symbol)
    }

    private mutating func consume(_ symbol: String) -> Bool {
        guard isSymbol(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard token.kind == .name(word) else { return false }
        position += 1
        return true
    }

    private mutating func takeArrayMark() -> Bool {
        guard isSymbol("["), isSymbol("]", ahead: 1) else { return false }
        position += 2
        return true
    }

    private mutating func expect(_ symbol: String) throws(SyntaxError) {
        if !consume(symbol) { throw unexpected("\"\(symbol)\"") }
    }

    private func expectEnd() throws(SyntaxError) {
        if token.kind != .end { throw unexpected("the end") }
    }

    private func unexpected(_ wanted: String) -> SyntaxError {
        let found: String
        var advice = ""
        switch token.kind {
        case .end: found = "the expression ends"
        case .symbol(let symbol):
            found = "this is \"\(symbol)\""
            if symbol == "&" { advice = "did you mean \"and\"?" }
            if symbol == "|" { advice = "did you mean \"or\"?" }
        case .name(let name): found = "this is \"\(name)\""
        case .string, .format: found = "this is text"
        case .integer, .float: found = "this is a number"
        }
        return SyntaxError(
            what: "\(wanted) is expected here, \(found)", offset: token.offset, advice: advice)
    }

    private mutating func name() throws(SyntaxError) -> String {
        guard case .name(let name) = token.kind else { throw unexpected("a name") }
        position += 1
        return name
    }

    private mutating func nested<Result>(
        _ read: (inout Parser) throws(SyntaxError) -> Result
    ) throws(SyntaxError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= KaitaiLimits.expressionDepth else {
            throw SyntaxError(
                what: "nested more than \(KaitaiLimits.expressionDepth) deep",
                offset: token.offset, advice: "divide it among value instances")
        }
        return try read(&self)
    }
}

extension Parser {
    private mutating func conditional() throws(SyntaxError) -> Syntax {
        try nested { (parser: inout Parser) throws(SyntaxError) in
            let condition = try parser.disjunction()
            guard parser.consume("?") else { return condition }
            let first = try parser.conditional()
            try parser.expect(":")
            return .conditional(condition, first, try parser.conditional())
        }
    }

    private mutating func disjunction() throws(SyntaxError) -> Syntax {
        var left = try conjunction()
        while takeWord("or") { left = .binary(.or, left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(SyntaxError) -> Syntax {
        var left = try negation()
        while takeWord("and") { left = .binary(.and, left, try negation()) }
        return left
    }

    private mutating func negation() throws(SyntaxError) -> Syntax {
        guard takeWord("not") else { return try comparison() }
        return try nested { (parser: inout Parser) throws(SyntaxError) in
            .unary(.not, try parser.negation())
        }
    }

    private mutating func comparison() throws(SyntaxError) -> Syntax {
        let left = try operation(above: 0)
        guard let symbol = binaryOperator, symbol.isComparison else { return left }
        position += 1
        return .binary(symbol, left, try operation(above: 0))
    }

    private var binaryOperator: BinaryOperator? {
        if case .symbol(let symbol) = token.kind { BinaryOperator(rawValue: symbol) } else { nil }
    }

    private mutating func operation(above least: Int) throws(SyntaxError) -> Syntax {
        var left = try sign()
        while let symbol = binaryOperator, let precedence = symbol.precedence, precedence > least {
            position += 1
            let right = try operation(above: precedence)
            left = .binary(symbol, left, right)
        }
        return left
    }

    private mutating func sign() throws(SyntaxError) -> Syntax {
        guard case .symbol(let symbol) = token.kind, let sign = UnaryOperator(rawValue: symbol)
        else { return try postfix() }
        position += 1
        return try nested { (parser: inout Parser) throws(SyntaxError) in
            .unary(sign, try parser.sign())
        }
    }

    private mutating func postfix() throws(SyntaxError) -> Syntax {
        var value = try atom()
        var steps = 0
        while true {
            steps += 1
            guard steps <= KaitaiLimits.expressionDepth else {
                throw SyntaxError(what: "too many steps after one value", offset: token.offset)
            }
            if consume("[") {
                value = .index(value, try conditional())
                try expect("]")
            } else if consume(".") {
                value = try member(of: value)
            } else {
                return value
            }
        }
    }

    private mutating func member(of value: Syntax) throws(SyntaxError) -> Syntax {
        let name = try name()
        if name == "as", isSymbol("<") { return .cast(value, try castTarget()) }
        return consume("(") ? .call(value, name, try arguments()) : .attribute(value, name)
    }

    private mutating func castTarget() throws(SyntaxError) -> TypeReference {
        try expect("<")
        var type = try typeReference()
        if takeArrayMark() { type.isArray = true }
        try expect(">")
        return type
    }

    private mutating func typeReference() throws(SyntaxError) -> TypeReference {
        let isAbsolute = consume("::")
        var path = [try name()]
        while consume("::") { path.append(try name()) }
        return TypeReference(path: path, isAbsolute: isAbsolute)
    }

    /// Parses the arguments and the closing bracket.
    private mutating func arguments() throws(SyntaxError) -> [Syntax] {
        var arguments: [Syntax] = []
        if consume(")") { return arguments }
        repeat { arguments.append(try conditional()) } while consume(",")
        try expect(")")
        return arguments
    }

    private mutating func atom() throws(SyntaxError) -> Syntax {
        let start = token
        switch start.kind {
        case .integer(let number):
            position += 1
            return .integer(number)
        case .float(let number):
            position += 1
            return .float(number)
        case .string, .format: return try text()
        case .name(let name): return try named(name)
        case .symbol("("):
            position += 1
            let inner = try conditional()
            try expect(")")
            return inner
        case .symbol("["):
            position += 1
            return .list(try elements())
        case .symbol("::"):
            return try enumMember(isAbsolute: consume("::"))
        default: throw unexpected("a value")
        }
    }

    private mutating func elements() throws(SyntaxError) -> [Syntax] {
        var elements: [Syntax] = []
        if consume("]") { return elements }
        repeat { elements.append(try conditional()) } while consume(",")
        try expect("]")
        return elements
    }

    private mutating func named(_ name: String) throws(SyntaxError) -> Syntax {
        switch name {
        case "true", "false":
            position += 1
            return .bool(name == "true")
        case "sizeof", "bitsizeof":
            guard isSymbol("<", ahead: 1) else { break }
            position += 1
            return .size(try castTarget(), inBits: name == "bitsizeof")
        case "and", "or", "not": throw unexpected("a value")
        default: break
        }
        if isSymbol("::", ahead: 1) { return try enumMember(isAbsolute: false) }
        position += 1
        return .name(name)
    }

    private mutating func enumMember(isAbsolute: Bool) throws(SyntaxError) -> Syntax {
        var path = [try name()]
        while consume("::") { path.append(try name()) }
        guard path.count > 1, let member = path.popLast() else {
            throw unexpected("\"::\" and the member of an enumeration")
        }
        return .enumMember(path: path, isAbsolute: isAbsolute, member: member)
    }

    /// Parses adjacent literals and joins them.
    private mutating func text() throws(SyntaxError) -> Syntax {
        var parts: [Syntax] = []
        while true {
            switch token.kind {
            case .string(let text): parts.append(.string(text))
            case .format(let pieces):
                let offset = token.offset
                parts.append(
                    .format(
                        try pieces.map { piece throws(SyntaxError) in
                            try format(piece, at: offset)
                        }))
            default:
                let texts = parts.compactMap(\.literalString)
                if texts.count == parts.count { return .string(texts.joined()) }
                return parts.count == 1 ? parts[0] : .format(parts)
            }
            position += 1
        }
    }

    private mutating func format(
        _ part: Token.FormatPart, at offset: Int
    ) throws(SyntaxError) -> Syntax {
        switch part {
        case .text(let text): return .string(text)
        case .expression(let text):
            return try nested { (_: inout Parser) throws(SyntaxError) in
                do throws(SyntaxError) {
                    return try Parser.expression(text)
                } catch {
                    throw SyntaxError(what: error.what, offset: offset, advice: error.advice)
                }
            }
        }
    }
}
