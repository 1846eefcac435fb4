import Results
import SuiteLanguage
import TCPIP
import Trace
import Wire

/// Follows the attempts of a client along a schedule.
///
/// It has no clock: its output is a function of the events that it was given. If a time is so close
/// to the limit of a reset that the traffic cannot show on which side the client saw it, both are
/// followed until an attempt decides.
struct ScheduleFollower: Sendable, Hashable {
    /// The result of an event.
    enum Outcome: Sendable, Hashable {
        /// It is not an attempt.
        case passed
        /// It is an attempt that keeps the schedule.
        case taken
        /// It is the last attempt, and all attempts keep the schedule.
        case done
        case violated(ScheduleViolation)
    }

    /// The information in a message about the next wait.
    enum Hint: Sendable, Hashable {
        case wait(Duration)
        /// It is not a number, for example a date: the wait is not known.
        case unread
    }

    /// The roles of a message in the schedule.
    struct Roles: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        /// It starts an attempt of the client.
        static let attempt = Roles(rawValue: 1)
        static let success = Roles(rawValue: 2)
        static let failure = Roles(rawValue: 4)
        /// It is data that the client sends.
        static let requested = Roles(rawValue: 8)
        /// It is data that the client receives.
        static let answered = Roles(rawValue: 16)
    }

    /// The last attempt, or the state before the first.
    struct Present: Sendable, Hashable {
        var start: Timestamp
        /// The connection; `nil` if it is not known.
        var flow: Int?
        var success: Timestamp?
        /// When it failed, or its connection closed.
        var end: Timestamp?
        /// Whether the peer's kernel refused it.
        var isRefused = false
        var hasAsked = false
        var isAnswered = false
        var handshake = TLSHandshake()
        /// The server's information about the wait after it.
        var hint: Hint?
    }

    let schedule: BackoffSchedule
    /// The waits so far.
    private(set) var intervals: [ScheduledInterval] = []
    /// The waits that are random.
    private(set) var samples: [SpreadTest.Sample] = []
    private(set) var present: Present
    /// Whether attempts are judged; before that only their outcomes are recorded.
    private(set) var isJudging = false
    /// When the last attempt kept the schedule; `nil` before that.
    private(set) var finished: Timestamp?
    /// Whether the last attempt of the schedule came, and the outage allows no other one after it.
    private(set) var isExhausted = false
    /// Whether the first wait may count from something later than the start of the step.
    private var isBeginningOpen = false
    /// Whether an attempt has been seen.
    private var hasAttempt = false
    /// Whether the next attempt precedes the first wait.
    ///
    /// That is so if the previous step was about another client or target, and no attempt of this
    /// one has been seen.
    private(set) var isBeforeFirst = false
    /// The possible numbers of waits since the last reset; several if the traffic does not show it.
    private(set) var waited = [0]
    private(set) var previousEnd: Timestamp?
    private(set) var previousWait: Duration?
    /// The possible values of a base that the client draws.
    private(set) var base: ClosedRange<Duration>?
    /// When the outage may have begun.
    private(set) var outage: ClosedRange<Timestamp>?
    /// When attempts began, for as long as the budget needs.
    private var starts: [Timestamp] = []
    private var life = 0
    /// The least distance of a time from the limit that decided whether it resets the waits.
    private var distanceToReset: Duration?

    /// Records the outcomes of attempts until `begin`.
    init(watching schedule: BackoffSchedule, at time: Timestamp) {
        self.schedule = schedule
        present = Present(start: time, end: time)
        base = schedule.base
    }

    /// Starts judging attempts, after a step that was done at `origin`.
    ///
    /// - Parameters:
    ///   - origin: When the step was done.
    ///   - message: The message that it took.
    ///   - roles: The roles of the message in the schedule.
    ///   - isOther: Whether the message is about another client, so that the known state of this
    ///     client's last attempt is kept.
    mutating func begin(
        origin: Timestamp, after message: TraceMessage?, as roles: Roles, isOther: Bool = false
    ) {
        isJudging = true
        if isOther, hasAttempt {
            starts = [present.start]
            return
        }
        isBeforeFirst = isOther
        present = Present(start: origin, end: origin)
        isBeginningOpen = true
        guard let message else { return }
        if roles.contains(.attempt) {
            present = Present(start: message.time, flow: message.flow)
            starts = [message.time]
        } else if roles.contains(.success) {
            present = Present(start: message.time, flow: message.flow, success: message.time)
        } else if roles.contains(.failure) {
            present.flow = message.flow
        } else {
            return
        }
        isBeginningOpen = false
    }

    /// Records a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - roles: Its roles in the schedule.
    ///   - hint: Its information about the next wait.
    mutating func consume(
        _ message: TraceMessage, as roles: Roles, hint: Hint? = nil
    ) -> Outcome {
        if roles.contains(.attempt) { return attempt(message) }
        if let flow = present.flow, let other = message.flow, flow != other { return .passed }
        if let hint { present.hint = hint }
        // What comes after a refusal answers the same attempt, which the kernel has repeated.
        let isRepeated = present.isRefused && present.flow != nil && present.flow == message.flow
        let isOpen = present.end == nil || isBeginningOpen || isRepeated
        if !roles.isDisjoint(with: [.requested, .answered]) { recordData(message, roles, isOpen) }
        if roles.contains(.success), present.success == nil, isOpen {
            present.success = message.time
            present.flow = message.flow
            present.end = nil
        } else if roles.contains(.failure), isOpen {
            present.end = message.time
            present.flow = message.flow
            present.isRefused = Self.refusals.contains(message.name)
            isBeginningOpen = false
        }
        return .passed
    }

    /// The messages by which a host refuses an attempt that the client's kernel may repeat.
    private static let refusals: Set = ["tcp.refused", "icmp.unreachable"]

    /// Records that bytes of a connection are missing.
    mutating func recordGap(flow: Int?) {
        if let flow, flow == present.flow { present.handshake.gap() }
    }

    /// Records that no further attempts are demanded of the client.
    mutating func finish(at time: Timestamp) { finished = finished ?? time }

    private mutating func recordData(_ message: TraceMessage, _ roles: Roles, _ isOpen: Bool) {
        guard let flow = present.flow, flow == message.flow else { return }
        let isOfClient = roles.contains(.requested)
        present.hasAsked = present.hasAsked || isOfClient
        present.isAnswered = present.isAnswered || !isOfClient
        guard schedule.watchesHandshake, present.success == nil, isOpen,
            let event = message.content as? TCPEvent
        else { return }
        present.handshake.consume(event.bytes, fromClient: isOfClient)
        guard present.handshake.progress == .finished else { return }
        present.success = message.time
        present.end = nil
    }

    // MARK: - Attempts

    private mutating func attempt(_ message: TraceMessage) -> Outcome {
        hasAttempt = true
        let next = Present(start: message.time, flow: message.flow)
        guard isJudging else {
            present = next
            return .passed
        }
        if isBeforeFirst {
            (isBeforeFirst, isBeginningOpen, present, starts) = (false, false, next, [message.time])
            return .taken
        }
        guard finished == nil else { return .taken }
        guard intervals.count < schedule.attempts.upperBound else {
            let isPending = present.success == nil && present.end == nil
            return .violated(
                ScheduleViolation(
                    .tooMany(schedule.attempts.upperBound), of: [isPending ? .single : .end]))
        }
        guard present.success == nil || present.end != nil else {
            present = next
            return .violated(
                ScheduleViolation(.parallel(attempt: intervals.count + 1), of: [.single]))
        }
        distanceToReset = [distanceToReset, nextDistanceToReset].compactMap(\.self).min()
        let choices = waits
        let kept = choices.filter { $0.admits(message.time) }
        guard
            let wait = kept.first
                ?? choices.min(by: { $0.miss(message.time) < $1.miss(message.time) })
        else { return .passed }
        starts.append(message.time)
        let isLast = isLast(at: message.time, ending: kept)
        let violation = violation(of: wait, isKept: !kept.isEmpty, by: message)
        intervals.append(
            violation?.interval
                ?? wait.interval(
                    intervals.count + 1, endedAt: message.time, frame: message.frames.last))
        record(wait, kept, at: message.time)
        present = next
        isBeginningOpen = false
        if let violation { return .violated(violation) }
        guard intervals.count == schedule.attempts.upperBound, !schedule.isOpenEnded else {
            return .taken
        }
        isExhausted = isLast
        return isLast ? .taken : conclusion
    }

    /// Returns how an attempt breaks the schedule; `nil` if it keeps it.
    private func violation(
        of wait: PendingWait, isKept: Bool, by message: TraceMessage
    ) -> ScheduleViolation? {
        let measured = message.time - wait.base
        func made(
            _ kind: ScheduleViolation.Kind, _ rules: [BackoffSchedule.Rule]
        ) -> ScheduleViolation {
            var interval = wait.interval(
                intervals.count + 1, endedAt: message.time, frame: message.frames.last,
                broken: rules)
            interval.isKept = false
            var violation = ScheduleViolation(kind, of: rules, interval: interval)
            violation.distanceToReset = distanceToReset
            return violation
        }
        if !isKept, schedule.isCut, mayGiveUp, let limit = schedule.maxElapsed, let outage {
            return made(.tooLong(message.time - outage.lowerBound, limit), [.end])
        }
        if !isKept {
            let isEarly = measured < wait.lower
            var violation = made(
                isEarly
                    ? .early(wait.lower - measured) : .late(measured - (wait.upper ?? measured)),
                blame(wait, measured).rules)
            violation.isSurelyEarly = isEarly && isRefusalDecisive
            return violation
        }
        if let elapsed = excessOfElapsed(wait), let limit = schedule.maxElapsed {
            return made(.tooLong(elapsed, limit), [.end])
        }
        if let budget = schedule.budget {
            let since = message.time - budget.within + schedule.late.absolute
            let counted = starts.filter { $0 > since }
            if counted.count > budget.attempts {
                var violation = made(.overBudget(budget), [.budget])
                violation.shortfall = counted[counted.count - budget.attempts - 1] - since
                return violation
            }
        }
        return nil
    }

    /// Returns the object that determines which rule a wait breaks.
    private func blame(_ wait: PendingWait, _ measured: Duration) -> ScheduleCause {
        let isConnectionLoss = present.success != nil
        return ScheduleCause(
            schedule: schedule, number: wait.number, nextNumber: (waited.max() ?? 0) + 1,
            bounds: wait.bounds, isFirst: intervals.isEmpty, measured: measured,
            isConnectionLoss: isConnectionLoss,
            failedAfter: isConnectionLoss ? nil : end(of: present).map { $0 - present.start },
            isFailureSeen: present.end != nil)
    }

    /// Whether the next wait counts only from a refusal by the peer's kernel.
    private var isRefusalDecisive: Bool {
        if case .elapsed = schedule.reset { return false }
        return present.isRefused && schedule.origin == .attemptFailure
    }

    /// Records what an attempt shows about the client.
    private mutating func record(_ wait: PendingWait, _ kept: [PendingWait], at time: Timestamp) {
        let measured = time - wait.base
        let numbers = unique(kept.isEmpty ? [wait.number] : kept.map(\.number))
        if numbers.min() ?? 1 <= waited.max() ?? 0 { life += 1 }
        if numbers.count == 1, !kept.isEmpty, present.end != nil { sample(wait, measured) }
        if !kept.isEmpty, schedule.isBase(wait.number), !wait.isWidened, let known = base,
            schedule.jitter == .none, wait.upper != nil
        {
            let least = max(known.lowerBound, measured - schedule.lateness(after: measured))
            let most = min(known.upperBound, measured + schedule.early.bound(for: measured))
            base = min(least, known.upperBound)...max(least, most)
        }
        let trigger = end(of: present) ?? wait.base
        if numbers == [1] || outage == nil {
            outage = trigger...trigger
        } else if numbers.contains(1), let first = outage {
            outage = first.lowerBound...max(first.upperBound, trigger)
        }
        if let budget = schedule.budget { starts.removeAll { time - $0 > budget.within } }
        waited = numbers
        previousEnd = end(of: present) ?? previousEnd
        previousWait = measured
    }

    /// The outcome if there are no more attempts.
    var conclusion: Outcome {
        SpreadTest(samples, level: schedule.level).fault.map {
            .violated(ScheduleViolation(.spread($0), of: [.chance]))
        } ?? .done
    }

    private mutating func sample(_ wait: PendingWait, _ measured: Duration) {
        let bounds = wait.bounds
        guard schedule.distribution == .even, bounds.isEven, bounds.uncut > bounds.lower,
            !wait.isWidened
        else { return }
        let late = schedule.late.bound(for: bounds.upper)
        let early = schedule.early.bound(for: bounds.upper)
        var (dependsOnHistory, share) = (false, 1.0)
        if case .decorrelated(let factor) = schedule.jitter {
            (dependsOnHistory, share) = (true, 1 + factor)
        }
        samples.append(
            SpreadTest.Sample(
                measured: measured / .seconds(1), lower: bounds.lower / .seconds(1),
                upper: bounds.upper / .seconds(1), uncut: bounds.uncut / .seconds(1),
                floor: bounds.floor.map { $0 / .seconds(1) },
                early: early * share / .seconds(1), late: late * share / .seconds(1),
                dependsOnHistory: dependsOnHistory,
                life: life, number: wait.number, began: wait.base))
    }

    /// Returns the violation for an attempt that has not come.
    mutating func missing() -> ScheduleViolation {
        let wait = waits.max { ($0.upper ?? .zero) < ($1.upper ?? .zero) }
        let isFirst = wait?.bounds.upper == .zero && intervals.isEmpty
        let rules: [BackoffSchedule.Rule] = isFirst ? [.immediacy, .end] : [.end]
        let interval = wait?.interval(
            intervals.count + 1, endedAt: nil, frame: nil, broken: rules)
        return ScheduleViolation(.absent, of: rules, interval: interval)
    }
}

func unique(_ numbers: [Int]) -> [Int] {
    numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}
