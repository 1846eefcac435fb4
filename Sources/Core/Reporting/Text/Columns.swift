/// Text in columns of a monospaced display.
package enum Columns {
    /// Returns the width of `text` in cells; wide East Asian characters and emoji take two.
    package static func width(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns `text` padded with blanks to `width` cells.
    package static func padded(_ text: String, to width: Int) -> String {
        text + blanks(width - self.width(of: text))
    }

    /// Returns `text` if it is no wider than `width`, otherwise its start followed by `...`.
    package static func cut(_ text: String, to width: Int) -> String {
        guard self.width(of: text) > width else { return text }
        let dots = String(repeating: ".", count: min(3, width))
        var cells = dots.count
        let start = text.prefix { character in
            cells += self.width(of: character)
            return cells <= width
        }
        return start + dots
    }

    /// Returns `text` if it is no wider than `width`, otherwise its start, `...` and its end.
    package static func shortened(_ text: String, to width: Int) -> String {
        guard self.width(of: text) > width, width > 4 else { return cut(text, to: width) }
        let room = (width - 3) / 2
        let start = cut(text, to: width - room).dropLast(3)
        var cells = 0
        let end = text.reversed().prefix { character in
            cells += self.width(of: character)
            return cells <= room
        }
        return start + "..." + String(end.reversed())
    }

    /// Returns the given number of blanks; none for a negative number.
    package static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    /// Returns rows of cells as lines whose columns have equal width.
    ///
    /// The first column is aligned to the left, the others to the right.
    package static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { width(of: $0[column]) }.max() ?? 0
        }
        return rows.map { row in
            row.indices.map { column in
                let blanks = blanks(widths[column] - width(of: row[column]))
                return column == 0 ? row[column] + blanks : blanks + row[column]
            }.joined(separator: "  ")
        }
    }

    /// Returns `text` in pieces of at most `width` cells; at least one.
    ///
    /// The text is cut at a blank if the next word fits into a piece. A longer word is cut after a
    /// separator of a name or path, or, without one, where the piece is full.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        guard self.width(of: text) > width else { return [text] }
        let width = max(2, width)
        var pieces: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = cut(rest, to: width)
            pieces.append(String(rest[..<end]))
            rest = rest[end...]
            if rest.first == " " { rest = rest.dropFirst() }
        }
        return pieces
    }

    /// Returns the end of the first piece of `text`.
    private static func cut(_ text: Substring, to width: Int) -> Substring.Index {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return cut(text, to: width, cells: self.width) { character in
                character.asciiValue.map(kind) ?? (false, false)
            }
        }
        return cut(text.utf8, to: width, cells: { _ in 1 }, kind: kind)
    }

    private static func cut<Text: Collection>(
        _ text: Text, to width: Int, cells: (Text.Element) -> Int,
        kind: (Text.Element) -> (isBlank: Bool, isJoint: Bool)
    ) -> Text.Index {
        var taken = 0
        var end = text.startIndex
        var blank: Text.Index?
        var joint: Text.Index?
        while end < text.endIndex, taken + cells(text[end]) <= width {
            let next = text.index(after: end)
            taken += cells(text[end])
            let kind = kind(text[end])
            if kind.isBlank, end > text.startIndex { blank = end }
            if kind.isJoint, taken >= min(4, width / 3) { joint = next }
            end = next
        }
        guard end < text.endIndex, !kind(text[end]).isBlank else { return end }
        if let blank {
            let word = text[blank...].dropFirst().prefix { !kind($0).isBlank }
            let length = word.reduce(0) { $0 + cells($1) }
            guard let joint, joint > blank, length > width else { return blank }
        }
        return joint ?? end
    }

    /// Returns whether this is a blank, and whether a long word may be cut after it.
    private static func kind(_ byte: UInt8) -> (isBlank: Bool, isJoint: Bool) {
        switch byte {
        case UInt8(ascii: " "): (true, false)
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
            (false, true)
        default: (false, false)
        }
    }

    private static func width(of character: Character) -> Int {
        if character.utf8.count == 1 { return 1 }
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        // The variation selector requests that the character is shown as an emoji.
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3: 2
        case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: 2
        case 0x20000...0x3FFFD: 2
        case 0x300...0x36F, 0x200B...0x200D, 0x20D0...0x20FF: 0  // no width of their own
        default: 1
        }
    }
}
