import Suites
import Trace

/// Follows the attempts of a client along a schedule.
///
/// It holds no clock: what it says is a function of the events that it was given. Where a time
/// lies so close to the limit of a reset that the wire cannot tell on which side the client saw
/// it, both are followed until an attempt decides.
struct ScheduleFollower: Sendable, Hashable {
    /// What comes of an event.
    enum Outcome: Sendable, Hashable {
        /// It is no attempt.
        case passed
        /// It is an attempt that keeps the schedule.
        case taken
        /// It is the last one, and all of them keep the schedule.
        case done
        case violated(ScheduleViolation)
    }

    /// The attempt that was made last, or what stood before the first.
    private struct Present: Sendable, Hashable {
        var start: Timestamp
        /// The connection; `nil` if it is not known.
        var flow: Int?
        var success: Timestamp?
        /// When it failed, or fell.
        var end: Timestamp?
        /// Whether the peer's kernel refused it.
        var isRefused = false
    }

    let schedule: BackoffSchedule
    /// The waits so far.
    private(set) var intervals: [ScheduledInterval] = []
    private var samples: [SpreadTest.Sample] = []
    private var present: Present
    /// Whether the first wait may count from something later than what the step began with.
    private var isBeginningOpen: Bool
    /// How many waits there were since the last reset; several where the wire does not tell.
    private var waited = [0]
    private var previousEnd: Timestamp?
    private var previousWait: Duration?

    /// Begins behind a step that was done at `origin` and took `message`.
    init(_ schedule: BackoffSchedule, origin: Timestamp, after message: TraceMessage?) {
        self.schedule = schedule
        present = Present(start: origin, end: origin)
        isBeginningOpen = true
        guard let message else { return }
        if message.name == schedule.attempt {
            present = Present(start: message.time, flow: message.flow)
        } else if message.name == schedule.success {
            present = Present(start: message.time, flow: message.flow, success: message.time)
        } else if schedule.failures.contains(message.name) {
            present.flow = message.flow
        } else {
            return
        }
        isBeginningOpen = false
    }

    /// Takes note of a message; `isAttempt` says whether it starts an attempt of the client.
    mutating func consume(_ message: TraceMessage, isAttempt: Bool) -> Outcome {
        if isAttempt { return attempt(message) }
        if let flow = present.flow, let other = message.flow, flow != other { return .passed }
        let isOpen = present.end == nil || isBeginningOpen
        if message.name == schedule.success, present.success == nil, isOpen {
            present.success = message.time
            present.flow = message.flow
            present.end = nil
        } else if schedule.failures.contains(message.name), isOpen {
            present.end = message.time
            present.flow = message.flow
            present.isRefused = message.name == "tcp.refused"
            isBeginningOpen = false
        }
        return .passed
    }

    // MARK: - Attempts

    private mutating func attempt(_ message: TraceMessage) -> Outcome {
        let frame = message.frames.last
        guard intervals.count < schedule.attempts.upperBound else {
            let isPending = present.success == nil && present.end == nil
            return .violated(
                ScheduleViolation(
                    .tooMany(schedule.attempts.upperBound), of: [isPending ? .single : .end]))
        }
        guard present.success == nil || present.end != nil else {
            return .violated(
                ScheduleViolation(.parallel(attempt: intervals.count + 1), of: [.single]))
        }
        let measured = message.time - base
        let choices = waits
        let kept = choices.filter { $0.admits(measured) }
        guard let wait = kept.first ?? choices.min(by: { $0.miss(measured) < $1.miss(measured) })
        else { return .passed }
        let interval = wait.interval(intervals.count + 1, measured: measured, frame: frame)
        intervals.append(interval)
        guard !kept.isEmpty else {
            let kind: ScheduleViolation.Kind =
                measured < wait.lower
                ? .early(wait.lower - measured) : .late(measured - (wait.upper ?? measured))
            var violation = ScheduleViolation(
                kind, of: blame(wait, measured).rules, interval: interval)
            violation.isSurelyEarly = measured < wait.lower && isRefusalDecisive
            return .violated(violation)
        }
        if kept.count == 1, present.end != nil { sample(wait, measured) }
        waited = kept.map(\.number)
        previousEnd = end ?? previousEnd
        previousWait = measured
        present = Present(start: message.time, flow: message.flow)
        isBeginningOpen = false
        let isLast = intervals.count == schedule.attempts.upperBound && schedule.silence == nil
        return isLast ? conclusion : .taken
    }

    /// What to ask for the rule that a wait breaks.
    private func blame(_ wait: PendingWait, _ measured: Duration) -> ScheduleBlame {
        let isFall = present.success != nil
        return ScheduleBlame(
            schedule: schedule, number: wait.number, nextNumber: (waited.max() ?? 0) + 1,
            bounds: wait.bounds, isFirst: isBeginning, measured: measured, isFall: isFall,
            failedAfter: isFall ? nil : end.map { $0 - present.start },
            isFailureSeen: present.end != nil)
    }

    /// Whether what is next counts from a refusal by the peer's kernel and from nothing else.
    private var isRefusalDecisive: Bool {
        if case .elapsed = schedule.reset { return false }
        return present.isRefused && schedule.origin == .attemptFailure
    }

    /// Whether no attempt has been made yet, so that what fell is what stood before the step.
    private var isBeginning: Bool { intervals.count <= 1 }

    /// What is to be said when there are no more attempts.
    var conclusion: Outcome {
        SpreadTest.fault(in: samples).map {
            .violated(ScheduleViolation(.spread($0), of: [.chance]))
        } ?? .done
    }

    private mutating func sample(_ wait: PendingWait, _ measured: Duration) {
        let bounds = wait.bounds
        guard bounds.uncut > bounds.lower, !wait.isWidened else { return }
        var slack = schedule.early.bound(for: bounds.lower) + schedule.late.bound(for: bounds.upper)
        var dependsOnHistory = false
        if case .decorrelated(let factor) = schedule.jitter {
            dependsOnHistory = true
            slack += slack * factor
        }
        samples.append(
            SpreadTest.Sample(
                measured: measured / .seconds(1), lower: bounds.lower / .seconds(1),
                upper: bounds.upper / .seconds(1), uncut: bounds.uncut / .seconds(1),
                slack: slack / .seconds(1), dependsOnHistory: dependsOnHistory))
    }

    // MARK: - The wait that is next

    /// When the present attempt failed, seen on the wire or known from the client's own timeout.
    private var end: Timestamp? {
        if let end = present.end { return end }
        return present.success == nil ? schedule.timeout.map { present.start + $0 } : nil
    }

    /// What the wait that is next counts from.
    private var base: Timestamp {
        let countsFromStart = schedule.origin == .attemptStart && present.success == nil
        return countsFromStart ? present.start : end ?? present.start
    }

    /// The waits that may be next.
    private var waits: [PendingWait] {
        numbers.map { number in
            PendingWait(
                number: number, bounds: schedule.bounds(ofWait: number, after: previousWait),
                notBefore: end.map { $0 - base } ?? .zero,
                isOpen: end == nil && schedule.origin == .attemptFailure, of: schedule)
        }
    }

    /// The numbers that the wait which is next may have since the last reset.
    private var numbers: [Int] {
        let next = waited.map { $0 + 1 }
        switch schedule.reset {
        case .never: return next
        case .success: return present.success == nil ? next : [1]
        case .stable(let limit):
            guard let success = present.success, let end = present.end else { return next }
            return choice(end - success, limit, limit, next)
        case .elapsed(let multiple):
            guard let previousEnd else { return next }
            guard let end else { return unique(next + [1]) }
            let choices = next.flatMap { number in
                let bounds = schedule.bounds(ofWait: number, after: previousWait)
                return choice(
                    end - previousEnd, bounds.lower * multiple, bounds.upper * multiple, [number])
            }
            return unique(choices)
        }
    }

    /// The first wait if `time` is above the limit, the others if it is not; both where the wire
    /// cannot tell.
    private func choice(
        _ time: Duration, _ lower: Duration, _ upper: Duration, _ others: [Int]
    ) -> [Int] {
        let margin = max(schedule.early.absolute, schedule.late.absolute)
        if time > upper + margin { return [1] }
        return time < lower - margin ? others : unique(others + [1])
    }

    private func unique(_ numbers: [Int]) -> [Int] {
        numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

// MARK: - Time

extension ScheduleFollower {
    /// What the passing of time brings.
    enum Alarm: Sendable, Hashable {
        /// No attempt may come any more, and none has.
        case silenceOver
        /// The attempt that is next is held to be missing.
        case missing
    }

    /// The next moment at which time changes something; `nil` if only an event can.
    var alarm: (time: Timestamp, kind: Alarm)? {
        if let silence = schedule.silence, intervals.count >= schedule.attempts.lowerBound {
            return (present.start + silence + Limits.tick, .silenceOver)
        }
        guard let latest else { return nil }
        let next = waits.map(\.number).max() ?? 1
        let longest = schedule.cap ?? schedule.bounds(ofWait: next + 1, after: previousWait).upper
        let patience = max(Limits.grace, min(longest, Self.patienceMax))
        return (latest + patience + Limits.tick, .missing)
    }

    /// How long an attempt is waited for after its time, only to tell when it came.
    private static var patienceMax: Duration { .seconds(10) }

    /// The last moment at which the attempt that is next keeps the schedule; `nil` if that is not
    /// known, or no attempt need come.
    var latest: Timestamp? {
        guard present.success == nil || present.end != nil else { return nil }
        if schedule.silence != nil, intervals.count >= schedule.attempts.lowerBound { return nil }
        let waits = waits
        let uppers = waits.compactMap(\.upper)
        guard uppers.count == waits.count, let longest = uppers.max() else { return nil }
        return base + longest
    }

    /// What is to be said of an attempt that has not come.
    mutating func missing() -> ScheduleViolation {
        let wait = waits.max { ($0.upper ?? .zero) < ($1.upper ?? .zero) }
        let interval = wait?.interval(intervals.count + 1, measured: nil, frame: nil)
        if let interval { intervals.append(interval) }
        let isFirst = wait?.bounds.upper == .zero && isBeginning
        return ScheduleViolation(
            .absent, of: isFirst ? [.immediacy, .end] : [.end], interval: interval)
    }
}

/// A wait that may be next: its bounds with what is allowed beyond them.
private struct PendingWait {
    let number: Int
    let bounds: WaitBounds
    /// The shortest that is allowed.
    let lower: Duration
    /// The longest that is allowed; `nil` if the wire does not tell.
    let upper: Duration?
    /// Whether the bounds are not those of the schedule, because the attempt before took longer.
    let isWidened: Bool

    init(
        number: Int, bounds: WaitBounds, notBefore earliest: Duration, isOpen: Bool,
        of schedule: BackoffSchedule
    ) {
        self.number = number
        self.bounds = bounds
        isWidened = earliest > bounds.lower
        let shortest = max(bounds.lower, earliest)
        let longest = max(bounds.upper, earliest)
        lower = max(.zero, shortest - schedule.early.bound(for: shortest))
        upper = isOpen ? nil : longest + schedule.lateness(after: longest)
    }

    func admits(_ measured: Duration) -> Bool {
        measured >= lower && upper.map { measured <= $0 } ?? true
    }

    /// By how much it is missed.
    func miss(_ measured: Duration) -> Duration {
        measured < lower ? lower - measured : max(.zero, measured - (upper ?? measured))
    }

    func interval(_ index: Int, measured: Duration?, frame: Int?) -> ScheduledInterval {
        ScheduledInterval(
            index: index, wait: number, lower: TimeText.number(lower),
            upper: upper.map(TimeText.number), measured: measured.map(TimeText.number),
            frame: frame, isKept: measured.map(admits) ?? false)
    }
}
