/// Splits a command as a person writes it: at blanks, except within quotes and after `\`.
enum CommandWords {
    /// Splits a command into words; nothing is expanded.
    ///
    /// - Throws: `UsageError` if a quote is not closed.
    static func split(_ text: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            if character == "\\", quote != "'" {
                word = (word ?? "") + (characters.next().map(String.init) ?? "")
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote {
            throw UsageError("the quote \(quote) in \"\(text)\" is not closed")
        }
        return words + (word.map { [$0] } ?? [])
    }
}
