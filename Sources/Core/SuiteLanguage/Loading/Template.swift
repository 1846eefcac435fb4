import Wire

/// Text with `${expression}` in it, split into parts.
struct Template {
    /// The parts in order; texts are never empty and never adjacent.
    private(set) var parts: [ValueExpression.TemplatePart] = []

    /// Why a text is not a template.
    struct SyntaxError: Error {
        let what: String
    }

    /// Splits a text into parts: `${...}` is an expression, `$${` is `${` itself.
    init(_ text: String) throws(SyntaxError) {
        var rest = text[...]
        var literal = ""
        while let dollar = rest.firstIndex(of: "$") {
            literal += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                append(literal)
                literal = ""
                rest = rest.dropFirst(2)
                parts.append(.expression(try ExpressionParser.parse(&rest)))
            } else {
                literal += "$"
                rest = rest.dropFirst()
            }
        }
        append(literal + rest)
    }

    private mutating func append(_ text: String) {
        if !text.isEmpty { parts.append(.text(text)) }
    }
}

/// Names of variables, as in `${}`.
enum VariableName {
    /// Whether a name is a letter or `_`, followed by letters, digits, `_` and `-`, all of them
    /// ASCII.
    static func isValid(_ name: some StringProtocol) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        return (first.isASCIILetter || first == "_")
            && name.unicodeScalars.allSatisfy(mayContain)
    }

    /// Whether a name may contain that character after the first.
    static func mayContain(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy(mayContain)
    }

    private static func mayContain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCIILetter || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
    }
}

/// Names of suites, cases, steps, peers and requirements.
enum PlainName {
    static let advice = "use letters, digits, \"-\", \"_\" and \".\", not dots alone"

    /// Whether a name is one or more ASCII letters, digits, `-`, `_` and `.`; not dots alone, which
    /// name folders.
    static func isValid(_ name: String) -> Bool {
        !name.allSatisfy { $0 == "." }
            && name.unicodeScalars.allSatisfy {
                $0.isASCIILetter || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == "."
            }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self)
    }
}

extension Findings {
    /// Whether the key of an entry can be the name of something; reports it otherwise.
    func checkName(_ entry: YAMLNode.Entry, of what: String) -> Bool {
        if VariableName.isValid(entry.key) { return true }
        report(
            "bad-name", "\"\(entry.key)\" cannot be the name of \(what)", at: entry.keyPosition,
            advice: "use letters, digits, \"-\" and \"_\", and a letter first")
        return false
    }
}
