import Wire

/// A reference of messages: their fields, and the structures and enumerations that these use.
///
/// Each structure and enumeration is listed once.
public struct FieldReference: Sendable {
    /// One field of a message, or one member of a structure.
    public struct Field: Sendable {
        /// Its path from the message; for a member its name.
        public let path: String
        /// The permitted values, in words.
        public let type: String
        /// Whether the specification requires it.
        public let isMandatory: Bool
        /// The version that introduced it, if it is newer than the message or structure that
        /// contains it.
        public let since: String?

        init(_ field: FieldDescription, path: String? = nil) {
            self.path = path ?? field.path
            type = field.type.reference
            isMandatory = field.isMandatory
            since = field.since
        }

        /// Further remarks: `mandatory, since 4.5`.
        public var remarks: String {
            [isMandatory ? "mandatory" : nil, since.map { "since \($0)" }]
                .compactMap(\.self).joined(separator: ", ")
        }
    }

    /// One message.
    public struct Message: Sendable {
        /// Its description.
        public let description: MessageDescription
        /// Its fields in addition to those of its protocol.
        public let own: [Field]
    }

    /// The messages, in the order of their names.
    public private(set) var messages: [Message] = []
    /// The fields that every message of a protocol has, by the protocol's name.
    public private(set) var common: [String: [Field]] = [:]
    /// The members of the structures in their fields, by name.
    public private(set) var structures: [String: [Field]] = [:]
    /// The words of the enumerations in their fields, by name.
    public private(set) var enumerations: [String: [String]] = [:]

    /// Creates the reference of messages by their full names.
    public init(messages names: [String], of protocols: ProtocolRegistry) {
        for name in names.sorted() {
            guard let message = protocols.message(named: name) else { continue }
            message.fields.forEach { collect($0.type) }
            messages.append(
                Message(description: message, own: message.fields.map { Field($0) }))
        }
        for family in protocols.descriptions where !family.fields.isEmpty {
            guard messages.contains(where: { $0.description.name.hasPrefix(family.name + ".") })
            else { continue }
            family.fields.forEach { collect($0.type) }
            common[family.name] = family.fields.map { Field($0) }
        }
    }

    /// Returns the messages that a name, its start, or a pattern such as `sdl.*Button.request`
    /// denotes.
    ///
    /// - Throws: `InvalidInput` with suggestions if there is no such message.
    public static func names(
        _ pattern: String, of protocols: ProtocolRegistry
    ) throws(InvalidInput) -> [String] {
        let names = protocols.messageNames
        let matching = names.filter(CasePattern(pattern).matches)
        if !matching.isEmpty { return matching }
        let below = names.filter { $0.hasPrefix(pattern + ".") }
        if !below.isEmpty { return below }
        throw InvalidInput([
            Diagnostic(
                "unknown-message", "there is no message \"\(pattern)\"", at: nil,
                advice: MessageVocabulary.advice(forUnknown: pattern, among: names))
        ])
    }

    private mutating func collect(_ type: FieldType) {
        switch type {
        case .array(let element, _): collect(element)
        case .enumeration(let name, let values, _): enumerations[name] = values
        case .structure(let name, let fields) where structures[name] == nil:
            structures[name] = fields.map { Field($0) }
            fields.forEach { collect($0.type) }
        default: break
        }
    }
}

extension FieldType {
    /// The values of a field of this type in words, with their limits.
    var reference: String {
        switch self {
        case .boolean: return "Boolean"
        case .integer(let range):
            guard let range else { return "integer" }
            switch (range.lowerBound, range.upperBound) {
            case (.min, let most): return "integer up to \(most)"
            case (let least, .max): return "integer from \(least)"
            case (let least, let most): return "integer \(least) to \(most)"
            }
        case .number: return "number"
        case .string(let maxLength):
            return maxLength.map { "text of at most \($0) characters" } ?? "text"
        case .bytes: return "bytes"
        case .duration: return "duration"
        case .enumeration(let name, _, _), .structure(let name, _): return name
        case .array(let element, let count):
            guard let count else { return "list of \(element.reference)" }
            let number =
                count.upperBound == .max
                ? "at least \(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            return "list of \(number) \(element.reference)"
        case .any: return "any value"
        }
    }
}
