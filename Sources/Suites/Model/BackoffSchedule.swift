/// When a client may try again: what a `backoff` step says of the waits between its attempts.
///
/// The waits are counted from 1 since the last reset. What triggers one is the failure of an
/// attempt, or the fall of a connection that stood.
public struct BackoffSchedule: Sendable, Hashable {
    /// How the waits grow, without jitter and cap.
    public enum Model: Sendable, Hashable {
        /// Always the same.
        case fixed(Duration)
        /// By so much more each time.
        case linear(base: Duration, step: Duration)
        /// By that factor each time.
        case exponential(base: Duration, factor: Double)
        /// As listed; the last one goes on.
        case list([Duration])
    }

    /// What chance does to a wait.
    public enum Jitter: Sendable, Hashable {
        case none
        /// Anything from nothing to the whole wait.
        case full
        /// Anything from half of the wait to the whole.
        case equal
        /// Anything from the base to that multiple of the wait before.
        case decorrelated(factor: Double)
        /// The wait, give or take the larger of an absolute and a relative bound.
        case plusMinus(Tolerance)
    }

    /// Where the cap stands in the calculation.
    public enum CapPlace: String, Sendable, Hashable, CaseIterable {
        case beforeJitter = "before-jitter"
        case afterJitter = "after-jitter"
    }

    /// What makes the waits begin anew.
    public enum Reset: Sendable, Hashable {
        case never
        /// Every success.
        case success
        /// A connection that stood longer than that after its success.
        case stable(Duration)
        /// More time between two triggers than that multiple of the wait that is next.
        case elapsed(multiple: Double)
    }

    /// What the wait after a failed attempt counts from.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        case attemptStart = "attempt-start"
        case attemptFailure = "attempt-failure"
    }

    /// What a schedule demands of attempts; each can be broken alone.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// An attempt that has nothing to wait for comes at once.
        case immediacy
        /// How the waits grow.
        case delay
        /// No wait is longer than the longest.
        case cap
        /// How much too early and too late an attempt may come.
        case leeway
        /// A wait counts from the failure of the attempt before.
        case detection
        /// There is one attempt for each wait.
        case single
        /// What the fall of a connection that stood makes of the waits.
        case reset
        /// An outage does not make the waits begin anew.
        case outage
        /// What chance draws is spread.
        case chance
        /// Attempts go on until they are to end, and not longer.
        case end
    }

    /// The requirements that a rule stands for.
    public struct RuleChecks: Sendable, Hashable {
        /// The rule.
        public var rule: Rule
        /// The requirements.
        public var requirements: [String]

        /// Makes an entry.
        public init(_ rule: Rule, _ requirements: [String]) {
            self.rule = rule
            self.requirements = requirements
        }
    }

    /// The message that starts an attempt.
    public var attempt = "tcp.SYN"
    /// The message by which an attempt succeeds.
    public var success = "tcp.established"
    /// The messages by which an attempt fails or a connection falls.
    public var failures = Self.transportFailures
    /// The first wait, where it stands outside of the model.
    public var first: Duration?
    /// How the waits grow.
    public var model: Model
    /// The longest wait.
    public var cap: Duration?
    /// Where the cap stands.
    public var capPlace = CapPlace.beforeJitter
    /// What chance does.
    public var jitter = Jitter.none
    /// What makes the waits begin anew.
    public var reset = Reset.never
    /// What the wait after a failed attempt counts from.
    public var origin = Origin.attemptFailure
    /// How long the client waits for an answer to an attempt; `nil` if that is not known.
    public var timeout: Duration?
    /// How many attempts there are behind the first trigger.
    public var attempts: ClosedRange<Int>
    /// How long no attempt may follow the last one; `nil` if the step ends with the last attempt.
    public var silence: Duration?
    /// How much too early an attempt may come.
    public var early = Tolerance()
    /// How much too late an attempt may come.
    public var late = Tolerance()
    /// How much too late an attempt may come that has nothing to wait for; `nil` for `late`.
    public var immediate: Duration?
    /// The requirements that rules stand for; empty if the step does not tell the rules apart.
    public var checks: [RuleChecks] = []

    /// Makes a schedule without cap, jitter and reset.
    public init(_ model: Model, attempts: ClosedRange<Int>) {
        self.model = model
        self.attempts = attempts
    }

    /// Whether messages of that name tell what becomes of attempts.
    public func heeds(_ message: String) -> Bool {
        message == success || failures.contains(message)
    }

    /// How much too late an attempt may come whose wait is that long.
    public func lateness(after wait: Duration) -> Duration {
        if wait == .zero, let immediate { return immediate }
        return late.bound(for: wait)
    }

    /// The requirements that these rules stand for, each once.
    public func requirements(of rules: [Rule]) -> [String] {
        rules.flatMap { rule in checks.filter { $0.rule == rule }.flatMap(\.requirements) }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// What ends a TCP connection, or an attempt at one.
    public static let transportFailures = [
        "tcp.refused", "tcp.RST", "tcp.FIN", "icmp.unreachable",
    ]
}
