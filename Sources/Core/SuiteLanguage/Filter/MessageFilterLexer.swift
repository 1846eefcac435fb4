/// A token of a filter's text.
enum FilterToken: Equatable {
    /// A name, number or address: anything without blanks and operators.
    case word(String)
    case text(String)
    case sign(String)
}

/// Splits the text of a filter into tokens.
struct MessageFilterLexer {
    private var rest: Substring
    private var column = 1

    private static let signs = [
        "==", "!=", ">=", "<=", "&&", "||", "!", ">", "<", "(", ")", "{", "}", ",", "~",
    ]

    init(_ text: String) {
        rest = text[...]
    }

    /// Returns all tokens, each with the column of its first character.
    mutating func tokens() throws(MessageFilter.SyntaxError) -> [(token: FilterToken, column: Int)]
    {
        var tokens: [(FilterToken, Int)] = []
        while let first = rest.first {
            if first == " " || first == "\t" || first == "\n" {
                advance(1)
                continue
            }
            let start = column
            if first == "\"" || first == "'" {
                tokens.append((.text(try quoted(first)), start))
            } else if let sign = Self.signs.first(where: { rest.hasPrefix($0) }) {
                advance(sign.count)
                tokens.append((.sign(sign), start))
            } else {
                tokens.append((.word(try word()), start))
            }
        }
        return tokens
    }

    private mutating func advance(_ count: Int) {
        rest = rest.dropFirst(count)
        column += count
    }

    private mutating func quoted(_ quote: Character) throws(MessageFilter.SyntaxError) -> String {
        let start = column
        advance(1)
        var text = ""
        while let next = rest.first {
            advance(1)
            if next == quote { return text }
            guard next == "\\" else {
                text.append(next)
                continue
            }
            // A backslash escapes only quotes and backslashes, so that regular expressions stay
            // readable.
            if let escaped = rest.first, escaped == quote || escaped == "\\" {
                advance(1)
                text.append(escaped)
            } else {
                text.append(next)
            }
        }
        throw MessageFilter.SyntaxError(
            column: start, description: "the text has no closing \(quote)")
    }

    private mutating func word() throws(MessageFilter.SyntaxError) -> String {
        let word = rest.prefix { character in
            character.isLetter || character.isNumber || "._-:[]*".contains(character)
        }
        guard !word.isEmpty else {
            throw MessageFilter.SyntaxError(
                column: column,
                description: "\"\(rest.prefix(1))\" has no meaning here; put texts in quotes")
        }
        advance(word.count)
        return String(word)
    }
}
