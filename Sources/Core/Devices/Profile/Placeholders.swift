import SuiteLanguage

/// A text with placeholders `${name}`; `$${` means `${` itself.
struct PlaceholderText {
    /// A piece of the text.
    enum Part: Hashable {
        case literal(String)
        case placeholder(String)
    }

    /// The pieces, in order.
    private(set) var parts: [Part] = []

    /// Parses a text; `nil` if a `${` has no `}`.
    init?(_ text: String) {
        var rest = text[...]
        var literal = ""
        while let dollar = rest.firstIndex(of: "$") {
            literal += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else { return nil }
                parts.append(.literal(literal))
                parts.append(.placeholder(String(rest[..<end].dropFirst(2))))
                literal = ""
                rest = rest[rest.index(after: end)...]
            } else {
                literal += "$"
                rest = rest.dropFirst()
            }
        }
        parts.append(.literal(literal + rest))
    }

    /// The names of its placeholders, in order.
    var names: [String] {
        parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }
}

/// The values of a profile's placeholders in one case.
struct Placeholders {
    /// Names that every case has, in addition to `<peer>.host` and `<peer>.port`.
    static let common = [
        "host", "port", "config", "configuration", "home", "keyLog", "ca", "identity",
    ]

    /// Values by name.
    var values: [String: String]

    /// Returns the text with every placeholder filled in.
    func fill(_ text: String, in place: String) throws(DeviceError) -> String {
        guard let template = PlaceholderText(text) else {
            throw DeviceError(
                .unknownPlaceholder, "\"${\" without \"}\" in \(place)",
                advice: "write $${ for the characters themselves")
        }
        var filled = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): filled += literal
            case .placeholder(let name):
                guard let value = values[name] else {
                    throw DeviceError(
                        .unknownPlaceholder,
                        "\(place) has ${\(name)}, which this case does not have",
                        advice: Suggestion.advice(for: name, in: values.keys.sorted()))
                }
                filled += value
            }
        }
        return filled
    }

    /// Returns the texts with every placeholder filled in.
    func fill(_ texts: [String], in place: String) throws(DeviceError) -> [String] {
        var filled: [String] = []
        for text in texts { filled.append(try fill(text, in: place)) }
        return filled
    }
}
