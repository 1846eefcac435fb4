/// An expression as it is written, before names are resolved.
indirect enum Syntax: Sendable, Hashable {
    case integer(Int128)
    case float(Double)
    case bool(Bool)
    case string(String)
    /// `f"..{e}.."`.
    case format([Syntax])
    case list([Syntax])
    case name(String)
    /// `a::b::member`, absolute with a leading `::`.
    case enumMember(path: [String], isAbsolute: Bool, member: String)
    case size(TypeReference, inBits: Bool)
    case unary(UnaryOperator, Syntax)
    case binary(BinaryOperator, Syntax, Syntax)
    case conditional(Syntax, Syntax, Syntax)
    case attribute(Syntax, String)
    case call(Syntax, String, [Syntax])
    case index(Syntax, Syntax)
    case cast(Syntax, TypeReference)

    /// A literal string, joined from adjacent ones.
    var literalString: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A name of a type as it is written: `a::b`, `u4`, `bytes`, with or without `[]`.
struct TypeReference: Sendable, Hashable {
    var path: [String]
    var isAbsolute = false
    var isArray = false

    var text: String {
        (isAbsolute ? "::" : "") + path.joined(separator: "::") + (isArray ? "[]" : "")
    }
}

enum UnaryOperator: String, Sendable {
    case minus = "-"
    case plus = "+"
    case invert = "~"
    case not
}

enum BinaryOperator: String, Sendable {
    case or, and
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case bitOr = "|"
    case bitXor = "^"
    case bitAnd = "&"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// The precedence, from `|` upwards; `nil` for operators that do not chain.
    var precedence: Int? {
        switch self {
        case .bitOr: 1
        case .bitXor: 2
        case .bitAnd: 3
        case .shiftLeft, .shiftRight: 4
        case .add, .subtract: 5
        case .multiply, .divide, .remainder: 6
        default: nil
        }
    }

    var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}

/// An error in the text of an expression, with its position.
struct SyntaxError: Error {
    var what: String
    /// The position in characters from the beginning.
    var offset: Int
    var advice = ""
}
