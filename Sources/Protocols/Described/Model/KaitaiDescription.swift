import YAML

/// A protocol or format described by `.ksy` files.
///
/// Its types are checked, and its expressions are ready for evaluation.
public struct KaitaiDescription: Sendable {
    var types: [TypeModel]
    var enumerations: [Enumeration]
    var expressions: [Expression]
    /// The type of each field as expressions of a `.ksy` see it, by type and slot.
    var fieldTypes: [[StaticType]]
    /// The sizes in bits of the types that have a fixed size.
    var sizes: [Int?]
    /// The type of `_parent` of each type; `nil` if it is not exactly one type.
    let parents: [TypeID?]
    let sources: [ExpressionSource]
    let files: [DescribedFile]
    /// The top type of the file that was loaded.
    var top: TypeID
    /// Warnings, which do not prevent the use of the description.
    public var warnings: [Diagnostic]

    /// The name of the top type.
    public var name: String { types[top].name }

    /// The files that it was read from, the main file first, with the SHA-256 of each.
    public var sourceFiles: [(path: String, sha256: [UInt8])] {
        files.map { ($0.path, $0.sha256) }
    }

    /// Returns the name of a number in an enumeration.
    public func name(of number: Int128, in enumeration: EnumerationID) -> String? {
        enumerations[enumeration.index].names[number]
    }
}

/// One `.ksy` file.
struct DescribedFile: Sendable {
    var path: String
    /// The hash of its text.
    var sha256: [UInt8] = []
    var top: TypeID
    /// The top types of imported files, by name.
    var imports: [String: TypeID] = [:]
}

/// An expression with its position and its expected type.
struct ExpressionSource: Sendable {
    enum Expectation: Sendable {
        case anything, integer, bool, string, stream, object
        /// A number or bytes, for `xor`.
        case key
        /// A value that is compared with a field's value, or with an element of it.
        case comparable(TypeID, slot: Int, isOrdered: Bool)
        /// A value that is compared with the value of another expression.
        case caseOf(ExpressionID)
        /// The argument for a parameter.
        case argument(TypeID, slot: Int)
    }

    var syntax: Syntax
    var text: String
    var position: SourcePosition
    var scope: TypeID
    /// The field to whose element `_` refers.
    var item: Int?
    var expectation: Expectation
}
