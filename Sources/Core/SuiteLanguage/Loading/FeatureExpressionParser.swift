/// Parses `needs`: names of features combined with `and`, `or`, `not` and brackets.
struct FeatureExpressionParser {
    /// Why a text is not a feature expression.
    struct SyntaxError: Error {
        let what: String
    }

    /// The maximum nesting of brackets and `not`.
    private static let depthLimit = 32

    private var tokens: [String] = []
    private var index = 0

    /// Parses a whole text; `and` binds tighter than `or`, `not` tighter than both.
    static func parse(_ text: String) throws(SyntaxError) -> FeatureExpression {
        var parser = FeatureExpressionParser(text)
        let expression = try parser.disjunction(depth: 0)
        guard parser.index == parser.tokens.count else {
            throw SyntaxError(what: "\"\(parser.tokens[parser.index])\" is not expected there")
        }
        return expression
    }

    private init(_ text: String) {
        var word = ""
        for character in text {
            if character == "(" || character == ")" || character.isWhitespace {
                if !word.isEmpty { tokens.append(word) }
                word = ""
                if !character.isWhitespace { tokens.append(String(character)) }
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { tokens.append(word) }
    }

    private mutating func disjunction(depth: Int) throws(SyntaxError) -> FeatureExpression {
        var left = try conjunction(depth: depth)
        while consume("or") { left = .or(left, try conjunction(depth: depth)) }
        return left
    }

    private mutating func conjunction(depth: Int) throws(SyntaxError) -> FeatureExpression {
        var left = try negation(depth: depth)
        while consume("and") { left = .and(left, try negation(depth: depth)) }
        return left
    }

    private mutating func negation(depth: Int) throws(SyntaxError) -> FeatureExpression {
        guard depth < FeatureExpressionParser.depthLimit else {
            throw SyntaxError(what: "nested more than \(FeatureExpressionParser.depthLimit) deep")
        }
        if consume("not") { return .not(try negation(depth: depth + 1)) }
        if consume("(") {
            let inner = try disjunction(depth: depth + 1)
            guard consume(")") else { throw SyntaxError(what: "\"(\" without \")\"") }
            return inner
        }
        guard index < tokens.count else {
            throw SyntaxError(what: "it ends where a feature is expected")
        }
        let name = tokens[index]
        guard PlainName.isValid(name), name != "and", name != "or" else {
            throw SyntaxError(what: "\"\(name)\" is there, but a feature is expected")
        }
        index += 1
        return .feature(name)
    }

    private mutating func consume(_ token: String) -> Bool {
        guard index < tokens.count, tokens[index] == token else { return false }
        index += 1
        return true
    }
}
