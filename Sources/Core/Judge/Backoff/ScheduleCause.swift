import SuiteLanguage

/// Determines which rule of a schedule was broken by an attempt at the wrong time.
///
/// The traffic shows only how long the wait took. Each rule explains some values: a device that
/// starts over during an outage takes the first wait again; one that counts from the start of the
/// previous attempt is early by the duration of that attempt. If two rules explain the same value,
/// both are named.
struct ScheduleCause {
    let schedule: BackoffSchedule
    /// The number of the wait since the last reset.
    let number: Int
    /// The number that it would have if the waits had not started over.
    let nextNumber: Int
    /// The bounds of the wait in the schedule, without any tolerance.
    let bounds: WaitBounds
    /// Whether it is the first wait of the step.
    let isFirst: Bool
    /// How long it took.
    let measured: Duration
    /// Whether the previous attempt had succeeded, so that its connection was closed.
    let isConnectionLoss: Bool
    /// How long the previous attempt took to fail; `nil` if it did not, or if that is not known.
    let failedAfter: Duration?
    /// Whether the traffic shows that failure; else only the client's timeout makes it known.
    let isFailureSeen: Bool

    /// The rules, likeliest first.
    var rules: [BackoffSchedule.Rule] {
        if bounds.isDrawn { return [isOverCap ? .cap : .delay] }
        let isResetDecisive = isConnectionLoss && !isFirst || number != nextNumber
        if isResetDecisive, schedule.reset != .never, let rules = rulesOfReset { return rules }
        if bounds.upper == .zero { return [.immediacy] }
        let failures = isConnectionLoss || isFirst ? [] : rulesOfFailure
        return failures.isEmpty ? rulesOfWait : failures
    }

    private var isOverCap: Bool {
        schedule.cap.map { bounds.upper >= $0 && measured > $0 } ?? false
    }

    // Explanations

    /// The explanation by the reset rule, which selects the wait after a successful connection.
    private var rulesOfReset: [BackoffSchedule.Rule]? {
        let alternative = number == 1 ? nextNumber : 1
        // Whether the wait starts over depends on the wait itself.
        if case .elapsed = schedule.reset, isOtherWait { return [.reset, .delay] }
        if alternative != number, isWait(alternative) {
            // At the second wait, a count that starts over looks the same as one that does not
            // grow.
            return number == 2 ? [.reset, .delay] : [.reset]
        }
        return isOtherWait ? [.reset, .delay] : nil
    }

    /// The explanations by the failure of the previous attempt.
    private var rulesOfFailure: [BackoffSchedule.Rule] {
        guard let failedAfter else { return measured < bounds.lower ? [.single] : [] }
        let sinceStart = measured + failedAfter
        if sinceStart <= Self.moment, failedAfter > Self.moment { return [.single] }
        var rules: [BackoffSchedule.Rule] = []
        if failedAfter > .milliseconds(5) {
            let isFromStart = isNear(sinceStart, bounds.upper)
            let isOverBefore = failedAfter >= bounds.upper && measured <= schedule.late.absolute
            let isTwiceAsLong = !isFailureSeen && isNear(measured - failedAfter, bounds.upper)
            if measured < .zero || isFromStart || isOverBefore || isTwiceAsLong {
                rules.append(.detection)
                // The difference is so short that the cause may be an early timer.
                if failedAfter < schedule.late.absolute { rules.append(.leeway) }
            }
        }
        if number > 1, measured >= .zero, isWait(1), bounds.upper > .zero {
            let isAtOnce = measured < .milliseconds(1) && failedAfter < Self.moment
            if number == 2 { rules.append(.delay) }
            if number > 2 || failedAfter > bounds.upper { rules.append(.outage) }
            if number == 2, isAtOnce { rules.append(.single) }
        }
        return rules
    }

    /// The explanations by the length of the wait alone.
    private var rulesOfWait: [BackoffSchedule.Rule] {
        if isOverCap { return [.cap] }
        if isOtherWait { return [.delay] }
        let miss = measured / bounds.upper - 1
        return (-0.35...0.6).contains(miss) ? [.leeway] : [.delay]
    }

    /// An event within this time was not waited for.
    private static let moment: Duration = .milliseconds(20)

    // MARK: - Comparing

    /// Whether it took as long as the wait with that number.
    private func isWait(_ number: Int) -> Bool {
        isNear(measured, schedule.bounds(ofWait: number, after: nil).upper)
    }

    /// Whether it took as long as another wait of the schedule.
    private var isOtherWait: Bool {
        (1...max(number, nextNumber) + 3).contains { other in
            schedule.bounds(ofWait: other, after: nil).upper != bounds.upper && isWait(other)
        }
    }

    private func isNear(_ time: Duration, _ wait: Duration) -> Bool {
        let early = max(schedule.early.bound(for: wait), .milliseconds(5))
        return time >= wait - early && time <= wait + schedule.lateness(after: wait)
    }
}
