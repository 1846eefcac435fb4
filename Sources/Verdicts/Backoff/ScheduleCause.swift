import Suites

/// Tells which rule of a schedule an attempt broke that came at the wrong time.
///
/// The wire shows one number, how long the wait took. Each rule explains some numbers: a device that
/// begins anew in an outage takes the first wait again, one that counts from the start of the attempt
/// before is early by how long that took. Where two rules explain the same number, both are named.
struct ScheduleCause {
    let schedule: BackoffSchedule
    /// The number of the wait since the last reset.
    let number: Int
    /// The number that it would have if nothing had begun anew.
    let nextNumber: Int
    /// What the schedule says of the wait, without any tolerance.
    let bounds: WaitBounds
    /// Whether it is the first wait of the step.
    let isFirst: Bool
    /// How long it took.
    let measured: Duration
    /// Whether the attempt before had succeeded, so that its connection fell.
    let isFall: Bool
    /// How long the attempt before took to fail; `nil` if it did not, or if that is not known.
    let failedAfter: Duration?
    /// Whether that failure is seen on the wire, and not only known from the client's own limit.
    let isFailureSeen: Bool

    /// The rules, the likeliest first.
    var rules: [BackoffSchedule.Rule] {
        if bounds.isDrawn { return [isOverCap ? .cap : .delay] }
        let isResetDecisive = isFall && !isFirst || number != nextNumber
        if isResetDecisive, schedule.reset != .never, let rules = rulesOfReset { return rules }
        if bounds.upper == .zero { return [.immediacy] }
        let failures = isFall || isFirst ? [] : rulesOfFailure
        return failures.isEmpty ? rulesOfWait : failures
    }

    private var isOverCap: Bool {
        schedule.cap.map { bounds.upper >= $0 && measured > $0 } ?? false
    }

    // MARK: - What explains a wait

    /// Behind a connection that stood the rule of resetting decides which wait it is.
    private var rulesOfReset: [BackoffSchedule.Rule]? {
        let alternative = number == 1 ? nextNumber : 1
        // What makes a wait begin anew hangs on the wait itself.
        if case .elapsed = schedule.reset, isOtherWait { return [.reset, .delay] }
        if alternative != number, isWait(alternative) {
            // Of the second wait nothing tells a count that begins anew from one that does not grow.
            return number == 2 ? [.reset, .delay] : [.reset]
        }
        return isOtherWait ? [.reset, .delay] : nil
    }

    /// What the failure of the attempt before explains.
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
                // So short a time may be that of a timer that is early.
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

    /// What the length of the wait alone explains.
    private var rulesOfWait: [BackoffSchedule.Rule] {
        if isOverCap { return [.cap] }
        if isOtherWait { return [.delay] }
        let miss = measured / bounds.upper - 1
        return (-0.35...0.6).contains(miss) ? [.leeway] : [.delay]
    }

    /// So short a time that what comes in it was not waited for.
    private static let moment: Duration = .milliseconds(20)

    // MARK: - Comparing

    /// Whether it took as long as the wait of that number.
    private func isWait(_ number: Int) -> Bool {
        isNear(measured, schedule.bounds(ofWait: number, after: nil).upper)
    }

    /// Whether it took as long as a wait of another length.
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
