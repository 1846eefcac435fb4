/// A writer of XML 1.0 in UTF-8 that writes only legal characters for any text.
///
/// Elements without children are closed at once. Text is written without added white space, so
/// that the first line of an element's text stays its first line.
struct XMLWriter {
    /// One attribute of an element.
    typealias Attribute = (name: String, value: String)

    /// The text so far.
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    /// Writes an element around what `content` writes, each child on its own line.
    mutating func element(
        _ name: String, _ attributes: [Attribute], _ content: (inout XMLWriter) -> Void
    ) {
        start(name, attributes)
        text += ">\n"
        open.append(name)
        content(&self)
        open.removeLast()
        indent()
        text += "</\(name)>\n"
    }

    /// Writes an element without content.
    mutating func element(_ name: String, _ attributes: [Attribute]) {
        start(name, attributes)
        text += "/>\n"
    }

    /// Writes an element that contains only `content`.
    mutating func element(_ name: String, _ attributes: [Attribute], text content: String) {
        start(name, attributes)
        text += ">"
        append(content, inAttribute: false)
        text += "</\(name)>\n"
    }

    private mutating func start(_ name: String, _ attributes: [Attribute]) {
        indent()
        text += "<\(name)"
        for attribute in attributes {
            text += " \(attribute.name)=\""
            append(attribute.value, inAttribute: true)
            text += "\""
        }
    }

    private mutating func indent() {
        for _ in open { text += "  " }
    }

    private mutating func append(_ content: String, inAttribute: Bool) {
        var rest = content[...]
        while let place = rest.utf8.firstIndex(where: Self.needsCare) {
            text += rest[..<place]
            append(rest.unicodeScalars[place], inAttribute: inAttribute)
            rest = rest[rest.unicodeScalars.index(after: place)...]
        }
        text += rest
    }

    private mutating func append(_ scalar: Unicode.Scalar, inAttribute: Bool) {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"" where inAttribute: text += "&quot;"
        case "\t" where inAttribute, "\n" where inAttribute, "\r": text += "&#\(scalar.value);"
        default:
            if Self.isLegal(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += PlainText.line(String(scalar))
            }
        }
    }

    /// Returns whether a byte may begin a character that must be escaped.
    private static func needsCare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
        case 0..<0x20, 0xEF: true
        default: false
        }
    }

    /// Returns whether a character is legal by XML 1.0, production 2 (`Char`).
    private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
