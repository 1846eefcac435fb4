import YAML

/// The index of an expression in its description.
typealias ExpressionID = Int

/// The order of the bytes of a number, or of the bits of a byte.
enum ByteOrder: Sendable, Hashable {
    case little, big
    /// The order of the type that the field belongs to.
    case inherited
}

/// The end of a run of bytes, and the treatment of the bytes.
struct Extent: Sendable {
    var size: ExpressionID?
    var reachesEnd = false
    /// One byte, or the two or four zeros of `strz` in UTF-16 and UTF-32; empty if none.
    var terminator: [UInt8] = []
    var keepsTerminator = false
    var consumesTerminator = true
    var needsTerminator = true
    var padding: UInt8?
    var process: Process?

    /// Whether the bytes are a stream of their own.
    var isLimited: Bool { size != nil || reachesEnd || !terminator.isEmpty }
}

/// The processing of bytes before they are used.
enum Process: Sendable {
    case zlib
    case xor(ExpressionID)
    /// A rotation of the bits of each byte.
    case rotate(ExpressionID, isLeft: Bool)
    /// A process that programs add.
    case custom(String, [ExpressionID])
}

/// The type of a field that is read, or of a parameter.
indirect enum FieldType: Sendable {
    case integer(width: Int, isSigned: Bool, ByteOrder)
    case float(width: Int, ByteOrder)
    case bits(Int, ByteOrder)
    case bytes(Extent)
    case string(Extent, encoding: String)
    case object(TypeID, arguments: [ExpressionID], Extent)
    /// A type that no file describes.
    case opaque(String)
    case choice(
        on: ExpressionID, cases: [(key: ExpressionID, type: FieldType)], otherwise: FieldType?)
    /// The value of an expression.
    case computed(ExpressionID)
    /// For parameters: a Boolean, any object, a stream, anything.
    case bool, anyObject, stream, any
    /// For parameters.
    case array(FieldType)
}

extension FieldType {
    /// Whether a field of this type may have no value although its condition holds.
    var mayBeAbsent: Bool {
        if case .choice(_, _, nil) = self { true } else { false }
    }
}

/// The index of a type in its description.
typealias TypeID = Int

/// The number of times a field occurs.
enum Repetition: Sendable {
    case once, toEnd
    case count(ExpressionID)
    case until(ExpressionID)
}

/// The source of an object's `_parent`.
enum ParentRule: Sendable {
    case creator, none
    case expression(ExpressionID)
}

/// A condition that a value must satisfy.
enum Validity: Sendable {
    case equal(ExpressionID)
    case range(least: ExpressionID?, most: ExpressionID?)
    case anyOf([ExpressionID])
    case inEnum
    case expression(ExpressionID)
}

/// A parameter, an attribute of `seq`, or an instance.
struct Field: Sendable {
    enum Role: Sendable {
        case parameter, sequence, positioned, computed
    }

    var id: String
    var isNamed = true
    var role: Role
    var position: SourcePosition
    var type: FieldType
    var condition: ExpressionID?
    var repetition = Repetition.once
    var place: ExpressionID?
    var stream: ExpressionID?
    var parent = ParentRule.creator
    var validity: Validity?
    var enumeration: EnumerationID?
    /// The rule if the number is a checksum.
    var checksum: ChecksumRule?
}

/// The byte order of a type.
enum EndianRule: Sendable {
    case none
    case fixed(ByteOrder)
    case computed(
        on: ExpressionID, cases: [(key: ExpressionID, order: ByteOrder)], otherwise: ByteOrder?)
    /// The byte order of the object that creates an object of this type.
    case ofCreator
}

/// A type of a description.
struct TypeModel: Sendable {
    var name: String
    /// The names of the enclosing types and of this type, outermost first.
    var path: [String]
    var file: Int
    var enclosing: TypeID?
    var position: SourcePosition
    var endian: EndianRule
    var bitOrder: ByteOrder
    var encoding: String?
    /// The fields: parameters, then `seq`, then `instances`; a field's index is its slot.
    var fields: [Field] = []
    var parameterCount = 0
    var sequenceCount = 0
    var text: ExpressionID?
    var types: [String: TypeID] = [:]
    var enumerations: [String: EnumerationID] = [:]
    var slots: [String: Int] = [:]
    /// The order of the groups of 7 bits, if the type is a number of variable length.
    ///
    /// The top bit of each byte says whether another byte follows; the instance `value` is the
    /// number.
    var varint: ByteOrder?
    /// Whether names that no file describes are types that the program provides.
    var allowsOpaqueTypes = false

    var sequence: Range<Int> { parameterCount..<(parameterCount + sequenceCount) }
    var instances: Range<Int> { sequence.upperBound..<fields.count }
}

/// An enumeration of a description.
struct Enumeration: Sendable {
    var name: String
    var path: [String]
    var file: Int
    var members: [Member]
    var numbers: [String: Int128]
    var names: [Int128: String]

    struct Member: Sendable {
        var number: Int128
        var name: String
    }
}
