import Wire

extension ValueMatcher {
    /// The result of comparing a value with a matcher.
    public enum MatchResult: Sendable, Hashable {
        case matches
        case differs
        /// A limit was reached before the comparison was complete.
        case undecided

        /// The opposite; what is undecided stays so.
        var opposite: MatchResult {
            switch self {
            case .matches: .differs
            case .differs: .matches
            case .undecided: .undecided
            }
        }

        /// Returns the disjunction, without computing more results than necessary.
        static func any<Part>(_ parts: [Part], _ judge: (Part) -> MatchResult) -> MatchResult {
            var found = MatchResult.differs
            for part in parts {
                let result = judge(part)
                if result == .matches { return result }
                if result == .undecided { found = result }
            }
            return found
        }
    }

    /// Whether a field's value satisfies the matcher; false if a limit was reached.
    public func matches(_ value: Value?, bindings: [String: Value] = [:]) -> Bool {
        result(for: value, bindings: bindings) == .matches
    }

    /// Returns whether a field's value satisfies the matcher.
    ///
    /// - Parameters:
    ///   - value: The field's value; `nil` if the field is absent. An absent field satisfies only
    ///     `present(false)`, and `not`, `any`, `all` as far as they consist of `present`:
    ///     `not(equals(x))` demands that the field is present.
    ///   - bindings: Values of variables; if one is missing, nothing matches.
    public func result(for value: Value?, bindings: [String: Value] = [:]) -> MatchResult {
        switch judgement(of: value, bindings) {
        case .yes: .matches
        case .no, .noValue: .differs
        case .undecided: .undecided
        }
    }

    /// The result of a part of the matcher, in the order in which `all` prefers them.
    fileprivate enum Judgement: Int, Comparable {
        case no
        case undecided
        /// The field is absent, or a variable has no value.
        case noValue
        case yes

        init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

        init(_ result: MatchResult) {
            switch result {
            case .matches: self = .yes
            case .differs: self = .no
            case .undecided: self = .undecided
            }
        }

        static func < (left: Judgement, right: Judgement) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The opposite; what has no value or is undecided stays so.
        var opposite: Judgement {
            switch self {
            case .yes: .no
            case .no: .yes
            case .noValue, .undecided: self
            }
        }

        /// Returns the conjunction, without judging more parts than necessary.
        static func all<Parts: Sequence>(
            _ parts: Parts, _ judge: (Parts.Element) -> Judgement
        ) -> Judgement {
            var least = Judgement.yes
            for part in parts {
                least = min(least, judge(part))
                if least == .no { break }
            }
            return least
        }

        /// Returns the disjunction, without judging more parts than necessary.
        static func any<Parts: Sequence>(
            _ parts: Parts, _ judge: (Parts.Element) -> Judgement
        ) -> Judgement {
            all(parts) { judge($0).opposite }.opposite
        }
    }

    /// Judges a value; `not`, `all` and `any` combine the results in Kleene's logic.
    private func judgement(of value: Value?, _ bindings: [String: Value]) -> Judgement {
        switch self {
        case .present(let isDemanded):
            return Judgement((value != nil) == isDemanded)
        case .not(let inner):
            return inner.judgement(of: value, bindings).opposite
        case .all(let inner):
            return .all(inner) { $0.judgement(of: value, bindings) }
        case .any(let inner):
            return .any(inner) { $0.judgement(of: value, bindings) }
        default:
            guard let value else { return .noValue }
            do throws(EvaluationError) {
                return try judgement(ofPresent: value, bindings)
            } catch {
                return error.isLimit ? .undecided : .noValue
            }
        }
    }

    private func judgement(
        ofPresent value: Value, _ bindings: [String: Value]
    ) throws(EvaluationError) -> Judgement {
        func judged(_ inner: ValueMatcher, _ part: Value?) -> Judgement {
            Judgement(inner.result(for: part, bindings: bindings))
        }
        switch self {
        case .equals(let expected):
            return Judgement(try expected.evaluate(bindings).isEqual(to: value))
        case .oneOf(let choices):
            for choice in choices where try choice.evaluate(bindings).isEqual(to: value) {
                return .yes
            }
            return .no
        case .matches(let pattern):
            if case .bytes(let bytes) = value { return Judgement(pattern.search(bytes)) }
            return value.stringValue.map { Judgement(pattern.search($0)) } ?? .no
        case .minimum(let bound):
            let order = value.compared(to: try bound.evaluate(bindings))
            return Judgement(order.map { $0 >= 0 } ?? false)
        case .maximum(let bound):
            let order = value.compared(to: try bound.evaluate(bindings))
            return Judgement(order.map { $0 <= 0 } ?? false)
        case .length(let inner):
            return value.length.map { judged(inner, .integer($0)) } ?? .no
        case .contains(let inner):
            return try isContained(inner, in: value, bindings)
        case .members(let conditions):
            guard value.objectValue != nil else { return .no }
            return .all(conditions) { judged($0.matcher, value[$0.path]) }
        case .type(let name):
            return Judgement(
                name == value.typeName || name == "number" && value.typeName == "integer"
                    || ["integer", "number"].contains(name) && value.isWideInteger)
        case .bytes(let expected):
            return Judgement(
                try expected.evaluate(bindings) == value.octets
                    && (expected.notation != .hex || value.stringValue == nil))
        case .starts(let expected):
            let start = try expected.evaluate(bindings)
            return Judgement(value.octets?.starts(with: start) ?? false)
        case .ends(let expected):
            let end = try expected.evaluate(bindings)
            return Judgement(value.octets.map { $0.suffix(end.count).elementsEqual(end) } ?? false)
        case .mask(let mask):
            return Judgement(mask.holds(for: value))
        case .slice(let first, let count, let inner):
            return value.slice(from: first, count: count).map { judged(inner, $0) } ?? .no
        case .some(let inner):
            return value.arrayValue.map { .any($0) { judged(inner, $0) } } ?? .no
        case .every(let inner):
            return value.arrayValue.map { .all($0) { judged(inner, $0) } } ?? .no
        case .present, .not, .all, .any:
            return judgement(of: value, bindings)
        }
    }

    private func isContained(
        _ inner: ValueMatcher, in value: Value, _ bindings: [String: Value]
    ) throws(EvaluationError) -> Judgement {
        if let elements = value.arrayValue {
            return .any(elements) { Judgement(inner.result(for: $0, bindings: bindings)) }
        }
        guard let whole = value.octets else { return .no }
        switch inner {
        case .bytes(let expected): return Judgement(whole.hasPart(try expected.evaluate(bindings)))
        case .equals(let expected):
            return Judgement(try expected.evaluate(bindings).octets.map(whole.hasPart) ?? false)
        default: return .no
        }
    }

    /// Whether comparing with it can reach a limit.
    package var isLimited: Bool {
        switch self {
        case .matches: true
        case .equals(let value), .minimum(let value), .maximum(let value): !value.isLiteral
        case .oneOf(let values): !values.allSatisfy(\.isLiteral)
        case .bytes(let bytes), .starts(let bytes), .ends(let bytes): bytes.literalBytes == nil
        case .not(let inner), .length(let inner), .contains(let inner), .slice(_, _, let inner),
            .some(let inner), .every(let inner):
            inner.isLimited
        case .all(let inner), .any(let inner): inner.contains(where: \.isLimited)
        case .members(let conditions): conditions.contains(where: \.matcher.isLimited)
        case .present, .type, .mask: false
        }
    }
}

extension ValueExpression {
    fileprivate var isLiteral: Bool { if case .literal = self { true } else { false } }
}

extension ValueMatcher.Judgement {
    fileprivate init(_ search: TextPattern.SearchResult) {
        switch search {
        case .found: self = .yes
        case .notFound: self = .no
        case .limitReached: self = .undecided
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
