import Suites
import Wire

/// One field, or one party, in which a message differs from what a step demands.
///
/// Its texts are made when they are asked for: most messages that do not fit are in no report.
struct Difference: Sendable, Hashable {
    private enum Content: Hashable {
        /// `from`, `to` or `on`, who is demanded, and who it is; `nil` for a stranger.
        case party(String, expected: String, actual: String?)
        /// What is demanded, what is there, and what the variables are.
        case field(FieldCondition, Value?, bindings: [String: Value])
    }

    private let content: Content

    /// A difference between parties.
    init(party: String, expected: String, actual: String?) {
        content = .party(party, expected: expected, actual: actual)
    }

    /// What keeps `value` from satisfying `condition`; `nil` if it does.
    init?(_ condition: FieldCondition, _ value: Value?, bindings: [String: Value]) {
        guard !condition.matcher.matches(value, bindings: bindings) else { return nil }
        content = .field(condition, value, bindings: bindings)
    }

    /// Whether it is between parties.
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

    /// What is demanded, in suite syntax with variables filled in.
    private var expected: String {
        switch content {
        case .party(_, let expected, _): expected
        case .field(let condition, _, let bindings):
            MessageText.shortened(condition.matcher.filled(bindings).suiteText)
        }
    }

    /// What is there, in suite syntax; `nil` if it is absent.
    private var actual: String? {
        switch content {
        case .party(_, _, let actual): actual ?? "a stranger"
        case .field(let condition, let value, _):
            value.map { MessageText.shortened(condition.matcher.shown($0)) }
        }
    }

    /// The same in full, one text for each member that differs.
    var details: [String] {
        switch content {
        case .party(let name, let expected, let actual):
            ["\(name): expected \(expected), got \(actual ?? "a stranger")"]
        case .field(let condition, let value, let bindings):
            condition.matcher.explain(condition.path, value, bindings: bindings)
        }
    }

    /// `params.language EN-US`, or `no params.language`.
    var actualText: String { actual.map { "\(field) \($0)" } ?? "no \(field)" }
    /// `params.language DE-DE`.
    var expectedText: String { "\(field) \(expected)" }
}

/// What comes of holding conditions against a message.
enum Comparison: Sendable {
    case holds
    case differs([Difference])
    /// A condition refers to something that has no value, for this reason.
    case unbound(String)
}

extension [FieldCondition] {
    /// Holds every condition against `content`.
    func comparison(
        with content: any DissectedMessage, bindings: [String: Value]
    ) -> Comparison {
        var differences: [Difference] = []
        for condition in self {
            let value = content.value(at: condition.path)
            guard let difference = Difference(condition, value, bindings: bindings) else {
                continue
            }
            if let failure = condition.matcher.failure(bindings) {
                return .unbound(failure.description)
            }
            differences.append(difference)
        }
        return differences.isEmpty ? .holds : .differs(differences)
    }
}

extension ValueMatcher {
    /// Why the first expression that has no value has none.
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
