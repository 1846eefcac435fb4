import Wire

/// When a client may try again: the rules of a `backoff` step for the waits between its attempts.
///
/// The waits are counted from 1 since the last reset. A wait is triggered by the failure of an
/// attempt, or by the loss of an established connection.
public struct BackoffSchedule: Sendable, Hashable {
    /// The growth of the waits, without jitter and cap.
    public enum Model: Sendable, Hashable {
        /// The first wait is the base, and each other wait is the value of the expression.
        case growth(base: Duration, WaitExpression)
        /// Each wait is drawn from a range of the list; the last range is repeated.
        case ranges([ClosedRange<Duration>])

        /// Every wait is the same.
        public static func fixed(_ wait: Duration) -> Model { .growth(base: wait, .previous) }

        /// Each wait is longer than the one before by `step`.
        public static func linear(base: Duration, step: Duration) -> Model {
            .growth(base: base, .sum(.previous, .wait(step)))
        }

        /// Each wait is the one before times `factor`.
        public static func exponential(base: Duration, factor: Double) -> Model {
            .growth(base: base, .product(.previous, .number(factor)))
        }

        /// The waits are those of the list; the last one is repeated.
        public static func list(_ waits: [Duration]) -> Model { .ranges(waits.map { $0...$0 }) }

        /// Whether every wait is the same.
        var isFixed: Bool {
            if case .growth(_, .previous) = self { true } else { false }
        }
    }

    /// The random part of a wait.
    public enum Jitter: Sendable, Hashable {
        case none
        /// Anything from zero to the whole wait.
        case full
        /// Anything from half of the wait to the whole wait.
        case equal
        /// Anything from the base to the given multiple of the wait before.
        case decorrelated(factor: Double)
        /// The wait, plus or minus the larger of an absolute and a relative bound.
        case plusMinus(Tolerance)
        /// The wait, shorter by up to one bound or longer by up to another.
        case uneven(minus: Tolerance, plus: Tolerance)
        /// The wait, or longer by up to the larger of an absolute and a relative bound.
        case plus(Tolerance)
    }

    /// The distribution of random waits between their bounds.
    public enum Distribution: String, Sendable, Hashable, CaseIterable {
        /// Even; all waits together are judged by it.
        case even
        /// Any distribution; only the bounds are judged.
        case any
    }

    /// The maximum number of attempts that may begin within any period of a given length.
    public struct Budget: Sendable, Hashable {
        /// The number of attempts.
        public var attempts: Int
        /// The length of the period.
        public var within: Duration
    }

    /// The unit of a number in a message.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        case seconds = "s"
        case milliseconds = "ms"
    }

    /// A wait that an earlier step has saved from a message.
    public struct SavedWait: Sendable, Hashable {
        /// The variable.
        public var variable: String
        /// The unit of its number.
        public var unit = Unit.seconds
    }

    /// A message that gives the length of the next wait, such as Retry-After of HTTP (RFC 9110
    /// 10.2.3).
    public struct Hint: Sendable, Hashable {
        /// The message.
        public var sign: Sign
        /// The field with the length.
        public var field: FieldPath
        /// The unit of the field.
        public var unit: Unit = .seconds
    }

    /// A pattern of messages that decide the outcome of an attempt.
    public struct Sign: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name of the message.
        public var message: String
        /// The sender; `nil` for any sender.
        public var from: String?
        /// Conditions on its fields, all of which must hold.
        public var conditions: [FieldCondition]

        /// Creates a description of messages.
        public init(
            _ message: String, from: String? = nil, conditions: [FieldCondition] = []
        ) {
            self.message = message
            self.from = from
            self.conditions = conditions
        }

        /// Creates a sign for all messages of that name.
        public init(stringLiteral name: String) { self.init(name) }
    }

    /// The step of the calculation in which the cap is applied.
    public enum CapPlace: String, Sendable, Hashable, CaseIterable {
        case beforeJitter = "before-jitter"
        case afterJitter = "after-jitter"
        case both
    }

    /// The event after which the waits begin again.
    public enum Reset: Sendable, Hashable {
        case never
        /// Every success.
        case success
        /// The loss of a connection that was up longer than that after its success.
        case stable(Duration)
        /// A time between two triggers that is longer than the given multiple of the next wait.
        case elapsed(multiple: Double)
    }

    /// The moment from which the wait after a failed attempt counts.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        case attemptStart = "attempt-start"
        case attemptFailure = "attempt-failure"
    }

    /// The demands of a schedule on attempts; each can be broken alone.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// An attempt without a wait comes at once.
        case immediacy
        /// The growth of the waits.
        case delay
        /// No wait is longer than the maximum.
        case cap
        /// How much too early or too late an attempt may come.
        case leeway
        /// A wait counts from the failure of the attempt before.
        case detection
        /// There is one attempt for each wait.
        case single
        /// How the loss of an established connection affects the waits.
        case reset
        /// An outage does not make the waits begin again.
        case outage
        /// Random waits are distributed as they should be.
        case chance
        /// There are no more attempts in a period than the budget allows.
        case budget
        /// Attempts go on until they must end, and not longer.
        case end
    }

    /// The requirements that a rule judges.
    public struct RuleChecks: Sendable, Hashable {
        /// The rule.
        public var rule: Rule
        /// The requirements.
        public var requirements: [String]
    }

    /// The message that starts an attempt.
    public var attempt = "tcp.SYN"
    /// The message by which an attempt succeeds.
    ///
    /// `nil` means `tcp.established`. If the client then sends a request and the connection ends
    /// without a byte in answer, it is undecided whether the attempt succeeded.
    public var success: Sign?
    /// The messages by which an attempt fails or a connection is lost.
    public var failures = Self.transportFailures
    /// The first wait, if it does not belong to the model.
    public var first: Duration?
    /// The longest first wait, if it is drawn at random from `first` up to this.
    public var firstMost: Duration?
    /// The range from which the client draws its base once; the model has the longest base.
    public var base: ClosedRange<Duration>?
    /// The variable that holds the model's base; `nil` if the model contains it.
    public var savedBase: SavedWait?
    /// The growth of the waits.
    public var model: Model
    /// Whether the waits of a list begin again after the last of them.
    public var isCyclic = false
    /// The longest wait.
    public var cap: Duration?
    /// The shortest wait, applied after the random part.
    public var floor: Duration?
    /// The step of the calculation in which the cap is applied.
    public var capPlace = CapPlace.beforeJitter
    /// The random part of the waits.
    public var jitter = Jitter.none
    /// The distribution of random waits.
    public var distribution = Distribution.even
    /// The maximum probability of refusing a client whose waits are distributed correctly.
    public var level = Self.usualLevel
    /// The messages that give the length of the next wait; `nil` if the client ignores them.
    public var hint: Hint?
    /// How many times faster the client runs than the numbers in messages say.
    public var timeScale = TimeScale.real
    /// The event after which the waits begin again.
    public var reset = Reset.never
    /// The moment from which the wait after a failed attempt counts.
    public var origin = Origin.attemptFailure
    /// How long the client waits for an answer to an attempt; `nil` if it is not known.
    public var timeout: Duration?
    /// The number of attempts after the first trigger.
    public var attempts: ClosedRange<Int>
    /// How long no attempt may follow the last one; `nil` if the step ends with the last attempt.
    public var silence: Duration?
    /// Whether no attempt may follow the last one until the capture ends.
    public var isSilentToTheEnd = false
    /// The limit on attempts in a period; `nil` for no limit.
    public var budget: Budget?
    /// The time after the first failure from which a failure is not followed by an attempt; `nil`
    /// for no limit.
    public var maxElapsed: Duration?
    /// Whether a wait that would end after `maxElapsed` ends then, with one last attempt.
    public var isCut = false
    /// How much too early an attempt may come.
    public var early = Tolerance()
    /// How much too late an attempt may come.
    public var late = Tolerance()
    /// How much too late an attempt without a wait may come; `nil` for `late`.
    public var immediate: Duration?
    /// The requirements of single rules; empty if the step does not distinguish the rules.
    public var checks: [RuleChecks] = []

    /// The sign by which an attempt succeeds, whether it is set or the default.
    public var successSign: Sign { success ?? "tcp.established" }

    /// Whether an attempt succeeds with the end of a TLS handshake.
    public var watchesHandshake: Bool { success?.message == Self.handshake }

    /// The name of the sign for the end of a TLS handshake.
    public static let handshake = "tls.handshake"

    /// The default level of the statistical tests.
    public static let usualLevel = 1e-6

    /// The message by which a decoder says that a TLS handshake has ended.
    public static let finishedHandshake = "tls.handshakeFinished"

    /// The messages with the first bytes that a client or its server sends if no decoder of what
    /// they carry recognises them.
    public static let plainData: Set<String> = [
        "tcp.data", "tls.ClientHello", "tls.ServerHello", "tls.Alert",
    ]

    /// The names of the messages that show the success of an attempt.
    private var successNames: Set<String> {
        watchesHandshake ? ["tcp.data", Self.finishedHandshake] : [successSign.message]
    }

    /// Whether messages of that name can decide the outcome of attempts.
    public func considers(_ message: String) -> Bool {
        successNames.contains(message)
            || failures.contains { $0.message == message } || message == hint?.sign.message
    }

    /// The names of all relevant messages other than attempts.
    public var signNames: Set<String> {
        var names = Set(failures.map(\.message))
        names.formUnion(successNames)
        if success == nil { names.formUnion(Self.plainData) }
        if let hint { names.insert(hint.sign.message) }
        return names
    }

    /// Whether attempts may end before their maximum number is reached.
    public var isOpenEnded: Bool { silence != nil || isSilentToTheEnd }

    /// How much too late an attempt with that wait may come.
    public func lateness(after wait: Duration) -> Duration {
        if wait == .zero, let immediate { return immediate }
        return late.bound(for: wait)
    }

    /// The requirements of these rules, without duplicates.
    public func requirements(of rules: [Rule]) -> [String] {
        rules.flatMap { rule in checks.filter { $0.rule == rule }.flatMap(\.requirements) }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The messages that end a TCP connection, or an attempt to open one.
    public static let transportFailures: [Sign] = [
        "tcp.refused", "tcp.RST", "tcp.FIN", "icmp.unreachable",
    ]
}
