import Wire

/// Parses a filter: `or` over `and` over `not` over tests and brackets.
struct MessageFilterParser {
    private let tokens: [(token: FilterToken, column: Int)]
    private var index = 0
    private let endColumn: Int
    private let additionalFields: [String]
    private let known: KnownMessages
    private var depth = 0

    /// The maximum nesting of brackets and `not`; no real filter needs more.
    private static let depthMax = 100

    private static let comparisons = [
        "==": "==", "eq": "==", "!=": "!=", "ne": "!=", ">": ">", "gt": ">", ">=": ">=",
        "ge": ">=", "<": "<", "lt": "<", "<=": "<=", "le": "<=", "contains": "contains",
        "matches": "matches", "~": "matches", "in": "in",
    ]

    init(
        _ text: String, _ known: KnownMessages, additionalFields: [String]
    ) throws(MessageFilter.SyntaxError) {
        self.known = known
        var lexer = MessageFilterLexer(text)
        tokens = try lexer.tokens()
        endColumn = text.count + 1
        self.additionalFields = additionalFields
    }

    /// Parses the whole filter.
    mutating func filter() throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        guard !tokens.isEmpty else { throw error("the filter is empty") }
        let term = try disjunction()
        guard index == tokens.count else {
            throw error("expected \"and\", \"or\" or the end of the filter")
        }
        return term
    }

    private mutating func disjunction() throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        var terms = [try conjunction()]
        while accept("||", "or") { terms.append(try conjunction()) }
        return terms.count == 1 ? terms[0] : .any(terms)
    }

    private mutating func conjunction() throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        var terms = [try negation()]
        while accept("&&", "and") { terms.append(try negation()) }
        return terms.count == 1 ? terms[0] : .all(terms)
    }

    private mutating func negation() throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else { throw error("too many brackets inside one another") }
        if accept("!", "not") { return .not(try negation()) }
        if accept("(", nil) {
            let term = try disjunction()
            guard accept(")", nil) else { throw error("a bracket is not closed") }
            return term
        }
        return try test()
    }

    // MARK: - Tests

    private mutating func test() throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        guard case .word(let name)? = current else {
            throw error("expected a field, a message, \"not\" or \"(\"")
        }
        let column = tokens[index].column
        index += 1
        guard let comparison = comparison() else {
            if isMessage(name) { return .message(name) }
            return .field(try path(name, at: column), .present(true))
        }
        let path = try path(name, at: column)
        return try test(path, comparison)
    }

    private mutating func comparison() -> String? {
        let word: String
        switch current {
        case .sign(let sign)?: word = sign
        case .word(let name)?: word = name
        default: return nil
        }
        guard let comparison = Self.comparisons[word] else { return nil }
        index += 1
        return comparison
    }

    private mutating func test(
        _ path: FieldPath, _ comparison: String
    ) throws(MessageFilter.SyntaxError) -> MessageFilter.Term {
        switch comparison {
        case "in": return .field(path, try choices())
        case "matches":
            let column = self.column
            let text = try text()
            do throws(TextPattern.CompileError) {
                return .field(path, .matches(try TextPattern(text)))
            } catch {
                throw MessageFilter.SyntaxError(
                    column: column, description: "no regular expression: \(error.description)")
            }
        default: break
        }
        let value = ValueExpression.literal(try operand())
        switch comparison {
        case "==": return .field(path, .equals(value))
        // As in Wireshark since version 4: the field is present, and none of its values is that
        // one.
        case "!=":
            return .all([.field(path, .present(true)), .not(.field(path, .equals(value)))])
        case ">=": return .field(path, .minimum(value))
        case "<=": return .field(path, .maximum(value))
        case ">": return .field(path, .all([.minimum(value), .not(.equals(value))]))
        case "<": return .field(path, .all([.maximum(value), .not(.equals(value))]))
        default: return .field(path, .contains(.equals(value)))
        }
    }

    /// Parses `{1, 2, "three"}`; the commas are optional.
    private mutating func choices() throws(MessageFilter.SyntaxError) -> ValueMatcher {
        guard accept("{", nil) else { throw error("\"in\" takes values in braces: in {1, 2}") }
        var values: [ValueExpression] = []
        while !accept("}", nil) {
            values.append(.literal(try operand()))
            _ = accept(",", nil)
        }
        guard !values.isEmpty else { throw error("there is no value between the braces") }
        return .oneOf(values)
    }

    private mutating func text() throws(MessageFilter.SyntaxError) -> String {
        guard case .text(let text)? = current else {
            throw error("expected a text in quotes")
        }
        index += 1
        return text
    }

    /// Parses a number, `true`, `false` or a text; a bare word, such as an address, is a text.
    private mutating func operand() throws(MessageFilter.SyntaxError) -> Value {
        defer { index += 1 }
        switch current {
        case .text(let text)?: return .string(text)
        case .word("true")?: return .bool(true)
        case .word("false")?: return .bool(false)
        case .word(let word)?:
            if word.hasPrefix("0x"), let number = Int64(word.dropFirst(2), radix: 16) {
                return .integer(number)
            }
            if let number = Int64(word) { return .integer(number) }
            if let number = Double(word) { return .double(number) }
            return .string(word)
        default: throw error("expected a value")
        }
    }

    // MARK: - Names

    private func isMessage(_ name: String) -> Bool {
        known.protocols.message(named: name) != nil
            || (known.protocols.messageNames + ownNames).contains {
                $0 == name || $0.hasPrefix(name + ".")
            }
    }

    private var own: [ProtocolDescription] { known.own.map(\.description) }

    private var ownNames: [String] { own.flatMap { $0.messages.map(\.name) } }

    private var ownFields: [FieldDescription] {
        own.flatMap { $0.fields + $0.messages.flatMap(\.fields) }
    }

    private func path(
        _ name: String, at column: Int
    ) throws(MessageFilter.SyntaxError) -> FieldPath {
        guard let path = FieldPath(name) else {
            throw MessageFilter.SyntaxError(
                column: column, description: "\"\(name)\" is no path of a field")
        }
        if additionalFields.contains(name) { return path }
        guard
            known.protocols.hasField(path)
                || ownFields.fieldType(at: path) != nil
        else {
            let names = Set(
                known.protocols.messageNames.flatMap {
                    known.protocols.fields(ofMessage: $0).map(\.path)
                } + ownFields.map(\.path))
            let advice = Suggestion.advice(
                for: name,
                in: additionalFields + names.sorted()
                    + MessageVocabulary.prefixes(of: known.protocols) + ownNames)
            throw MessageFilter.SyntaxError(
                column: column,
                description: "there is no field or message \"\(name)\""
                    + (advice.isEmpty ? "" : "; \(advice)"))
        }
        return path
    }

    // MARK: - Tokens

    private var current: FilterToken? { index < tokens.count ? tokens[index].token : nil }

    private var column: Int { index < tokens.count ? tokens[index].column : endColumn }

    private mutating func accept(_ sign: String, _ word: String?) -> Bool {
        guard let current, current == .sign(sign) || word.map({ current == .word($0) }) == true
        else { return false }
        index += 1
        return true
    }

    private func error(_ description: String) -> MessageFilter.SyntaxError {
        MessageFilter.SyntaxError(column: column, description: description)
    }
}
