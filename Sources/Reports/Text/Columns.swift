/// Text in columns of a fixed-pitch display.
enum Columns {
    /// How many cells `text` takes; wide East Asian characters and emoji take two.
    static func width(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
    }

    /// `text` with blanks after it up to `width` cells.
    static func padded(_ text: String, to width: Int) -> String {
        text + blanks(width - self.width(of: text))
    }

    /// That many blanks; none for a negative number.
    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// `text` in pieces of at most `width` cells; at least one.
    ///
    /// It is cut at a blank where there is one in the second half of a piece.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        guard self.width(of: text) > width else { return [text] }
        var pieces: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            var cells = 0
            var end = rest.startIndex
            var blank: String.Index?
            while end < rest.endIndex, cells + self.width(of: rest[end]) <= max(2, width) {
                cells += self.width(of: rest[end])
                if rest[end] == " ", cells > width / 2 { blank = end }
                end = rest.index(after: end)
            }
            if end < rest.endIndex, let blank {
                pieces.append(String(rest[..<blank]))
                rest = rest[rest.index(after: blank)...]
            } else {
                pieces.append(String(rest[..<end]))
                rest = rest[end...]
            }
        }
        return pieces
    }

    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3: 2
        case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: 2
        case 0x20000...0x3FFFD: 2
        default: 1
        }
    }
}
