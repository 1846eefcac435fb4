import YAML

/// A protocol or format that `.ksy` files describe: its types, checked, with expressions ready to
/// be evaluated.
public struct KaitaiDescription: Sendable {
    var types: [TypeModel]
    var enumerations: [Enumeration]
    var expressions: [Expression]
    /// The type of each field that a `.ksy` can name, by type and slot.
    var fieldTypes: [[StaticType]]
    /// Sizes in bits of the types that have one.
    var sizes: [Int?]
    /// What `_parent` of each type is, if it is of one type.
    let parents: [TypeID?]
    let sources: [ExpressionSource]
    let files: [DescribedFile]
    /// The top type of the file that was loaded.
    var top: TypeID
    /// What is worth to be known and keeps nobody from using it.
    public var warnings: [Diagnostic]

    /// The name of the top type.
    public var name: String { types[top].name }

    /// The files that it was read from, its own first, with the SHA-256 of each.
    public var sourceFiles: [(path: String, sha256: [UInt8])] {
        files.map { ($0.path, $0.sha256) }
    }

    /// The name of a number in an enumeration.
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
    /// Top types of what it imports, by name.
    var imports: [String: TypeID] = [:]
}

/// An expression with where it is and what it has to be.
struct ExpressionSource: Sendable {
    enum Expectation: Sendable {
        case anything, integer, bool, string, stream, object
        /// A number or bytes, for `xor`.
        case key
        /// To be compared with a field's value, or with an element of it.
        case comparable(TypeID, slot: Int, isOrdered: Bool)
        /// To be compared with the value of another expression.
        case caseOf(ExpressionID)
        /// The argument of a parameter.
        case argument(TypeID, slot: Int)
    }

    var syntax: Syntax
    var text: String
    var position: SourcePosition
    var scope: TypeID
    /// The field whose element `_` is.
    var item: Int?
    var expectation: Expectation
}
