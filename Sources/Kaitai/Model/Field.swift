import YAML

/// Index of an expression in its description.
typealias ExpressionID = Int

/// Order of the bytes of a number, or of the bits of a byte.
enum ByteOrder: Sendable, Hashable {
    case little, big
    /// That of the type that the field belongs to.
    case inherited
}

/// Where a run of bytes ends, and what is done with it.
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

/// What is done with bytes before they are used.
enum Process: Sendable {
    case zlib
    case xor(ExpressionID)
    /// Bits of each byte, to the left.
    case rotate(ExpressionID, isLeft: Bool)
    /// One that programs add.
    case custom(String, [ExpressionID])
}

/// What is read, or what a parameter takes.
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
    /// Of parameters: a Boolean, any object, a stream, anything.
    case bool, anyObject, stream, any
    /// Of parameters.
    case array(FieldType)
}

extension FieldType {
    /// Whether a field of this type may have no value although its condition holds.
    var mayBeAbsent: Bool {
        if case .choice(_, _, nil) = self { true } else { false }
    }
}

/// Index of a type in its description.
typealias TypeID = Int

/// How often a field is there.
enum Repetition: Sendable {
    case once, toEnd
    case count(ExpressionID)
    case until(ExpressionID)
}

/// What `_parent` of an object is.
enum ParentRule: Sendable {
    case creator, none
    case expression(ExpressionID)
}

/// What a value must be.
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
    /// The bytes are fixed by `contents`.
    var isConstant = false
    /// What the number is a checksum of.
    var checksum: ChecksumRule?
}

/// The byte order of a type.
enum EndianRule: Sendable {
    case none
    case fixed(ByteOrder)
    case computed(
        on: ExpressionID, cases: [(key: ExpressionID, order: ByteOrder)], otherwise: ByteOrder?)
    /// That of the object that creates one of this type.
    case ofCreator
}

/// A type of a description.
struct TypeModel: Sendable {
    var name: String
    /// The names of the types around it and its own, outermost first.
    var path: [String]
    var file: Int
    var enclosing: TypeID?
    var position: SourcePosition
    var endian: EndianRule
    var bitOrder: ByteOrder
    var encoding: String?
    /// Parameters, then `seq`, then `instances`; a field's index is its slot.
    var fields: [Field] = []
    var parameterCount = 0
    var sequenceCount = 0
    var text: ExpressionID?
    var types: [String: TypeID] = [:]
    var enumerations: [String: EnumerationID] = [:]
    var slots: [String: Int] = [:]
    /// The order of the groups of 7 bits if it is a number of as many bytes as it needs, whose top
    /// bits say whether another follows; its instance `value` is the number.
    var varint: ByteOrder?
    /// Whether names that no file describes are types of the program.
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
