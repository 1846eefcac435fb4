import SuiteLanguage
import Wire

/// One field, or one party, in which a message differs from what a step demands.
///
/// Its texts are created on demand, because most messages that do not fit are in no report.
struct Difference: Sendable, Hashable {
    private enum Content: Hashable {
        /// `from`, `to` or `on`, the demanded party, and the actual one; `nil` for an unknown one.
        case party(String, expected: String, actual: String?)
        /// The condition, the actual value, and the values of variables.
        case field(FieldCondition, Value?, bindings: [String: Value])
    }

    private let content: Content

    /// Creates a difference between parties.
    init(party: String, expected: String, actual: String?) {
        content = .party(party, expected: expected, actual: actual)
    }

    /// Creates the reason why `value` does not satisfy `condition`.
    fileprivate init(_ condition: FieldCondition, _ value: Value?, bindings: [String: Value]) {
        content = .field(condition, value, bindings: bindings)
    }

    /// Whether it is a difference between parties.
    var isOfParties: Bool {
        if case .party = content { true } else { false }
    }

    /// The field's path, or `from`, `to` or `on` for the parties.
    var field: String {
        switch content {
        case .party(let name, _, _): name
        case .field(let condition, _, _): condition.path.description
        }
    }

    /// The demanded value, in suite syntax with variables replaced.
    private var expected: String {
        switch content {
        case .party(_, let expected, _): expected
        case .field(let condition, _, let bindings):
            MessageText.shortened(condition.matcher.filled(bindings).suiteText)
        }
    }

    /// The actual value, in suite syntax; `nil` if it is absent.
    private var actual: String? {
        switch content {
        case .party(_, _, let actual): actual ?? "an unknown party"
        case .field(let condition, let value, _):
            value.map { MessageText.shortened(condition.matcher.shown($0)) }
        }
    }

    /// The full texts, one for each member that differs.
    var details: [String] {
        switch content {
        case .party(let name, let expected, let actual):
            ["\(name): expected \(expected), got \(actual ?? "an unknown party")"]
        case .field(let condition, let value, let bindings):
            condition.matcher.explain(condition.path, value, bindings: bindings)
        }
    }

    /// The actual value, such as `params.language EN-US`, or `no params.language`.
    var actualText: String { actual.map { "\(field) \($0)" } ?? "no \(field)" }
    /// The actual value with a condition that it satisfies: `size 283 ({min: 214})`.
    ///
    /// A condition that says the same is left out.
    var satisfiedText: String {
        switch content {
        case .field(let condition, let value, let bindings):
            if case .equals = condition.matcher { return actualText }
            let matcher = MessageText.shortened(condition.matcher.filled(bindings).suiteText)
            return value == nil ? actualText : "\(actualText) (\(matcher))"
        case .party: return actualText
        }
    }
    /// The demanded value, such as `params.language DE-DE`.
    var expectedText: String { "\(field) \(expected)" }
}

/// The result of comparing a message with conditions.
enum Comparison: Sendable {
    case holds
    case differs([Difference])
    /// A condition refers to something that has no value, for this reason.
    case unbound(String)
    /// A limit was reached while a condition was compared, as this sentence says.
    case undecided(String)

    /// Returns the sentence about a comparison that reached the limit of a pattern.
    static func tooSlow(_ what: String) -> String {
        "whether \(what) was not decided: the pattern takes too long on it"
    }
}

extension [FieldCondition] {
    /// Returns the values by which `content` satisfies the conditions, each with its condition.
    func values(of content: any DissectedMessage, bindings: [String: Value]) -> [Difference] {
        map { Difference($0, content.value(at: $0.path), bindings: bindings) }
    }

    /// Compares every condition with `content`.
    func comparison(
        with content: any DissectedMessage, bindings: [String: Value]
    ) -> Comparison {
        var differences: [Difference] = []
        var undecided: String?
        for condition in self {
            let value = content.value(at: condition.path)
            switch condition.matcher.result(for: value, bindings: bindings) {
            case .matches: continue
            case .undecided:
                undecided =
                    undecided ?? condition.matcher.failure(bindings)?.description
                    ?? Comparison.tooSlow(
                        "\(condition.path) fits "
                            + MessageText.shortened(condition.matcher.suiteText))
                continue
            case .differs: break
            }
            if let failure = condition.matcher.failure(bindings) {
                return .unbound(failure.description)
            }
            differences.append(Difference(condition, value, bindings: bindings))
        }
        if differences.isEmpty, let undecided { return .undecided(undecided) }
        return differences.isEmpty ? .holds : .differs(differences)
    }
}

extension ValueMatcher {
    /// Returns why the first expression without a value has none.
    func failure(_ bindings: [String: Value]) -> EvaluationError? {
        switch self {
        case .equals(let value), .minimum(let value), .maximum(let value):
            return value.failure(bindings)
        case .oneOf(let values):
            return values.lazy.compactMap { $0.failure(bindings) }.first
        case .not(let inner), .length(let inner), .contains(let inner), .slice(_, _, let inner),
            .some(let inner), .every(let inner):
            return inner.failure(bindings)
        case .all(let inner), .any(let inner):
            return inner.lazy.compactMap { $0.failure(bindings) }.first
        case .members(let conditions):
            return conditions.lazy.compactMap { $0.matcher.failure(bindings) }.first
        case .bytes(let bytes), .starts(let bytes), .ends(let bytes):
            return ValueExpression.bytes(bytes).failure(bindings)
        case .matches, .present, .type, .mask:
            return nil
        }
    }
}

extension ValueExpression {
    fileprivate func failure(_ bindings: [String: Value]) -> EvaluationError? {
        do throws(EvaluationError) {
            _ = try evaluate(bindings)
            return nil
        } catch {
            return error
        }
    }
}
