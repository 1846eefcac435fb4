import Protocols

extension ValueMatcher {
    /// Whether a field's value is as demanded.
    ///
    /// - Parameters:
    ///   - value: The field's value; `nil` if the field is absent. An absent field satisfies only
    ///     `present(false)`, and `not`, `any`, `all` as far as they are made of `present`:
    ///     `not(equals(x))` demands that the field is there.
    ///   - bindings: Values of variables; where one is missing, nothing matches.
    public func matches(_ value: Value?, bindings: [String: Value] = [:]) -> Bool {
        judgement(of: value, bindings) ?? false
    }

    /// Whether it matches; `nil` where the field is absent or a variable has no value.
    ///
    /// `not`, `all` and `any` combine it in Kleene's logic.
    private func judgement(of value: Value?, _ bindings: [String: Value]) -> Bool? {
        switch self {
        case .present(let isDemanded):
            return (value != nil) == isDemanded
        case .not(let inner):
            return inner.judgement(of: value, bindings).map { !$0 }
        case .all(let inner):
            let judgements = inner.map { $0.judgement(of: value, bindings) }
            if judgements.contains(false) { return false }
            return judgements.contains(nil) ? nil : true
        case .any(let inner):
            let judgements = inner.map { $0.judgement(of: value, bindings) }
            if judgements.contains(true) { return true }
            return judgements.contains(nil) ? nil : false
        default:
            guard let value else { return nil }
            do throws(EvaluationError) {
                return try judgement(ofPresent: value, bindings)
            } catch {
                return nil
            }
        }
    }

    private func judgement(
        ofPresent value: Value, _ bindings: [String: Value]
    ) throws(EvaluationError) -> Bool {
        switch self {
        case .equals(let expected):
            return try expected.evaluate(bindings).isEqual(to: value)
        case .oneOf(let choices):
            for choice in choices where try choice.evaluate(bindings).isEqual(to: value) {
                return true
            }
            return false
        case .matches(let pattern):
            return value.stringValue.map(pattern.isFound) ?? false
        case .minimum(let bound):
            return value.compared(to: try bound.evaluate(bindings)).map { $0 >= 0 } ?? false
        case .maximum(let bound):
            return value.compared(to: try bound.evaluate(bindings)).map { $0 <= 0 } ?? false
        case .length(let inner):
            return value.length.map { inner.matches(.integer($0), bindings: bindings) } ?? false
        case .contains(let inner):
            return try isContained(inner, in: value, bindings)
        case .members(let conditions):
            return value.objectValue != nil
                && conditions.allSatisfy { $0.matcher.matches(value[$0.path], bindings: bindings) }
        case .type(let name):
            return name == value.typeName || name == "number" && value.typeName == "integer"
        case .hex(let bytes):
            return value == .bytes(bytes)
        case .present, .not, .all, .any:
            return matches(value, bindings: bindings)
        }
    }

    private func isContained(
        _ inner: ValueMatcher, in value: Value, _ bindings: [String: Value]
    ) throws(EvaluationError) -> Bool {
        if let elements = value.arrayValue {
            return elements.contains { inner.matches($0, bindings: bindings) }
        }
        guard let text = value.stringValue, case .equals(let expected) = inner else {
            return false
        }
        guard let part = try expected.evaluate(bindings).stringValue else { return false }
        return text.hasPart(part)
    }
}

extension Value {
    /// Length of a text in characters (Unicode scalars), of bytes, or of an array.
    var length: Int64? {
        switch self {
        case .string(let text): Int64(text.unicodeScalars.count)
        case .bytes(let bytes): Int64(bytes.count)
        case .array(let elements): Int64(elements.count)
        default: nil
        }
    }
}

extension String {
    /// Whether the bytes of `part` stand somewhere in this text.
    func hasPart(_ part: String) -> Bool {
        let text = Array(utf8)
        let part = Array(part.utf8)
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
