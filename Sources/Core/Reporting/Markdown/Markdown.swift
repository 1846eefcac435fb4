/// Text, escaped for Markdown, also inside a table.
enum Markdown {
    /// How many characters of one sentence are shown where space is limited.
    private static let sentenceMax = 400

    /// Returns plain text on one line, without markup and without mentions of users.
    static func text(_ text: String) -> String {
        var escaped = ""
        for character in PlainText.line(text) {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "@": escaped += "&#64;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// Returns a code span on one line; the text may contain any backticks.
    static func code(_ text: String) -> String {
        let line = PlainText.line(text)
        var longest = 0
        var current = 0
        for character in line {
            current = character == "`" ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let blank = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + blank + line + blank + fence
    }

    /// Returns a link to an address of the CI engine; only the label if the address contains
    /// characters that could end the link.
    static func link(_ label: String, to address: String) -> String {
        let isPlain = address.unicodeScalars.allSatisfy {
            (0x21...0x7E).contains($0.value) && !"()<>[]\"'`\\".unicodeScalars.contains($0)
        }
        return isPlain ? "[\(label)](\(address))" : label
    }

    /// Returns the start of a long text, followed by ` ...`.
    static func shortened(_ text: String) -> String {
        text.count > sentenceMax ? String(text.prefix(sentenceMax)) + " ..." : text
    }
}
