/// An expression with its names resolved.
indirect enum Expression: Sendable {
    case constant(KaitaiValue)
    /// A field of the object itself.
    case slot(Int)
    /// A field of another object; found by its name if that object has another type.
    case field(Expression, name: String, type: TypeID, slot: Int)
    case current
    case parent(Expression)
    case root(Expression)
    case stream(Expression)
    /// `_`.
    case item
    /// `_index`.
    case index
    case format([Expression])
    case list([Expression])
    /// A list whose elements are the bytes of a byte string.
    case byteList([Expression])
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    case conditional(Expression, Expression, Expression)
    case element(Expression, Expression)
    case method(Method, Expression, [Expression])
}

/// A method of a value.
enum Method: String, Sendable {
    case toText = "to_s"
    case toInteger = "to_i"
    case size, length, first, last, min, max, reverse, substring
    case position = "pos"
    case isAtEnd = "eof"
}

/// The type of a value, as far as the loader knows it before anything is read.
indirect enum StaticType: Sendable, Hashable {
    /// An integer that fits into a byte.
    case byte
    case integer, float, bool, string, bytes
    case array(StaticType)
    case object(TypeID)
    case anyObject
    case enumeration(EnumerationID)
    case stream
    case any

    var isInteger: Bool { self == .byte || self == .integer }
    var isNumber: Bool { isInteger || self == .float }
    var isObject: Bool {
        switch self {
        case .object, .anyObject: true
        default: false
        }
    }

    /// Returns the type of a value that has one of two types.
    func joined(_ other: StaticType) -> StaticType {
        if self == other { return self }
        if isInteger && other.isInteger { return .integer }
        if isNumber && other.isNumber { return .float }
        if isObject && other.isObject { return .anyObject }
        if case .array(let left) = self, case .array(let right) = other {
            return .array(left.joined(right))
        }
        return .any
    }

    /// Whether values of the two types may be compared with `==`.
    func isComparable(with other: StaticType) -> Bool {
        if self == .any || other == .any { return true }
        if isNumber && other.isNumber { return true }
        switch (self, other) {
        case (.string, .string), (.bytes, .bytes), (.bool, .bool): return true
        case (.enumeration(let left), .enumeration(let right)): return left == right
        default: return false
        }
    }

    /// Whether a parameter of this type accepts a value of the other type.
    func takes(_ other: StaticType) -> Bool {
        if self == other || self == .any || other == .any { return true }
        if isInteger && other.isInteger { return true }
        if self == .float && other.isNumber { return true }
        if self == .anyObject || other == .anyObject { return isObject && other.isObject }
        if case .array(let left) = self, case .array(let right) = other { return left.takes(right) }
        return false
    }
}
