import Kaitai

/// The rule for names of messages of a described protocol: text with expressions in braces.
struct MessageNaming: Sendable {
    /// A part of a name.
    enum Part: Sendable {
        case text(String)
        /// An expression, with every text that it can produce.
        case expression(KaitaiExpression, texts: [String])
    }

    let parts: [Part]
    /// All possible names, each with the texts that its expressions produce.
    let names: [(name: String, texts: [String])]
    /// Whether a message may have a number where the name needs an enumerator.
    let mayBeOther: Bool

    /// The name of a message that has a number where the name needs an enumerator.
    static let other = "other"
    /// The name of messages without a naming rule.
    static let plain = "message"
    /// The name of bytes that are not a message.
    static let malformed = "malformed"

    /// The maximum number of names; more would not help anybody.
    static let namesMax = 4_096

    /// Creates a rule from its parts; `nil` if there are too many names.
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

    /// Returns the name of a message that has been read.
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

    /// Returns the fields that give a message this name, as far as they are easy to derive.
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
    /// Returns a value in the form in which it appears in the name of a message.
    fileprivate func name(of value: KaitaiValue) -> String? {
        switch value {
        case .enumerator(let number, let id): name(of: number, in: id)
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }
}
