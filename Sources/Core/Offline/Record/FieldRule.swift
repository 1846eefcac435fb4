import SuiteLanguage
import TCPIP
import Wire

/// The demand of a recorded step on one field.
enum FieldRule: Hashable {
    /// This value, which is the same in every capture.
    case value(Value)
    /// The value that an earlier step saved under that name.
    case variable(String)
    /// Text that matches this pattern.
    case shape(String)
    /// Any value of that type.
    case type(String)

    /// The rule as a suite writes it.
    var suiteText: String {
        switch self {
        case .value(let value): ValueMatcher.equals(.literal(value)).suiteText
        case .variable(let name): "\"${\(name)}\""
        case .shape(let pattern): "{matches: \(Value.string(pattern).suiteText)}"
        case .type(let name): "{type: \(name == "null" ? "\"null\"" : name)}"
        }
    }
}

extension GoldenTrace.Event {
    /// Returns the fields that the sender chose.
    ///
    /// They are the RPC parameters if the message has them, otherwise all fields except those of
    /// the protocol's headers and those that distinguish answers.
    func content(_ known: KnownMessages) -> [FieldPath: Value] {
        let name = FieldPath.Component.name("params")
        if let params = fields["params"] {
            return Self.leaves(params, below: [name])
        }
        if message == UDPDatagram.name {
            let name = fields["text"] == nil ? "data" : "text"
            return fields[name].map { [FieldPath(components: [.name(name)]): $0] } ?? [:]
        }
        let headers = Set(
            known.commonFields(ofMessage: message).compactMap {
                FieldPath($0.path)?.components.first
            })
        let correlation = known.correlation(ofMessage: message)
        return Self.leaves(fields, below: []).filter { path, _ in
            path.components.first.map { !headers.contains($0) } ?? false
                && !correlation.contains(path)
        }
    }

    /// Returns the fields that distinguish answers.
    func identifiers(_ known: KnownMessages) -> [FieldPath: Value] {
        if known.family(of: message) != nil {
            let correlation = known.correlation(ofMessage: message)
            return Self.leaves(fields, below: []).filter { correlation.contains($0.key) }
        }
        return Self.leaves(fields, below: []).filter { path, _ in
            guard path.components.first != .name("params"),
                case .name(let name)? = path.components.last
            else { return false }
            return name.lowercased().contains("correlation")
        }
    }

    private static func leaves(
        _ value: Value, below path: [FieldPath.Component]
    ) -> [FieldPath: Value] {
        if case .array(let elements) = value, elements.count <= Generalisation.elementsMax,
            elements.allSatisfy({ $0.objectValue != nil }),
            value.suiteText.utf8.count > Generalisation.valueTextMax
        {
            return elements.enumerated().reduce(into: [:]) { all, element in
                all.merge(leaves(element.element, below: path + [.index(element.offset)])) {
                    own, _ in own
                }
            }
        }
        guard case .object(let members) = value, !members.isEmpty else {
            return path.isEmpty || value == .object([]) ? [:] : [FieldPath(components: path): value]
        }
        return members.reduce(into: [:]) { all, member in
            // An object is not usable if a path cannot hold one of its names.
            guard FieldPath(member.name)?.components == [.name(member.name)] else { return }
            all.merge(leaves(member.value, below: path + [.name(member.name)])) { own, _ in own }
        }
    }
}

/// Finds values that change from run to run even if nothing has changed.
enum Volatility {
    /// Parts of field names that indicate such a value.
    private static let names = [
        "hash", "correlation", "message_id", "messageid", "session", "token", "nonce", "uuid",
        "guid", "cookie", "timestamp", "random", "signature", "challenge",
    ]

    /// Whether a field's name or value indicates that it is new in each run.
    static func isVolatile(_ path: FieldPath, _ value: Value) -> Bool {
        if case .name(let name)? = path.components.last {
            let name = name.lowercased()
            let isEnumerated = value.stringValue.map { $0.allSatisfy(\.isUppercase) } ?? false
            if !isEnumerated, value.boolValue == nil, names.contains(where: name.contains) {
                return true
            }
        }
        return isVolatile(value)
    }

    /// Whether a value looks like an identifier or a time.
    static func isVolatile(_ value: Value) -> Bool {
        switch value {
        case .string(let text): shape(of: text) != nil
        // Seconds and milliseconds since 1970 for the years 2001 to 2100.
        case .integer(let number):
            (978_307_200...4_133_980_800).contains(number)
                || (978_307_200_000...4_133_980_800_000).contains(number)
        case .array(let elements): elements.contains(where: isVolatile)
        case .object(let members): members.contains { isVolatile($0.value) }
        default: false
        }
    }

    /// Returns the pattern of text that looks like an identifier or a time; `nil` for other text.
    static func shape(of text: String) -> String? {
        let bytes = Array(text.utf8)
        let isHex = bytes.allSatisfy(isHexDigit)
        if bytes.count >= 16, isHex, bytes.contains(where: isDigit) {
            return "^[0-9A-Fa-f]{\(bytes.count)}$"
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            parts.allSatisfy({ $0.utf8.allSatisfy(isHexDigit) })
        {
            return "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
        }
        if isTime(bytes) { return "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}" }
        return nil
    }

    /// Whether text has the form `2026-01-02T03:04...`.
    private static func isTime(_ bytes: [UInt8]) -> Bool {
        let form = Array("dddd-dd-ddTdd:dd".utf8)
        guard bytes.count >= form.count else { return false }
        return zip(bytes, form).allSatisfy { byte, wanted in
            switch wanted {
            case UInt8(ascii: "d"): isDigit(byte)
            case UInt8(ascii: "T"): byte == wanted || byte == UInt8(ascii: " ")
            default: byte == wanted
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

/// Derives a rule from several values of one field.
enum Generalisation {
    /// The largest text length of a value that is demanded as a whole.
    static let valueTextMax = 300
    /// The largest number of objects in a long list that are examined one by one.
    static let elementsMax = 16

    /// Returns the rule for values of one field, one from each capture; `nil` if none is useful.
    static func rule(
        _ path: FieldPath, _ values: [Value], of message: String, _ known: KnownMessages
    ) -> FieldRule? {
        guard let first = values.first, first != .null,
            let type = known.fieldType(of: path, inMessage: message)
        else { return nil }
        let isSame = values.allSatisfy { $0 == first }
        if isSame, !Volatility.isVolatile(path, first), first.suiteText.utf8.count <= valueTextMax {
            return .value(first)
        }
        if let shape = commonShape(values), isText(type) { return .shape(shape) }
        let types = Set(values.map(\.typeName))
        guard types.count == 1, let name = types.first, name != "null" else { return nil }
        return .type(name)
    }

    private static func commonShape(_ values: [Value]) -> String? {
        let shapes = Set(values.map { $0.stringValue.flatMap(Volatility.shape) })
        return shapes.count == 1 ? shapes.first ?? nil : nil
    }

    private static func isText(_ type: FieldType) -> Bool {
        switch type {
        case .string, .any: true
        default: false
        }
    }
}
