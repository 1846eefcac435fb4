import Kaitai

/// How messages of a described protocol are named: text with expressions in braces.
struct MessageNaming: Sendable {
    /// A piece of a name.
    enum Part: Sendable {
        case text(String)
        /// What an expression gives, and every text that it may give.
        case expression(KaitaiExpression, texts: [String])
    }

    let parts: [Part]
    /// Every name, each with what its expressions give.
    let names: [(name: String, texts: [String])]
    /// Whether a message may have a number where a name is needed.
    let mayBeOther: Bool

    /// The name of a message that has a number where a name is needed.
    static let other = "other"
    /// The name of messages that have no rule.
    static let plain = "message"
    /// The name of bytes that are no message.
    static let malformed = "malformed"

    /// More names than that help nobody.
    static let namesMax = 4_096

    /// Takes the pieces; `nil` if there are too many names.
    init?(_ parts: [Part], of description: KaitaiDescription) {
        self.parts = parts
        var names: [(name: String, texts: [String])] = [("", [])]
        for part in parts {
            switch part {
            case .text(let text): names = names.map { ($0.name + text, $0.texts) }
            case .expression(_, let texts):
                guard names.count * texts.count <= Self.namesMax else { return nil }
                names = names.flatMap { known in
                    texts.map { (known.name + $0, known.texts + [$0]) }
                }
            }
        }
        self.names = names
        mayBeOther = parts.contains { part in
            if case .expression(let expression, _) = part {
                return description.isEnumeration(expression)
            }
            return false
        }
    }

    /// The name of a message that has been read.
    func name(of reading: inout KaitaiReading) -> String {
        var name = ""
        for part in parts {
            switch part {
            case .text(let text): name += text
            case .expression(let expression, let texts):
                guard let value = try? reading.evaluate(expression),
                    let text = reading.description.name(of: value), texts.contains(text)
                else { return Self.other }
                name += text
            }
        }
        return name
    }

    /// The fields that make a message one of that name, as far as that is simple.
    func fields(
        of name: String, in description: KaitaiDescription
    ) -> [(path: [String], value: KaitaiValue)] {
        guard let texts = names.first(where: { $0.name == name })?.texts else { return [] }
        let expressions = parts.compactMap { part in
            if case .expression(let expression, _) = part { expression } else { nil }
        }
        return zip(expressions, texts).compactMap { expression, text in
            description.fields(giving: text, by: expression)
        }
    }
}

extension KaitaiDescription {
    /// How a value is written in the name of a message.
    fileprivate func name(of value: KaitaiValue) -> String? {
        switch value {
        case .enumerator(let number, let id): name(of: number, in: id)
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }
}
