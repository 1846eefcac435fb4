import Wire

/// The expression between `${` and `}`: a variable, or something that is computed from variables.
public indirect enum TemplateExpression: Sendable, Hashable {
    /// A literal number or text, or a part whose value is known.
    case literal(Value)
    /// A variable by its full name, which starts with the ids of the uses of fragments:
    /// `first.app`.
    case variable(String)
    /// An argument of a fragment that waits for values that steps save.
    case argument(ValueExpression)
    /// A member of an object: `german.appName`.
    case member(TemplateExpression, String)
    /// An element of a list by its number from 0, or a member by its name: `list[0]`.
    case element(TemplateExpression, TemplateExpression)
    /// A number with its sign inverted.
    case negated(TemplateExpression)
    /// An operation on two numbers.
    case arithmetic(TemplateExpression, ArithmeticOperator, TemplateExpression)
    /// A function and its arguments.
    case call(ExpressionFunction, [TemplateExpression])
}

/// An operation on two numbers.
public enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case dividedBy = "/"
    case remainder = "%"

    /// Whether it has the precedence of a product.
    var isProduct: Bool { self != .plus && self != .minus }
}

/// The functions of expressions.
///
/// This is the only list to which a new function must be added.
public enum ExpressionFunction: String, Sendable, Hashable, CaseIterable {
    case lower
    case upper
    case length
    case slice
    case hex
    case padded
    case integer
    case seconds
    case text
    case bytes
    case unhex
    case join
    case replace
    case base64
    case sum8
    case crc16
    case crc32
    case md5
    case sha1
    case sha256
    case get
    case has
    case entry
    case merge
    case insert
    case remove
    case set
    case keys
    case values
    case pluck
    case find
    case first
    case common
    case except
    case without
    case flat
    case equal
    case less
    case both = "and"
    case either = "or"
    case not
    case choose = "if"

    /// The number of arguments that it takes.
    var argumentCount: ClosedRange<Int> {
        switch self {
        case .lower, .upper, .length, .integer, .seconds, .text, .base64, .sum8, .crc32, .md5,
            .sha1, .sha256,
            .unhex:
            1...1
        case .set, .keys, .values, .not, .flat: 1...1
        case .get: 2...3
        case .has, .entry, .insert, .remove, .pluck, .equal, .less, .common, .except,
            .without:
            2...2
        case .merge, .both, .either, .first: 2...16
        case .choose, .find: 3...3
        case .join: 1...16
        case .bytes, .crc16: 1...2
        case .slice: 2...3
        case .replace: 3...3
        case .hex: 1...2
        case .padded: 2...2
        }
    }

    /// The syntax of a call, for messages.
    var usage: String {
        switch self {
        case .lower, .upper: "\(rawValue)(text)"
        case .length: "length(text or list)"
        case .slice: "slice(text or list, first, count)"
        case .hex: "hex(integer, digits) or hex(bytes)"
        case .padded: "padded(integer, digits)"
        case .integer: "integer(text or bytes)"
        case .seconds: "seconds(duration)"
        case .text: "text(value)"
        case .bytes: "bytes(text) or bytes(count, byte)"
        case .crc16: "crc16(bytes or text, 'arc')"
        case .unhex: "unhex(digits)"
        case .join: "join(bytes or text, bytes or text, ...)"
        case .replace: "replace(text, part, other)"
        case .get: "get(mapping or list, key), or get(mapping or list, key, otherwise)"
        case .has: "has(list or mapping, value or name)"
        case .entry: "entry(name, value)"
        case .merge: "merge(mapping, mapping, ...) or merge(list, list, ...)"
        case .insert: "insert(list, value)"
        case .remove: "remove(list or mapping, value or name)"
        case .set, .keys, .values: "\(rawValue)(\(self == .set ? "list" : "mapping"))"
        case .pluck: "pluck(list, name)"
        case .find: "find(list, name, value)"
        case .first: "first(value, value, ...)"
        case .common: "common(mapping or list, mapping or list)"
        case .except: "except(list, list)"
        case .without: "without(list, name)"
        case .flat: "flat(list)"
        case .equal: "equal(value, value)"
        case .less: "less(number, number)"
        case .both, .either: "\(rawValue)(condition, condition, ...)"
        case .not: "not(condition)"
        case .choose: "if(condition, value, other)"
        case .base64, .sum8, .crc32, .md5, .sha1, .sha256: "\(rawValue)(bytes or text)"
        }
    }
}

/// Why an expression has no value.
public struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The variable without a value, if that is the reason.
    public let unboundVariable: String?
    /// The reason as a clause: `the variable app has no value here`.
    public let description: String
    /// Whether a limit was reached, so that it is not known what the value is.
    public let isLimit: Bool

    /// Creates the error for a variable that has no value where it is used.
    public init(unbound name: String) {
        unboundVariable = name
        isLimit = false
        description = "the variable \(name) has no value here"
    }

    package init(_ description: String, isLimit: Bool = false) {
        unboundVariable = nil
        self.isLimit = isLimit
        self.description = description
    }
}

extension TemplateExpression {
    /// The value, if it is known.
    var literal: Value? {
        if case .literal(let value) = self { value } else { nil }
    }

    /// The expressions that this one consists of.
    var parts: [TemplateExpression] {
        switch self {
        case .literal, .variable, .argument: []
        case .member(let inner, _), .negated(let inner): [inner]
        case .element(let list, let index): [list, index]
        case .arithmetic(let left, _, let right): [left, right]
        case .call(_, let arguments): arguments
        }
    }

    /// The variables that it refers to, by their full names.
    var variables: [String] {
        switch self {
        case .variable(let name): [name]
        case .argument(let value): value.variables
        default: parts.flatMap(\.variables)
        }
    }
}

extension ValueExpression {
    /// The variables that it refers to, by their full names.
    var variables: [String] {
        switch self {
        case .literal: []
        case .template(let parts):
            parts.flatMap { part -> [String] in
                if case .expression(let expression) = part { expression.variables } else { [] }
            }
        case .array(let elements): elements.flatMap(\.variables)
        case .object(let members): members.flatMap(\.value.variables)
        case .bytes(let bytes): bytes.variables
        }
    }
}
