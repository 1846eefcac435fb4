import Wire

extension ValueMatcher {
    /// Whether a field's value satisfies the matcher.
    ///
    /// - Parameters:
    ///   - value: The field's value; `nil` if the field is absent. An absent field satisfies only
    ///     `present(false)`, and `not`, `any`, `all` as far as they consist of `present`:
    ///     `not(equals(x))` demands that the field is present.
    ///   - bindings: Values of variables; if one is missing, nothing matches.
    public func matches(_ value: Value?, bindings: [String: Value] = [:]) -> Bool {
        judgement(of: value, bindings) ?? false
    }

    /// Returns whether the value matches; `nil` if the field is absent or a variable has no value.
    ///
    /// `not`, `all` and `any` combine these results in Kleene's logic.
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
            if case .bytes(let bytes) = value { return pattern.search(bytes) == .found }
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
        case .bytes(let expected):
            return try expected.evaluate(bindings) == value.octets
                && (expected.notation != .hex || value.stringValue == nil)
        case .starts(let expected):
            let start = try expected.evaluate(bindings)
            return value.octets?.starts(with: start) ?? false
        case .ends(let expected):
            let end = try expected.evaluate(bindings)
            return value.octets.map { $0.suffix(end.count).elementsEqual(end) } ?? false
        case .mask(let mask):
            return mask.holds(for: value)
        case .slice(let first, let count, let inner):
            return value.slice(from: first, count: count)
                .map { inner.matches($0, bindings: bindings) } ?? false
        case .some(let inner):
            return value.arrayValue?.contains { inner.matches($0, bindings: bindings) } ?? false
        case .every(let inner):
            return value.arrayValue?.allSatisfy { inner.matches($0, bindings: bindings) } ?? false
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
        guard let whole = value.octets else { return false }
        switch inner {
        case .bytes(let expected): return whole.hasPart(try expected.evaluate(bindings))
        case .equals(let expected):
            return try expected.evaluate(bindings).octets.map(whole.hasPart) ?? false
        default: return false
        }
    }
}

extension Value {
    /// The length of a text in characters (Unicode scalars), of bytes, or of an array.
    var length: Int64? {
        switch self {
        case .string(let text): Int64(text.unicodeScalars.count)
        case .bytes(let bytes): Int64(bytes.count)
        case .array(let elements): Int64(elements.count)
        default: nil
        }
    }

    /// Returns a part of bytes, of a text in Unicode scalars, or of an array; `nil` if it is
    /// incomplete.
    func slice(from first: Int, count: Int?) -> Value? {
        guard let length, first <= length else { return nil }
        let (end, overflow) = first.addingReportingOverflow(count ?? Int(length) - first)
        guard !overflow, end <= length else { return nil }
        switch self {
        case .string(let text):
            var part = String.UnicodeScalarView()
            part.append(contentsOf: text.unicodeScalars.dropFirst(first).prefix(end - first))
            return .string(String(part))
        case .bytes(let bytes): return .bytes(Array(bytes[first..<end]))
        case .array(let elements): return .array(Array(elements[first..<end]))
        default: return nil
        }
    }
}
