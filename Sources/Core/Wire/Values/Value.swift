/// A decoded field value, independent of its encoding on the wire or in a suite.
///
/// JSON, BSON and YAML all decode into it, `where` compares it, and reports print it. Members of an
/// object keep their order and their duplicates, because a conformance tool must see both.
public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Any integer that fits 64 bits, whatever its width on the wire.
    case integer(Int64)
    case double(Double)
    case string(String)
    /// Bytes that have no text form: hashes, bulk data.
    case bytes([UInt8])
    case array([Value])
    case object([Member])

    /// A name and value of an object.
    public struct Member: Sendable, Hashable {
        /// The name as it was on the wire.
        public var name: String
        /// The value under that name.
        public var value: Value

        /// Creates a member from its two parts.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }
}

extension Value {
    /// The first member of that name, if this is an object that has one.
    public subscript(name: String) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value at the end of a path; `nil` if any component is missing.
    public subscript(path: FieldPath) -> Value? {
        self[path.components[...]]
    }

    private subscript(components: ArraySlice<FieldPath.Component>) -> Value? {
        guard let first = components.first else { return self }
        switch (first, self) {
        case (.name(let name), .object):
            return self[name]?[components.dropFirst()]
        case (.index(let index), .array(let elements)) where elements.indices.contains(index):
            return elements[index][components.dropFirst()]
        default:
            return nil
        }
    }

    /// The text, if this is a string.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, if this is an integer.
    public var integerValue: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The truth value, if this is a Boolean.
    public var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The elements, if this is an array.
    public var arrayValue: [Value]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object.
    public var objectValue: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The number as a floating-point value, if this is an integer or a double.
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The name of this kind of value, as the suite language's `type` matcher spells it.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .double: "number"
        case .string: "string"
        case .bytes: "bytes"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Returns this object with the value at `path` replaced or added.
    ///
    /// Objects on the way are created.
    ///
    /// An index equal to the count of an array appends; any other missing index is ignored.
    public func setting(_ path: FieldPath, to value: Value) -> Value {
        setting(path.components[...], to: value)
    }

    private func setting(_ components: ArraySlice<FieldPath.Component>, to value: Value) -> Value {
        guard let first = components.first else { return value }
        let rest = components.dropFirst()
        switch first {
        case .name(let name):
            var members = objectValue ?? []
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = members[index].value.setting(rest, to: value)
            } else {
                members.append(Member(name, Value.null.setting(rest, to: value)))
            }
            return .object(members)
        case .index(let index):
            var elements = arrayValue ?? []
            if elements.indices.contains(index) {
                elements[index] = elements[index].setting(rest, to: value)
            } else if index == elements.count {
                elements.append(Value.null.setting(rest, to: value))
            }
            return .array(elements)
        }
    }

    /// Returns this object without the member at `path`; unchanged if there is none.
    public func removing(_ path: FieldPath) -> Value {
        removing(path.components[...])
    }

    private func removing(_ components: ArraySlice<FieldPath.Component>) -> Value {
        guard case .name(let name)? = components.first, case .object(var members) = self else {
            return self
        }
        let rest = components.dropFirst()
        if rest.isEmpty {
            members.removeAll { $0.name == name }
        } else if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = members[index].value.removing(rest)
        }
        return .object(members)
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByFloatLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates an array.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// Creates an object whose members are in the order written.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
