/// A reader of HTML that is stricter than browsers.
///
/// Every element is closed, attributes are in quotes, and no identifier occurs twice.
struct HTMLCheck {
    private static let void: Set<String> = ["meta", "br", "input", "link", "img", "hr"]

    private(set) var faults: [String] = []
    private(set) var identifiers: Set<String> = []
    /// The unchanged values of `href` and `src`.
    private(set) var links: [String] = []
    /// All text between tags, in one piece.
    private(set) var text = ""
    private var open: [String] = []
    private let bytes: [UInt8]
    private var index = 0

    init(_ html: String) {
        bytes = Array(html.utf8)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                takeTag()
            } else {
                takeText()
            }
        }
        if !open.isEmpty { faults.append("never closed: \(open)") }
    }

    private mutating func takeText() {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        text += String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func takeTag() {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
            faults.append("a tag without an end")
            index = bytes.count
            return
        }
        let tag = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        index = end + 1
        if tag.hasPrefix("!") { return }
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.last == name {
                open.removeLast()
            } else {
                faults.append("</\(name)> closes \(open.last ?? "nothing")")
            }
            return
        }
        let name = String(tag.prefix { !$0.isWhitespace && $0 != "/" })
        takeAttributes(tag.dropFirst(name.count), of: name)
        if Self.void.contains(name) || tag.hasSuffix("/") { return }
        open.append(name)
        if name == "script" || name == "style" { skipRawText(of: name) }
    }

    private mutating func skipRawText(of name: String) {
        let closing = Array("</\(name)>".utf8)
        while index + closing.count <= bytes.count,
            !bytes[index...].starts(with: closing)
        { index += 1 }
    }

    private mutating func takeAttributes(_ text: Substring, of tag: String) {
        var rest = text.drop { $0.isWhitespace }
        while let first = rest.first, first != "/" {
            let name = String(rest.prefix { $0 != "=" && !$0.isWhitespace && $0 != "/" })
            rest = rest.dropFirst(name.count)
            if name.hasPrefix("on") || name == "style" { faults.append("\(tag) has \(name)") }
            if rest.first == "=" {
                guard rest.dropFirst().first == "\"",
                    let end = rest.dropFirst(2).firstIndex(of: "\"")
                else {
                    faults.append("\(tag): \(name) has no quotes")
                    return
                }
                let value = String(rest.dropFirst(2)[..<end])
                if name == "id", !identifiers.insert(value).inserted {
                    faults.append("the id \(value) stands twice")
                }
                if name == "href" || name == "src" { links.append(value) }
                rest = rest[rest.index(after: end)...]
            }
            rest = rest.drop { $0.isWhitespace }
        }
    }
}
