import Wire

extension ValueMatcher {
    /// Returns why no value of a field can satisfy this matcher; `nil` if a value may.
    ///
    /// Parts with variables that steps save are assumed to hold for some value.
    func contradiction(for type: FieldType?) -> String? {
        Conjunction(self, type: type).contradiction
    }

    /// The parts of nested `all`, which must all hold.
    fileprivate var conjuncts: [ValueMatcher] {
        if case .all(let inner) = self { inner.flatMap(\.conjuncts) } else { [self] }
    }

    /// Whether its result depends only on the value.
    fileprivate var isKnown: Bool {
        switch self {
        case .equals(let value), .minimum(let value), .maximum(let value):
            value.literalValue != nil
        case .oneOf(let values): values.allSatisfy { $0.literalValue != nil }
        case .not(let inner), .length(let inner), .contains(let inner), .slice(_, _, let inner),
            .some(let inner), .every(let inner):
            inner.isKnown
        case .all(let inner), .any(let inner): inner.allSatisfy(\.isKnown)
        case .members(let conditions): conditions.allSatisfy(\.matcher.isKnown)
        case .bytes(let bytes), .starts(let bytes), .ends(let bytes): bytes.literalBytes != nil
        case .matches, .present, .type, .mask: true
        }
    }

    /// The only values that satisfy it, if they are known and few.
    fileprivate var values: [Value]? {
        switch self {
        case .equals(let value): value.literalValue.map { [$0] }
        case .oneOf(let choices): isKnown ? choices.compactMap(\.literalValue) : nil
        case .bytes(let bytes): bytes.literalBytes.map { bytes.notation.values(of: $0) }
        default: nil
        }
    }

    /// The kinds of values that may satisfy it; `nil` for any kind.
    fileprivate var kinds: Set<String>? {
        switch self {
        case .matches: ["string", "bytes"]
        case .minimum, .maximum: ["integer", "number"]
        case .length: ["string", "bytes", "array"]
        case .contains: ["string", "bytes", "array"]
        case .bytes(let bytes): bytes.notation == .hex ? ["bytes"] : ["string", "bytes"]
        case .starts, .ends: ["string", "bytes"]
        case .mask: ["bytes", "integer"]
        case .slice: ["string", "bytes", "array"]
        case .some, .every: ["array"]
        case .members: ["object"]
        case .type(let name): name == "number" ? ["integer", "number"] : [name]
        default: nil
        }
    }
}

extension ByteExpression.Notation {
    /// Returns the values that correspond to these bytes in this notation.
    fileprivate func values(of bytes: [UInt8]) -> [Value] {
        let text = self == .hex ? nil : String(validating: bytes, as: UTF8.self)
        return [.bytes(bytes)] + (text.map { [.string($0)] } ?? [])
    }
}

extension ValueMatcher {
    /// The matcher that at least one element of a list must satisfy.
    fileprivate var ofAnElement: ValueMatcher? {
        switch self {
        case .contains(let inner), .some(let inner): inner
        default: nil
        }
    }
}

/// Matchers that must all hold for one field.
private struct Conjunction {
    let parts: [ValueMatcher]
    let type: FieldType?
    /// How many levels of `any` have been followed.
    var depth = 0

    /// The limits for following `any`: nesting depth, and alternatives of one `any`.
    private static let (depthMax, choicesMax) = (3, 32)
    /// The maximum number of integers that are tried one by one.
    private static let spanMax: Int64 = 256

    init(_ matcher: ValueMatcher, type: FieldType?) {
        parts = matcher.conjuncts
        self.type = type
    }

    private init(_ parts: [ValueMatcher], type: FieldType?, depth: Int) {
        self.parts = parts.flatMap(\.conjuncts)
        self.type = type
        self.depth = depth
    }

    var contradiction: String? {
        // The field may be absent if every part allows that.
        if parts.allSatisfy({ !$0.isKnown || $0.matches(nil) }) { return nil }
        if parts.contains(.present(false)) { return "it cannot be absent and be so" }
        return kinds ?? candidates ?? bounds ?? lengths ?? elements ?? choices
    }

    /// A contradiction because a value has only one kind.
    private var kinds: String? {
        var left: Set<String>?
        for part in parts {
            guard let kinds = part.kinds else { continue }
            left = left.map { $0.intersection(kinds) } ?? kinds
        }
        guard let left, left.isEmpty else { return nil }
        return "no kind of value satisfies all of it"
    }

    /// A contradiction that is found by trying the only values that one part, or the field, allows.
    private var candidates: String? {
        let values = parts.lazy.compactMap(\.values).first ?? valuesOfField
        guard let values else { return nil }
        let known = parts.filter(\.isKnown)
        let fits = values.contains { value in known.allSatisfy { $0.matches(value) } }
        return fits ? nil : "none of the possible values satisfies all of it"
    }

    private var valuesOfField: [Value]? {
        switch type {
        case .boolean?: return [true, false]
        case .enumeration(_, let values, let numbers)?:
            let isWord = parts.contains {
                $0.kinds?.isDisjoint(with: ["integer", "number"]) == true
            }
            return numbers == nil || isWord ? values.map(Value.string) : nil
        case .integer?:
            guard let range = wholeNumbers,
                UInt64(bitPattern: range.upperBound &- range.lowerBound) < Self.spanMax
            else { return nil }
            return range.map(Value.integer)
        default: return nil
        }
    }

    private func bounds(_ pick: (ValueMatcher) -> ValueExpression?) -> [Value] {
        parts.compactMap { pick($0)?.literalValue }.filter { $0.numberValue != nil }
    }

    private var minimums: [Value] {
        bounds { if case .minimum(let bound) = $0 { bound } else { nil } }
    }

    private var maximums: [Value] {
        bounds { if case .maximum(let bound) = $0 { bound } else { nil } }
    }

    private var bounds: String? {
        for low in minimums {
            for high in maximums where (low.compared(to: high) ?? 0) > 0 {
                return "no number is at least \(low.suiteText) and at most \(high.suiteText)"
            }
        }
        guard case .integer(let range)? = type else { return nil }
        guard wholeNumbers == nil, !(minimums + maximums).isEmpty else { return nil }
        let limits = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
        return "no integer\(limits) lies within the bounds"
    }

    /// The integers of the field within all bounds; `nil` if there are none.
    private var wholeNumbers: ClosedRange<Int64>? {
        guard case .integer(let range)? = type else { return nil }
        let low = minimums.compactMap { Self.whole($0, .up) } + [range?.lowerBound ?? .min]
        let high = maximums.compactMap { Self.whole($0, .down) } + [range?.upperBound ?? .max]
        guard let first = low.max(), let last = high.min(), first <= last else { return nil }
        return first...last
    }

    private static func whole(_ bound: Value, _ rule: FloatingPointRoundingRule) -> Int64? {
        bound.integerValue ?? bound.numberValue.flatMap { Int64(exactly: $0.rounded(rule)) }
    }

    /// A contradiction in the conditions on the length.
    private var lengths: String? {
        let inner = parts.compactMap { part in
            if case .length(let inner) = part { inner } else { nil }
        }
        guard !inner.isEmpty else { return nil }
        let most: Int64 =
            switch type {
            case .string(let maximum?)?: Int64(maximum)
            case .array(_, let count?)?: Int64(count.upperBound)
            default: .max
            }
        return Conjunction(inner, type: .integer(0...most), depth: depth).contradiction
            .map { "of the length: \($0)" }
    }

    /// A contradiction in the conditions on elements of a list.
    private var elements: String? {
        guard case .array(let element, _)? = type else { return nil }
        for inner in parts.compactMap(\.ofAnElement) {
            if let reason = Conjunction([inner], type: element, depth: depth).contradiction {
                return "of an element: \(reason)"
            }
        }
        return nil
    }

    /// A contradiction because every alternative contradicts the other parts.
    private var choices: String? {
        guard depth < Self.depthMax else { return nil }
        for (index, part) in parts.enumerated() {
            guard case .any(let choices) = part, choices.count <= Self.choicesMax else { continue }
            var rest = parts
            rest.remove(at: index)
            let isImpossible = choices.allSatisfy {
                Conjunction(rest + [$0], type: type, depth: depth + 1).contradiction != nil
            }
            if isImpossible { return "no alternative of \"any\" can hold" }
        }
        return nil
    }
}
