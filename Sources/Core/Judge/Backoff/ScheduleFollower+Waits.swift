import SuiteLanguage
import Trace
import Wire

// The possible next waits, and when time changes something.
extension ScheduleFollower {
    /// The possible interpretations of the previous attempt.
    ///
    /// In a suite that does not define success, the connection is the success. If the server gets a
    /// request and ends the connection without a byte in answer, the client may count that as a
    /// failure. Both are allowed.
    ///
    /// A client that has given up an attempt waits from then on, and closes the connection when it
    /// likes. Both are allowed, because it may also have been late to give up.
    private var readings: [Present] {
        if let timeout = schedule.timeout, present.success == nil, let end = present.end,
            end - present.start > timeout
        {
            var givenUp = present
            givenUp.end = nil
            return [present, givenUp]
        }
        guard schedule.success == nil, present.success != nil, present.end != nil,
            present.hasAsked, !present.isAnswered
        else { return [present] }
        var failed = present
        failed.success = nil
        return [present, failed]
    }

    /// Returns when an attempt failed, seen in the traffic or known from the client's own timeout.
    func end(of attempt: Present) -> Timestamp? {
        if let end = attempt.end { return end }
        return attempt.success == nil ? schedule.timeout.map { attempt.start + $0 } : nil
    }

    /// The possible next waits.
    var waits: [PendingWait] { waits(areCut: schedule.isCut) }

    /// Returns the possible next waits; `areCut` says whether the longest outage cuts them.
    private func waits(areCut: Bool) -> [PendingWait] {
        readings.flatMap { reading in
            let end = end(of: reading)
            let countsFromStart = schedule.origin == .attemptStart && reading.success == nil
            let base = countsFromStart ? reading.start : end ?? reading.start
            return numbers(after: reading).map { number in
                let bounds: WaitBounds? =
                    switch reading.hint {
                    case .wait(let wait)?: WaitBounds(exactly: wait)
                    case .unread?: nil
                    case nil: whole(number)
                    }
                let allowed =
                    areCut && reading.hint == nil
                    ? bounds.map { cut($0, number, from: base, after: end) } : bounds
                return PendingWait(
                    number: number, bounds: allowed, base: base, end: end,
                    isEndSeen: reading.end != nil, of: schedule)
            }
        }
    }

    /// Returns the bounds of a wait that the longest outage does not cut.
    private func whole(_ number: Int) -> WaitBounds {
        schedule.bounds(ofWait: number, after: previousWait, base: base)
    }

    /// Returns the numbers that the next wait may have since the last reset.
    private func numbers(after reading: Present) -> [Int] {
        let next = waited.map { $0 + 1 }
        switch schedule.reset {
        case .never: return next
        case .success: return reading.success == nil ? next : [1]
        case .stable(let limit):
            guard let success = reading.success, let end = reading.end else { return next }
            return choice(end - success, limit, limit, next)
        case .elapsed(let multiple):
            guard let previousEnd else { return next }
            guard let end = end(of: reading) else { return unique(next + [1]) }
            let choices = next.flatMap { number in
                let bounds = whole(number)
                return choice(
                    end - previousEnd, bounds.lower * multiple, bounds.upper * multiple, [number])
            }
            return unique(choices)
        }
    }

    /// The possible error of a time that the client compares with a limit.
    private var margin: Duration { max(schedule.early.absolute, schedule.late.absolute) }

    /// Returns the first wait if `time` is above the limit, and the others if it is not.
    ///
    /// It returns both if the traffic does not show which is right.
    private func choice(
        _ time: Duration, _ lower: Duration, _ upper: Duration, _ others: [Int]
    ) -> [Int] {
        if time > upper + margin { return [1] }
        return time < lower - margin ? others : unique(others + [1])
    }

    /// How far the present time is from the limit that decides about a reset; `nil` if no time does.
    var nextDistanceToReset: Duration? {
        func distance(_ time: Duration, _ lower: Duration, _ upper: Duration) -> Duration? {
            if time > upper + margin { return time - upper - margin }
            return time < lower - margin ? lower - margin - time : nil
        }
        let distances = readings.flatMap { reading -> [Duration] in
            switch schedule.reset {
            case .never, .success: return []
            case .stable(let limit):
                guard let success = reading.success, let end = reading.end else { return [] }
                return [distance(end - success, limit, limit)].compactMap(\.self)
            case .elapsed(let multiple):
                guard let previousEnd, let end = end(of: reading) else { return [] }
                return waited.compactMap { number in
                    let bounds = whole(number + 1)
                    return distance(
                        end - previousEnd, bounds.lower * multiple, bounds.upper * multiple)
                }
            }
        }
        return distances.min()
    }

    // MARK: - The longest outage

    /// Returns how long the outage had lasted before an attempt that came too late in it.
    ///
    /// It is the time until the failure before the attempt; `nil` if the attempt may come.
    func excessOfElapsed(_ wait: PendingWait) -> Duration? {
        guard let limit = schedule.maxElapsed, let outage, wait.number > 1, present.success == nil
        else { return nil }
        let elapsed = (end(of: present) ?? wait.base) - outage.upperBound
        return elapsed > limit + margin ? elapsed : nil
    }

    /// Returns the bounds of a wait as the longest outage cuts them.
    private func cut(
        _ bounds: WaitBounds, _ number: Int, from base: Timestamp, after end: Timestamp?
    ) -> WaitBounds {
        guard let limit = schedule.maxElapsed,
            let first = number > 1 ? outage : end.map({ $0...$0 })
        else { return bounds }
        return bounds.cut(
            to: first.lowerBound - base + limit...first.upperBound - base + limit)
    }

    /// Whether the client may have given up.
    ///
    /// It may if the outage has lasted its longest time, or will have when the next wait is over,
    /// because clients differ in which of the two they check.
    var mayGiveUp: Bool {
        guard let limit = schedule.maxElapsed, let outage, present.success == nil,
            let end = end(of: present)
        else { return false }
        let longest = schedule.isCut ? .zero : waits.map(\.bounds.upper).max() ?? .zero
        return end - outage.lowerBound + longest > limit - margin
    }

    // MARK: - Time

    /// An event that is due at a certain time.
    enum Alarm: Sendable, Hashable {
        /// No further attempt is allowed, and none has come.
        case silenceOver
        /// The next attempt is considered missing.
        case missing
    }

    /// Whether further attempts are optional, because there were enough.
    var isEnough: Bool {
        schedule.isOpenEnded && intervals.count >= schedule.attempts.lowerBound && !owesLast
    }

    /// Whether the last attempt of the longest outage is due, which cuts the wait before it.
    private var owesLast: Bool {
        guard schedule.isCut, outage != nil, present.success == nil, present.end != nil,
            !mayGiveUp
        else { return false }
        return waits.allSatisfy { wait in
            wait.bounds.upper < whole(wait.number).lower
        }
    }

    /// Whether an attempt comes so late in the outage that no other may follow.
    ///
    /// It ends a wait that was cut, or begins after the longest time. `kept` are the waits that it
    /// may end.
    func isLast(at time: Timestamp, ending kept: [PendingWait]) -> Bool {
        guard let limit = schedule.maxElapsed, let outage, present.success == nil,
            present.hint == nil, !kept.isEmpty, kept.allSatisfy({ $0.number > 1 })
        else { return false }
        let isCut = kept.allSatisfy { $0.bounds.upper < whole($0.number).lower }
        return isCut || time - outage.upperBound > limit + margin
    }

    /// Whether no further attempt is demanded.
    var isComplete: Bool { isEnough || isExhausted || mayGiveUp || finished != nil }

    /// When a client that does not give up would have tried again.
    private var endOfWatch: Timestamp {
        if let success = present.success { return success }
        let wait = waits(areCut: false).map(\.bounds.upper).max() ?? .zero
        return (end(of: present) ?? present.start) + wait + schedule.lateness(after: wait)
            + Limits.tick
    }

    /// The next moment at which time changes something; `nil` if only a message can.
    var alarm: (time: Timestamp, kind: Alarm)? {
        if let finished { return (finished, .silenceOver) }
        if isEnough {
            return schedule.silence.map { (present.start + $0 + Limits.tick, .silenceOver) }
        }
        if isExhausted || mayGiveUp { return (endOfWatch, .silenceOver) }
        guard let last = lastMoment else { return nil }
        let next = waits.map(\.number).max() ?? 1
        let longest = schedule.cap ?? whole(next + 1).upper
        let patience = max(Limits.grace, min(longest, Self.patienceMax))
        return (last + patience + Limits.tick, .missing)
    }

    /// The longest time to wait for an overdue attempt, only to report when it came.
    private static var patienceMax: Duration { .seconds(10) }

    /// The last moment at which the next attempt keeps the schedule.
    ///
    /// It is `nil` if that is not known, or if no attempt needs to come.
    var latest: Timestamp? { isComplete ? nil : lastMoment }

    private var lastMoment: Timestamp? {
        guard !isBeforeFirst, present.success == nil || present.end != nil else { return nil }
        let waits = waits
        let ends = waits.compactMap { wait in wait.upper.map { wait.base + $0 } }
        return ends.count == waits.count ? ends.max() : nil
    }
}
