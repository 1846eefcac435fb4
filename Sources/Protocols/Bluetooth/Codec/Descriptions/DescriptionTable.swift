import Wire

/// A line of a table of messages.
///
/// It has the name of a message, its section, its fields, after `>` the messages that answer and
/// refuse it, and after the last `|` what it is. A field is a name with `!` if it is mandatory, or
/// `*` if it is an array, and after a colon its type; without a type it is a number of 16 bits. A
/// dot before the name says that it is not below the name of the protocol. An array of structures
/// is `name[ structure | fields ]`.
private struct DescriptionLine {
    let name: String
    private let section: String
    private var words: ArraySlice<Substring>
    private let text: Substring

    init(_ text: Substring) {
        self.text = text
        let end = text.utf8.lastIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        words = text[..<end].words[...]
        name = words.popFirst().map(String.init) ?? ""
        section = (words.popFirst() ?? "").split(separator: "_").joined(separator: " ")
    }

    var summary: String {
        let bar = text.utf8.lastIndex(of: UInt8(ascii: "|")) ?? text.startIndex
        return text[bar...].words.dropFirst().joined(separator: " ")
    }

    /// The names of the messages that answer and refuse it.
    var answers: [String] {
        words.firstIndex(of: ">").map { words[($0 + 1)...].map(String.init) } ?? []
    }

    func specification(in document: String) -> String {
        document.isEmpty ? section : "\(document) \(section)"
    }

    func fields(under prefix: String) -> [FieldDescription] {
        var line = self
        return line.readFields(prefix)
    }

    /// Reads fields up to a closing bracket, the answers or the end.
    private mutating func readFields(_ prefix: String) -> [FieldDescription] {
        var fields: [FieldDescription] = []
        while let word = words.popFirst(), word != "]", word != ">" {
            guard word.hasSuffix("["), let name = words.popFirst() else {
                fields.append(FieldDescription(word, under: prefix))
                continue
            }
            words.removeFirst()
            let type = FieldType.structure(name: String(name), fields: readFields(""))
            fields.append(
                FieldDescription(prefix + word.dropLast(), .array(of: type, count: nil)))
        }
        return fields
    }
}

extension ProtocolDescription {
    /// Creates a description from a table of messages; see `DescriptionLine`.
    ///
    /// - Parameters:
    ///   - specification: The document whose sections the table names.
    ///   - fields: The fields that every message has.
    init(
        _ name: String, firstCode: Int32, title: String, isTransport: Bool = false,
        specification: String, fields: String = "", table: String
    ) {
        self.init(
            name: name, firstCode: firstCode, title: title, isTransport: isTransport,
            messages: table.lines.map { text in
                let line = DescriptionLine(text)
                let answers = line.answers.map { "\(name).\($0)" }
                return MessageDescription(
                    name: "\(name).\(line.name)", summary: line.summary,
                    specification: line.specification(in: specification),
                    fields: line.fields(under: "\(name)."), response: answers.first,
                    refusal: answers.dropFirst().first)
            },
            fields: fields[...].words.map { FieldDescription($0, under: "\(name).") })
    }
}

extension FieldDescription {
    fileprivate init(_ word: Substring, under prefix: String) {
        let parts = word.split(separator: ":", maxSplits: 1)
        var name = parts[0]
        let mark = name.last
        if mark == "!" || mark == "*" { name = name.dropLast() }
        let type = FieldType(word: parts.dropFirst().first)
        self.init(
            name.first == "." ? String(name.dropFirst()) : prefix + name,
            mark == "*" ? .array(of: type, count: nil) : type, isMandatory: mark == "!")
    }
}

extension FieldType {
    /// Creates the type that a table names: `u8`, `text`, `0...63` or `name=word,word`.
    fileprivate init(word: Substring?) {
        switch word {
        case nil: self = .integer(0...0xFFFF)
        case "u8": self = .integer(0...0xFF)
        case "integer": self = .integer(nil)
        case "text": self = .string(maxLength: nil)
        case "bytes": self = .bytes
        case "flag": self = .boolean
        case let word?:
            let range = word.split(separator: "...").compactMap { Int64($0) }
            let parts = word.split(separator: "=")
            self =
                range.count == 2
                ? .integer(range[0]...range[1])
                : .enumeration(
                    name: String(parts[0]),
                    values: parts.dropFirst().joined().split(separator: ",").map(String.init))
        }
    }
}

extension String {
    /// The lines of a table.
    var lines: [Substring] { utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) } }
}

extension Substring {
    /// The parts between blanks.
    var words: [Substring] { utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) } }
}
