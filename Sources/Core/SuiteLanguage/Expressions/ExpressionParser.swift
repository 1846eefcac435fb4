import Wire

/// Parses an expression from after `${` to the `}` that ends it.
struct ExpressionParser {
    /// The maximum nesting of brackets, signs and calls; hand-written expressions stay below 5.
    static let depthMax = 32
    /// The maximum number of names, numbers and operations in one expression, so that evaluation
    /// needs little stack.
    static let partsMax = 200

    private var rest: Substring
    private var depth = 0
    private var partCount = 0

    /// Parses an expression; `text` begins after `${`, and afterwards it begins after `}`.
    static func parse(
        _ text: inout Substring
    ) throws(Template.SyntaxError) -> TemplateExpression {
        var parser = ExpressionParser(rest: text)
        let expression = try parser.sum()
        parser.skipSpace()
        guard parser.consume("}") else {
            guard let next = parser.rest.first else {
                throw Template.SyntaxError(what: "\"${\" without \"}\"")
            }
            throw Template.SyntaxError(
                what: "\"${\(text.prefix { $0 != "}" })}\" does not parse at \"\(next)\"")
        }
        text = parser.rest
        return expression
    }

    private init(rest: Substring) { self.rest = rest }

    // MARK: grammar

    private mutating func sum() throws(Template.SyntaxError) -> TemplateExpression {
        try operations(isProduct: false) { (parser) throws(Template.SyntaxError) in
            try parser.product()
        }
    }

    private mutating func product() throws(Template.SyntaxError) -> TemplateExpression {
        try operations(isProduct: true) { (parser) throws(Template.SyntaxError) in
            try parser.signed()
        }
    }

    private mutating func operations(
        isProduct: Bool,
        _ operand: (inout ExpressionParser) throws(Template.SyntaxError) -> TemplateExpression
    ) throws(Template.SyntaxError) -> TemplateExpression {
        var left = try operand(&self)
        while true {
            skipSpace()
            guard let symbol = rest.first, let sign = ArithmeticOperator(rawValue: String(symbol)),
                sign.isProduct == isProduct
            else { return left }
            rest.removeFirst()
            try count()
            left = .arithmetic(left, sign, try operand(&self))
        }
    }

    private mutating func signed() throws(Template.SyntaxError) -> TemplateExpression {
        skipSpace()
        guard consume("-") else { return try path() }
        return .negated(
            try deeper { (parser) throws(Template.SyntaxError) in try parser.signed() })
    }

    /// Parses a value followed by members and elements.
    private mutating func path() throws(Template.SyntaxError) -> TemplateExpression {
        var value = try primary()
        while true {
            try count()
            if consume(".") {
                guard let name = name() else { throw expected("the name of a member") }
                value = .member(value, name)
            } else if consume("[") {
                let index = try deeper { (parser) throws(Template.SyntaxError) in
                    try parser.sum()
                }
                try close("]")
                value = .element(value, index)
            } else {
                return value
            }
        }
    }

    private mutating func primary() throws(Template.SyntaxError) -> TemplateExpression {
        skipSpace()
        try count()
        if consume("(") {
            let inner = try deeper { (parser) throws(Template.SyntaxError) in try parser.sum() }
            try close(")")
            return inner
        }
        if let quote = rest.first, quote == "'" || quote == "\"" { return try quoted(quote) }
        if let first = rest.first, Self.isDigit(first) { return try number() }
        guard let name = name() else { throw expected("a variable") }
        guard rest.first == "(" else {
            return Self.words[name].map { .literal($0) } ?? .variable(name)
        }
        return try call(name)
    }

    private mutating func call(_ name: String) throws(Template.SyntaxError) -> TemplateExpression {
        guard let function = ExpressionFunction(rawValue: name) else {
            let known = ExpressionFunction.allCases.map(\.rawValue)
            let advice = Suggestion.closest(to: name, in: known).map { "did you mean \"\($0)\"?" }
            throw Template.SyntaxError(
                what: "there is no function \"\(name)\"; "
                    + (advice ?? "there are: \(known.joined(separator: ", "))"))
        }
        rest.removeFirst()
        var arguments: [TemplateExpression] = []
        repeat {
            arguments.append(
                try deeper { (parser) throws(Template.SyntaxError) in try parser.sum() })
            skipSpace()
        } while consume(",")
        try close(")")
        guard function.argumentCount.contains(arguments.count) else {
            throw Template.SyntaxError(
                what: "\"\(name)\" is given \(arguments.count) values; write \(function.usage)")
        }
        return .call(function, arguments)
    }

    // MARK: words

    /// The values that are words.
    private static let words: [String: Value] = [
        "null": .null, "true": .bool(true), "false": .bool(false),
    ]

    private mutating func name() -> String? {
        let name = rest.prefix { VariableName.mayContain($0) }
        guard VariableName.isValid(name) else { return nil }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private mutating func quoted(
        _ quote: Character
    ) throws(Template.SyntaxError) -> TemplateExpression {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: quote) else { throw expected("a closing \(quote)") }
        defer { rest = rest[rest.index(after: end)...] }
        return .literal(.string(String(rest[..<end])))
    }

    private mutating func number() throws(Template.SyntaxError) -> TemplateExpression {
        let start = rest
        rest = rest.drop(while: Self.isDigit)
        let isFraction = rest.first == "." && rest.dropFirst().first.map(Self.isDigit) == true
        if isFraction { rest = rest.dropFirst().drop(while: Self.isDigit) }
        let digits = start[..<rest.startIndex]
        let value =
            isFraction ? Double(digits).map(Value.double) : Int64(digits).map(Value.integer)
        guard let value else {
            throw Template.SyntaxError(what: "\"\(digits)\" is no number of 64 bits")
        }
        return .literal(value)
    }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character)
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

    private mutating func consume(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func close(_ bracket: Character) throws(Template.SyntaxError) {
        skipSpace()
        guard consume(bracket) else { throw expected("\"\(bracket)\"") }
    }

    private func expected(_ what: String) -> Template.SyntaxError {
        let found = rest.first.map { $0 == "}" ? "\"}\"" : "\"\($0)\"" } ?? "the end of the text"
        return Template.SyntaxError(what: "in \"${...}\" \(what) is expected before \(found)")
    }

    // MARK: bounds

    private mutating func count() throws(Template.SyntaxError) {
        partCount += 1
        guard partCount <= Self.partsMax * 2 else {
            throw Template.SyntaxError(what: "this expression is too long")
        }
    }

    private mutating func deeper(
        _ read: (inout ExpressionParser) throws(Template.SyntaxError) -> TemplateExpression
    ) throws(Template.SyntaxError) -> TemplateExpression {
        depth += 1
        guard depth <= Self.depthMax else {
            throw Template.SyntaxError(
                what: "this expression is nested more than \(Self.depthMax) deep")
        }
        defer { depth -= 1 }
        return try read(&self)
    }
}
