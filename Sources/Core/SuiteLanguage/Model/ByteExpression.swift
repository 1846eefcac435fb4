import Wire

/// Bytes in a suite, as hexadecimal digits or as text; they may refer to variables.
public struct ByteExpression: Sendable, Hashable {
    /// A notation for bytes.
    public enum Notation: String, Sendable, Hashable, CaseIterable {
        /// Pairs of hexadecimal digits; blanks and colons are ignored.
        case hex
        /// Characters of ASCII.
        case ascii
        /// Text, which is encoded as UTF-8.
        case text
    }

    /// The notation of the bytes.
    public let notation: Notation
    /// The bytes, if they do not refer to a variable that a step saves.
    public let literalBytes: [UInt8]?
    private let parts: [ValueExpression.TemplatePart]
    /// The fields of a message and the protocol that describes them, instead of a notation.
    private let message: DescribedMessage?
    /// A message of a named protocol, instead of a notation.
    private let named: NamedMessage?

    /// A message that is given by its fields.
    ///
    /// It is not private, so that its name is the same in each process.
    struct DescribedMessage: Sendable, Hashable {
        var fields: ValueExpression
        var described: DescribedProtocol
    }

    /// A message of a named protocol.
    struct NamedMessage: Sendable, Hashable {
        var name: String
        var fields: [FieldAssignment]
        var `protocol`: NamedProtocol
        var isDatagram: Bool

        /// Whether no value depends on saved variables.
        var isKnown: Bool { fields.allSatisfy { $0.value?.literalValue != nil } }

        func bytes(_ bindings: [String: Value]) throws(EvaluationError) -> [UInt8] {
            var values: [(path: FieldPath, value: Value?)] = []
            for field in fields {
                guard let value = field.value else { continue }
                values.append((field.path, try value.evaluate(bindings)))
            }
            return try `protocol`.encode(
                name, values, isDatagram: isDatagram, ignoresInstances: !isKnown)
        }
    }

    /// Creates the bytes of a message of a named protocol.
    ///
    /// - Throws: Why the message cannot be encoded, if that does not depend on saved variables.
    init(_ named: NamedMessage) throws(EvaluationError) {
        notation = .hex
        parts = []
        message = nil
        self.named = named
        literalBytes = named.isKnown ? try named.bytes([:]) : nil
    }

    /// The key under which a message is given by its fields.
    static let fieldsKey = "fields"

    /// Creates the bytes of a message that is given by its fields.
    ///
    /// - Throws: Why the fields do not form a message, if that does not depend on saved variables.
    init(_ fields: ValueExpression, by described: DescribedProtocol) throws(EvaluationError) {
        notation = .hex
        parts = []
        message = DescribedMessage(fields: fields, described: described)
        named = nil
        literalBytes = try fields.literalValue.map { value throws(EvaluationError) in
            try described.encode(value)
        }
    }

    /// Creates an expression for known bytes.
    public init(_ bytes: [UInt8], _ notation: Notation = .hex) {
        self.notation = notation
        literalBytes = bytes
        parts = []
        message = nil
        named = nil
    }

    /// Creates bytes in that notation, with expressions in it.
    ///
    /// If an expression has bytes as its value, they are inserted unchanged.
    ///
    /// - Throws: Why the parts are not bytes in that notation, if that does not depend on saved
    ///   variables.
    init(_ parts: [ValueExpression.TemplatePart], _ notation: Notation) throws(EvaluationError) {
        self.notation = notation
        message = nil
        named = nil
        let isKnown = parts.allSatisfy { part in
            if case .expression(let expression) = part { expression.literal != nil } else { true }
        }
        self.parts = isKnown ? [] : parts
        literalBytes = isKnown ? try Self.bytes(of: parts, notation, [:]) : nil
    }

    /// Returns the bytes with all variables replaced by their values.
    ///
    /// - Throws: Why there are no bytes: a variable without a value, or one that does not fit the
    ///   notation.
    public func evaluate(_ bindings: [String: Value]) throws(EvaluationError) -> [UInt8] {
        if let literalBytes { return literalBytes }
        if let named { return try named.bytes(bindings) }
        if let message {
            return try message.described.encode(
                message.fields.evaluate(bindings), ignoresInstances: true)
        }
        return try Self.bytes(of: parts, notation, bindings)
    }

    /// The variables that the bytes refer to, by their full names.
    var variables: [String] {
        named?.fields.flatMap { $0.value?.variables ?? [] } ?? message?.fields.variables
            ?? ValueExpression.template(parts).variables
    }

    private static func bytes(
        of parts: [ValueExpression.TemplatePart], _ notation: Notation, _ bindings: [String: Value]
    ) throws(EvaluationError) -> [UInt8] {
        var bytes: [UInt8] = []
        var digits = ""
        for part in parts {
            switch part {
            case .text(let text) where notation == .hex: digits += text
            case .text(let text): bytes += try octets(of: text, notation)
            case .expression(let expression):
                let value = try expression.evaluate(bindings)
                if notation == .hex {
                    digits += try hexDigits(of: value)
                } else if case .bytes(let inner) = value {
                    bytes += inner
                } else {
                    bytes += try octets(of: value.textInTemplate, notation)
                }
            }
        }
        guard notation == .hex else { return bytes }
        guard let known = [UInt8](hexDigits: digits) else {
            throw EvaluationError("\"\(digits)\" is not pairs of hexadecimal digits")
        }
        return known
    }

    private static func octets(
        of text: String, _ notation: Notation
    ) throws(EvaluationError) -> [UInt8] {
        let bytes = Array(text.utf8)
        if notation == .ascii, let other = text.unicodeScalars.first(where: { !$0.isASCII }) {
            throw EvaluationError("\"\(other)\" is no character of ASCII")
        }
        return bytes
    }

    /// Returns the digits of a value; fails for a number.
    ///
    /// A number has to state how many digits it has: 10 could mean one byte 0a or 10.
    private static func hexDigits(of value: Value) throws(EvaluationError) -> String {
        switch value {
        case .bytes(let bytes): return bytes.hexDigits
        case .string(let text): return text
        default:
            throw EvaluationError(
                "\(value.inWords) is no hexadecimal digits; write hex(number, digits)")
        }
    }

    /// Whether the bytes are a message that is given by its fields.
    package var isDescribed: Bool { message != nil }

    /// The text after the name of the notation, or after `fields`, in a suite.
    package var contentText: String {
        if let message { return message.fields.suiteText }
        if let literalBytes {
            if notation != .hex, let text = String(validating: literalBytes, as: UTF8.self) {
                return Value.string(text.escapingVariables).suiteText
            }
            return Value.string(literalBytes.hexDigits).suiteText
        }
        return ValueExpression.template(parts).suiteText
    }

    /// The notation of these bytes in a suite.
    package var writtenNotation: Notation {
        guard let literalBytes, notation != .hex else { return notation }
        return String(validating: literalBytes, as: UTF8.self) == nil ? .hex : notation
    }

    /// The text of these bytes in a matcher of a part, where text needs no notation.
    var partText: String { writtenNotation == .text ? contentText : suiteText }

    /// The text of these bytes in a suite: `{hex: "0aff"}`.
    public var suiteText: String {
        if let named {
            let fields = named.fields.compactMap { field in
                field.value.map { ("\(field.path)", $0.suiteText) }
            }
            let with = fields.isEmpty ? "" : ", with: \(SuiteText.mapping(fields))"
            return "{message: \(named.name)\(with)}"
        }
        if let message { return "{\(Self.fieldsKey): \(message.fields.suiteText)}" }
        return "{\(writtenNotation.rawValue): \(contentText)}"
    }
}

/// Bits of a field that must have certain values.
public struct ByteMask: Sendable, Hashable {
    /// The bits that are compared.
    public let bits: [UInt8]
    /// The values of these bits, in the same number of bytes; all other bits are 0.
    public let value: [UInt8]
    /// The offset of the first byte, counted from 0.
    public let offset: Int

    /// Whether a value has these bits.
    ///
    /// The value is bytes, which are compared from `offset` on, or a non-negative integer, which is
    /// compared as the same number of bytes, most significant byte first.
    func holds(for field: Value) -> Bool {
        let octets: [UInt8]
        switch field {
        case .bytes(let bytes): octets = Array(bytes.dropFirst(offset))
        case .integer(let number) where number >= 0 && bits.count <= 8:
            octets = Self.octets(of: UInt64(number), count: bits.count)
        case .string(let text) where field.isWideInteger && bits.count <= 8:
            guard let all = UInt64(text) else { return false }
            octets = Self.octets(of: all, count: bits.count)
        default: return false
        }
        guard octets.count >= bits.count else { return false }
        return bits.indices.allSatisfy { octets[$0] & bits[$0] == value[$0] }
    }

    private static func octets(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension Value {
    /// The bytes of a field; a text is encoded as UTF-8.
    var octets: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .string(let text): Array(text.utf8)
        default: nil
        }
    }
}

extension [UInt8] {
    /// Whether these bytes contain the given ones.
    func hasPart(_ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { start in
            self[start] == first
                && part.indices.allSatisfy { self[start + $0] == part[$0] }
        }
    }
}
