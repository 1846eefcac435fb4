import SuiteLanguage
import Wire

extension ValueMatcher {
    /// The condition on a field, as the rest of a sentence that starts with the field's path:
    /// `is DE-DE`, `is absent`, `has a length that is at most 20`.
    var inWords: String {
        switch self {
        case .equals(let value): return "is \(value.suiteText)"
        case .not(let inner): return "is present and \(inner.refusalInWords)"
        case .oneOf(let values): return "is \(Words.either(values.map(\.suiteText)))"
        case .matches(let pattern):
            return "matches the pattern \(Value.string(pattern.source).suiteText)"
        case .minimum(let bound): return "is at least \(bound.suiteText)"
        case .maximum(let bound): return "is at most \(bound.suiteText)"
        case .length(let inner): return "has a length that \(inner.inWords)"
        case .contains(.equals(let value)): return "contains \(value.suiteText)"
        case .contains(.bytes(let bytes)): return "contains \(bytes.inWords)"
        case .contains(let inner): return "has an element that \(inner.inWords)"
        case .members(let conditions):
            return "is an object in which " + Words.list(conditions.map(\.inWords))
        case .present(let isThere): return isThere ? "is present" : "is absent"
        case .type(let name): return "is of type \(name)"
        case .bytes(let bytes):
            return bytes.literalBytes == [] ? "is empty" : "is the bytes \(bytes.inWords)"
        case .starts(let bytes): return "starts with \(bytes.inWords)"
        case .ends(let bytes): return "ends with \(bytes.inWords)"
        case .mask(let mask):
            let place = mask.offset == 0 ? "" : " from byte \(mask.offset) on"
            return "has the bits \(mask.value.hexText) under the mask \(mask.bits.hexText)\(place)"
        case .slice(let first, let count, let inner):
            let size =
                count.map { "\($0) from index \(first)" } ?? "all from index \(first)"
            return "has a part (\(size)) that \(inner.inWords)"
        case .some(let inner): return "has an element that \(inner.inWords)"
        case .every(let inner): return "has only elements such that each \(inner.inWords)"
        case .all(let inner): return inner.map(\.partInWords).joined(separator: " and ")
        case .any(let inner):
            guard inner.count > 1 else { return inner.map(\.inWords).joined() }
            return "either " + inner.map(\.partInWords).joined(separator: " or ")
        }
    }

    /// The words of a part of a combined condition, in parentheses if it is combined itself.
    private var partInWords: String {
        switch self {
        case .any(let inner) where inner.count > 1, .all(let inner) where inner.count > 1:
            "(\(inWords))"
        default: inWords
        }
    }

    /// The negated condition, for a field that is present.
    private var refusalInWords: String {
        switch self {
        case .equals(let value): "is not \(value.suiteText)"
        case .oneOf(let values): "is none of \(values.map(\.suiteText).joined(separator: ", "))"
        case .contains(.equals(let value)): "does not contain \(value.suiteText)"
        case .matches(let pattern):
            "does not match the pattern \(Value.string(pattern.source).suiteText)"
        case .type(let name): "is not of type \(name)"
        default: "it is not true that it \(inWords)"
        }
    }
}

extension FieldCondition {
    /// The field and the condition on its value.
    var inWords: String { "\(path) \(matcher.inWords)" }
}

extension [FieldCondition] {
    /// All conditions in one phrase that starts with a space; empty without conditions.
    var inWords: String { isEmpty ? "" : " in which " + Words.list(map(\.inWords)) }
}

extension ByteExpression {
    /// The digits, or the text.
    var inWords: String { writtenNotation == .hex ? contentText : suiteText }
}

/// Lists in sentences.
enum Words {
    /// `a`, `a and b`, `a, b and c`.
    static func list(_ words: [String]) -> String { joined(words, "and") }

    /// `a`, `a or b`, `a, b or c`.
    static func either(_ words: [String]) -> String { joined(words, "or") }

    private static func joined(_ words: [String], _ last: String) -> String {
        guard words.count > 1, let end = words.last else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " \(last) \(end)"
    }
}
