/// Elements of drawings; colours and strokes are set by classes of the style sheet.
enum SVG {
    /// Returns a line.
    static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
    ) -> String {
        "<line class=\"\(style)\" x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\"/>"
    }

    /// Returns a rectangle; its title contains its meaning.
    static func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String,
        title: String? = nil
    ) -> String {
        let frame =
            "<rect class=\"\(style)\" x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(max(0, width)))\""
            + " height=\"\(n(max(0, height)))\" rx=\"3\""
        guard let title else { return frame + "/>" }
        return frame + "><title>\(HTMLText.plain(title))</title></rect>"
    }

    /// Returns a disc; its title contains its meaning.
    static func disc(
        _ x: Double, _ y: Double, _ radius: Double, _ style: String, title: String
    ) -> String {
        "<circle class=\"\(style)\" cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\">"
            + "<title>\(HTMLText.plain(title))</title></circle>"
    }

    /// Returns a text of at most `limit` characters; its glyphs are narrower if it does not fit into
    /// `room`.
    static func text(
        _ x: Double, _ y: Double, _ text: String, _ style: String, anchor: String = "middle",
        limit: Int = 200, room: Double? = nil
    ) -> String {
        let shown = HTMLText.cut(text, to: limit)
        let isTight = room.map { Double(Columns.width(of: shown)) * glyphWidth > $0 } ?? false
        let fitted =
            isTight ? " textLength=\"\(n(room ?? 0))\" lengthAdjust=\"spacingAndGlyphs\"" : ""
        return "<text class=\"\(style)\" x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\""
            + "\(fitted)>\(HTMLText.plain(shown))</text>"
    }

    /// The width of a character of a name.
    static let glyphWidth = 7.3
    /// The distance of the lines of a text.
    static let lineHeight = 13.0

    /// Returns the lines of a text, the first one at `y`.
    static func text(_ x: Double, _ y: Double, lines: [String], _ style: String) -> [String] {
        lines.enumerated().map { text(x, y + Double($0.offset) * lineHeight, $0.element, style) }
    }

    /// Returns a horizontal arrow with its head at `x2`.
    static func arrow(_ x1: Double, _ x2: Double, _ y: Double, _ style: String) -> String {
        let back: Double = x2 > x1 ? -9 : 9
        return line(x1, y, x2 + back / 2, y, style)
            + "<path class=\"head \(style)\" d=\"M\(n(x2)) \(n(y))l\(n(back)) -4.5v9z\"/>"
    }

    /// Returns ticks at steps of 1, 2 or 5 times a power of ten that divide a length into at most
    /// `count` parts.
    static func ticks(to length: Double, count: Int) -> [Double] {
        guard length > 0, length.isFinite else { return [0] }
        var step = 1e-9
        for factor in sequence(
            first: (1e-9, 0), next: { ($0.0 * [2, 2.5, 2][$0.1 % 3], $0.1 + 1) })
        {
            step = factor.0
            if length / step <= Double(count) || factor.1 > 60 { break }
        }
        return (0...count).map { Double($0) * step }.filter { $0 <= length * 1.0001 }
    }

    /// Returns the label of a tick, with as many decimals as its step needs.
    static func tick(_ seconds: Double, step: Double) -> String {
        let digits = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : step >= 0.001 ? 3 : 6
        return NumberText.fixed(seconds, digits: digits) + " s"
    }

    private static func n(_ number: Double) -> String { NumberText.coordinate(number) }
}
