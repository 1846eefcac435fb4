import Wire

/// The forms of texts in files, as regular expressions that every validator supports.
enum TextForm {
    private static let bareDuration = #"[0-9]{1,12}(\.[0-9]{1,9})?(us|ms|s|m|h)"#
    private static let barePercentage = #"[0-9][0-9.]*%"#
    private static let barePlainName = "[A-Za-z0-9_.-]*[A-Za-z0-9_-][A-Za-z0-9_.-]*"
    private static let barePeerName = "[A-Za-z0-9_-]+"
    /// The name of a peer, or a variable in its place.
    private static let partyName = #"([A-Za-z0-9_-]+|\$\{[^}]+\})"#
    private static let bareVariableName = "[A-Za-z_][A-Za-z0-9_-]*"

    static let duration = "^\(bareDuration)$"
    static let tolerance = "^ *(\(bareDuration)( +\(barePercentage))?|\(barePercentage)) *$"
    static let hexDigits = "^[ :]*([0-9A-Fa-f][ :]*[0-9A-Fa-f][ :]*)*$"
    static let template = #"\$\{"#
    static let variable = #"^\$\{.+\}$"#
    static let plainName = "^\(barePlainName)$"
    static let variableName = "^\(bareVariableName)$"
    static let peerName = "^\(barePeerName)$"

    /// A control that only a device profile defines.
    static let otherControl = control(but: DeviceAction.all)
    /// A control, or an action of every device, that needs no argument.
    static let bareControl = control(
        but: DeviceAction.all.filter { $0.argument != nil && !$0.isArgumentOptional })

    private static func control(but actions: [PeerAction]) -> String {
        "^device\\.(?!(\(actions.map(\.name).joined(separator: "|")))$)\(barePlainName)$"
    }

    /// Returns the pattern of that action of the device.
    static func deviceAction(_ name: String) -> String { "^device\\.\(name)$" }

    /// Returns the pattern of a message that no protocol of the program declares.
    ///
    /// It is a control, a message of a log or of another dissector, or a message of a protocol that
    /// a suite describes.
    static func freeMessage(beside protocols: ProtocolRegistry) -> String {
        "^((device|log|tshark)\\.\(barePlainName)|\(ownStart(beside: protocols))\(barePlainName))$"
    }
    /// Returns the same pattern extended by patterns for all messages of logs and of described
    /// protocols.
    static func freePattern(beside protocols: ProtocolRegistry) -> String {
        "^((device|log|tshark)\\.\(barePlainName)|(log|tshark)\\.\\*|"
            + "\(ownStart(beside: protocols))(\(barePlainName)(\\.\\*)?|\\*))$"
    }
    /// Returns the pattern of a message of a protocol that a suite describes.
    static func ownMessage(beside protocols: ProtocolRegistry) -> String {
        "^\(ownStart(beside: protocols))\(barePlainName)$"
    }
    /// Returns the start of such message names; it is not the name of a known protocol.
    private static func ownStart(beside protocols: ProtocolRegistry) -> String {
        let taken = NamedProtocolReader.takenNames(protocols).sorted().joined(separator: "|")
        return "(?!(\(taken))\\.)[a-z][a-z0-9_-]*\\."
    }

    /// Returns the pattern of a control of a further device, except these actions.
    ///
    /// A schema cannot know the name of the device.
    static func furtherControl(except names: [String]) -> String {
        "^(?!device\\.)\(partyName)\\.(?!(\(names.joined(separator: "|")))$)\(barePlainName)$"
    }

    /// Returns the pattern of these actions of any peer.
    static func action(_ names: [String]) -> String {
        "^(?!device\\.)\(partyName)\\.(\(names.joined(separator: "|")))$"
    }
}

extension ValueForm.NameForm {
    /// The pattern of a name of this form where the name is a value.
    var pattern: String {
        switch self {
        case .plain: TextForm.plainName
        case .variable: TextForm.variableName
        case .peer: "^(?!device$)" + TextForm.peerName.dropFirst()
        case .party: TextForm.peerName
        case .field, .any: "."
        }
    }
}

extension ValueForm {
    /// Whether every text is a value of this form, so that a text with variables is one too.
    var takesAnyText: Bool {
        switch self {
        case .text, .texts, .value, .condition, .version, .bytesOfText, .bytesSent: true
        default: false
        }
    }

    /// Whether a value of this form may be text, not counting variables.
    var mayBeText: Bool {
        switch self {
        case .version, .boolean, .number, .integer, .null, .mapping, .named, .list, .peer, .step:
            false
        case .any(let forms): forms.contains(where: \.mayBeText)
        default: true
        }
    }

    /// Whether a value of this form may be something other than text.
    var mayBeOtherThanText: Bool {
        switch self {
        case .text, .name, .word, .matching, .duration, .tolerance, .hexDigits, .message: false
        case .any(let forms): forms.contains(where: \.mayBeOtherThanText)
        default: true
        }
    }

    /// Whether a value of this form may be a scalar.
    var isScalar: Bool {
        switch self {
        case .mapping, .named, .list, .peer, .step: false
        case .any(let forms): forms.contains(where: \.isScalar)
        default: true
        }
    }
}

extension Value {
    static func type(_ name: String) -> Value { .object([Member("type", .string(name))]) }

    static func constant(_ value: Value) -> Value { .object([Member("const", value)]) }

    static func choice(of words: [String]) -> Value {
        .object([Member("enum", .array(words.map(Value.string)))])
    }

    /// Returns the schema of one of these words, or of a text of that form.
    ///
    /// The error for a wrong value names only the words.
    static func choice(of words: [String], orLike pattern: String) -> Value {
        .object([Member("if", .text(like: pattern)), Member("else", choice(of: words))])
    }

    static func text(like pattern: some StringProtocol, as examples: [String] = []) -> Value {
        let examples = Member("examples", .array(examples.map(Value.string)))
        return .object(
            [Member("type", "string"), Member("pattern", .string(String(pattern)))]
                + (examples.value == .array([]) ? [] : [examples]))
    }

    /// Returns a schema with separate alternatives for texts and for other values.
    ///
    /// The error for a wrong value then names only alternatives of its kind.
    static func byType(texts: [Value], others: [Value]) -> Value {
        guard !texts.isEmpty, !others.isEmpty, texts != others else {
            return .anyOf(texts.isEmpty ? others : texts)
        }
        return .object([
            Member("if", .type("string")), Member("then", .anyOf(texts)),
            Member("else", .anyOf(others)),
        ])
    }

    /// Returns a schema that applies to objects with the key.
    static func with(_ key: String, _ schema: Value) -> Value {
        .object([
            Member(
                "if",
                .object([Member("type", "object"), Member("required", .array([.string(key)]))])),
            Member("then", schema),
        ])
    }

    static func integer(in range: ClosedRange<Int64>) -> Value {
        .object([
            Member("type", "integer"), Member("minimum", .integer(range.lowerBound)),
            Member("maximum", .integer(range.upperBound)),
        ])
    }

    static func list(of element: Value, atLeast: Int = 0, atMost: Int? = nil) -> Value {
        .object(
            [Member("type", "array"), Member("items", element)]
                + (atLeast > 0 ? [Member("minItems", .integer(Int64(atLeast)))] : [])
                + (atMost.map { [Member("maxItems", .integer(Int64($0)))] } ?? []))
    }

    /// Returns the schema of alternatives; nested alternatives are flattened.
    static func anyOf(_ schemas: [Value]) -> Value {
        let flat = schemas.flatMap { schema -> [Value] in
            guard case .object(let members) = schema, members.count == 1,
                members[0].name == "anyOf", case .array(let inner) = members[0].value
            else { return [schema] }
            return inner
        }
        return flat.count == 1 ? flat[0] : .object([Member("anyOf", .array(flat))])
    }

    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}
