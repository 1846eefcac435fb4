import Wire

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
        /// As listed, each drawn from a range; the last one goes on.
        case ranges([ClosedRange<Duration>])
        /// The base, then the second, then always the sum of the two before.
        case fibonacci(base: Duration, second: Duration)
        /// The base times the number of the wait to that power.
        case polynomial(base: Duration, power: Double)
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
        /// The wait, or longer by up to the larger of an absolute and a relative bound.
        case plus(Tolerance)
    }

    /// How chance spreads the waits over their bounds.
    public enum Distribution: String, Sendable, Hashable, CaseIterable {
        /// Evenly, which all waits together are judged by.
        case even
        /// In any way: the bounds alone are judged.
        case any
    }

    /// At most so many attempts begin within any such time.
    public struct Budget: Sendable, Hashable {
        /// How many.
        public var attempts: Int
        /// In which time.
        public var within: Duration
    }

    /// What a number in a message counts.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        case seconds = "s"
        case milliseconds = "ms"
    }

    /// A wait that an earlier step has saved from a message.
    public struct SavedWait: Sendable, Hashable {
        /// The variable.
        public var variable: String
        /// What its number counts.
        public var unit = Unit.seconds
    }

    /// A message that says how long the wait that is next takes, such as Retry-After of HTTP
    /// (RFC 9110 10.2.3).
    public struct Hint: Sendable, Hashable {
        /// The message.
        public var sign: Sign
        /// Its field.
        public var field: FieldPath
        /// What the field counts.
        public var unit: Unit

        /// Makes a description of such messages.
        public init(_ sign: Sign, field: FieldPath, unit: Unit = .seconds) {
            self.sign = sign
            self.field = field
            self.unit = unit
        }
    }

    /// What a message must be like that decides an attempt.
    public struct Sign: Sendable, Hashable, ExpressibleByStringLiteral {
        /// Its name.
        public var message: String
        /// Who sends it; `nil` for anyone.
        public var from: String?
        /// Conditions on its fields, all of which must hold.
        public var conditions: [FieldCondition]

        /// Makes a description of messages.
        public init(
            _ message: String, from: String? = nil, conditions: [FieldCondition] = []
        ) {
            self.message = message
            self.from = from
            self.conditions = conditions
        }

        /// Messages of that name.
        public init(stringLiteral name: String) { self.init(name) }
    }

    /// Where the cap stands in the calculation.
    public enum CapPlace: String, Sendable, Hashable, CaseIterable {
        case beforeJitter = "before-jitter"
        case afterJitter = "after-jitter"
        case both
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
        /// No more attempts in a time than the budget has.
        case budget
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
    ///
    /// `nil` for `tcp.established`; where the client then asks for something and the connection ends
    /// without a byte in answer, the attempt may have succeeded or not.
    public var success: Sign?
    /// The messages by which an attempt fails or a connection falls.
    public var failures = Self.transportFailures
    /// The first wait, where it is not one of the model's.
    public var first: Duration?
    /// The longest that the first wait may be, if chance draws it from `first` up to this.
    public var firstMost: Duration?
    /// From what the client draws its base, once and for all; the model has the longest.
    public var base: ClosedRange<Duration>?
    /// The variable that holds the model's base; `nil` if the model has it.
    public var savedBase: SavedWait?
    /// How the waits grow.
    public var model: Model
    /// The longest wait.
    public var cap: Duration?
    /// The shortest wait, whatever chance has drawn.
    public var floor: Duration?
    /// Where the cap stands.
    public var capPlace = CapPlace.beforeJitter
    /// What chance does.
    public var jitter = Jitter.none
    /// How chance spreads the waits.
    public var distribution = Distribution.even
    /// With what probability at most a client is refused whose waits are spread as they should be.
    public var level = Self.usualLevel
    /// The messages that say how long the next wait is; `nil` if the client heeds none.
    public var hint: Hint?
    /// How many times faster than the numbers in messages the client runs.
    public var timeScale = TimeScale.real
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
    /// Whether no attempt may follow the last one until the capture ends.
    public var isSilentToTheEnd = false
    /// How many attempts there may be in a time; `nil` for any number.
    public var budget: Budget?
    /// After a failure that is so much later than the first one no attempt follows; `nil` for ever.
    public var maxElapsed: Duration?
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

    /// The sign by which an attempt succeeds if that is said or not.
    public var successSign: Sign { success ?? "tcp.established" }

    /// Whether the end of a TLS handshake is the success of an attempt.
    public var watchesHandshake: Bool { success?.message == Self.handshake }

    /// The name that a success has which is the end of a TLS handshake.
    public static let handshake = "tls.handshake"

    /// The level of the tests of chance if none is said.
    public static let usualLevel = 1e-6

    /// Whether messages of that name say what becomes of attempts.
    public func heeds(_ message: String) -> Bool {
        message == (watchesHandshake ? "tcp.data" : successSign.message)
            || failures.contains { $0.message == message } || message == hint?.sign.message
    }

    /// The names of all messages that matter to it beside attempts.
    public var signNames: Set<String> {
        var names = Set(failures.map(\.message))
        names.insert(watchesHandshake ? "tcp.data" : successSign.message)
        if success == nil { names.insert("tcp.data") }
        if let hint { names.insert(hint.sign.message) }
        return names
    }

    /// Whether attempts may end before there are as many as there may be.
    public var isOpenEnded: Bool { silence != nil || isSilentToTheEnd }

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
    public static let transportFailures: [Sign] = [
        "tcp.refused", "tcp.RST", "tcp.FIN", "icmp.unreachable",
    ]
}
