import Judge
import Results

/// How often a case is executed, and how its executions are combined into one result.
public enum AttemptPolicy: Sendable, Hashable {
    /// Once.
    case once
    /// Exactly this number of times (`--repeat N`).
    case repeated(Int)
    /// Until it does not pass, at most this number of times (`--repeat N --fail-fast`).
    case untilFailure(atMost: Int)
    /// Again after each failure or inconclusive execution, at most N times (`--retries N`).
    case retried(Int)

    /// How often at most a case that the machine was too busy to judge is executed again.
    public static let lateRetries = 4

    /// Returns how many executions may start now, after those with these verdicts have ended.
    ///
    /// They may run in parallel, because none of them depends on how another ends.
    public func wanted(after verdicts: [Verdict]) -> Int {
        switch self {
        case .once: verdicts.isEmpty ? 1 : 0
        case .repeated(let count): max(0, max(1, count) - verdicts.count)
        case .untilFailure(let most):
            verdicts.count < max(1, most) && verdicts.allSatisfy { $0 == .pass } ? 1 : 0
        case .retried(let retries):
            switch verdicts.last {
            case nil: 1
            case .fail, .inconclusive: verdicts.count <= retries ? 1 : 0
            default: 0
            }
        }
    }

    /// Returns the one result of a case from all of its executions; `nil` without any.
    ///
    /// The first execution with the gravest verdict represents the case. Under `retried`, a pass at
    /// the end makes the case flaky: reason, steps and capture are those of the first execution,
    /// and the requirements are judged as in the last one.
    public func folded(_ attempts: [CaseResult]) -> CaseResult? {
        guard let first = attempts.first, let last = attempts.last else { return nil }
        guard attempts.count > 1 || measuresRate else { return first }
        var result = Self.gravest(of: attempts) ?? first
        if case .retried = self {
            if last.verdict == .pass {
                result = first
                result.verdict = .flaky
                result.checks = last.checks
            }
            result.remarks.append(Self.outcome(ofRetries: attempts))
        } else {
            result.remarks.append(FailureRate(attempts.map(\.verdict)).description)
        }
        result.executions = attempts.map(Execution.init)
        return result
    }

    private var measuresRate: Bool {
        switch self {
        case .once, .retried: false
        case .repeated, .untilFailure: true
        }
    }

    /// Returns the first result with the gravest verdict.
    ///
    /// Failures come first, then what could not be judged.
    private static func gravest(of attempts: [CaseResult]) -> CaseResult? {
        let order: [Verdict] = [
            .fail, .error, .inconclusive, .none, .skipped, .known, .flaky, .pass,
        ]
        return order.lazy.compactMap { verdict in attempts.first { $0.verdict == verdict } }.first
    }

    private static func outcome(ofRetries attempts: [CaseResult]) -> String {
        let words = attempts.map(\.verdict.rawValue).joined(separator: ", ")
        return attempts.last?.verdict == .pass
            ? "passed only at attempt \(attempts.count): \(words)"
            : "not passed in \(attempts.count) attempts: \(words)"
    }
}
