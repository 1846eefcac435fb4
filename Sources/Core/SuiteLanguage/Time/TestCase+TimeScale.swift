extension TestCase {
    /// The shortest timeout of a scaled case.
    ///
    /// Devices do not start or compute faster.
    public static let timeoutFloor = Duration.seconds(30)

    /// Returns the case as a device that runs faster has to pass it; only this function scales
    /// time.
    ///
    /// Every window, wait and schedule is divided by the factor. Percentages of tolerances follow
    /// the durations that they refer to. Absolute tolerances are unchanged, because they allow for
    /// the machine and not for the device. `timeout` also allows for the machine, so that it is not
    /// reduced below `timeoutFloor`. Settings and actions of peers are unchanged, because peers use
    /// the device's clock.
    public func scaled(by scale: TimeScale) -> TestCase {
        guard !scale.isReal else { return self }
        var result = self
        result.timeScale = scale
        result.preamble = preamble.map { $0.scaled(by: scale) }
        result.steps = steps.map { $0.scaled(by: scale) }
        result.quiet = scale.scaled(quiet)
        for index in never.indices {
            result.never[index].after = never[index].after.map(scale.scaled)
        }
        result.timeout = max(scale.scaled(timeout), min(timeout, Self.timeoutFloor))
        result.rules = rules.map { $0.scaled(by: scale) }
        for index in never.indices {
            guard let rate = never[index].rate else { continue }
            result.never[index].rate?.within = scale.scaled(rate.within)
        }
        return result
    }
}

extension Step {
    func scaled(by scale: TimeScale) -> Step {
        var result = self
        if !isFixed {
            result.within = scale.scaled(within)
            result.after = after.map(scale.scaled)
            result.at = at.map(scale.scaled)
        }
        result.verb = verb.scaled(by: scale)
        return result
    }
}

extension BackoffSchedule {
    func scaled(by scale: TimeScale) -> BackoffSchedule {
        var result = self
        switch model {
        case .growth(let base, let expression):
            result.model = .growth(base: scale.scaled(base), expression.scaled(by: scale))
        case .ranges(let waits):
            result.model = .ranges(waits.map { $0.scaled(by: scale) })
        }
        result.timeScale = scale
        result.first = first.map(scale.scaled)
        result.firstMost = firstMost.map(scale.scaled)
        result.base = base?.scaled(by: scale)
        result.cap = cap.map(scale.scaled)
        result.floor = floor.map(scale.scaled)
        result.maxElapsed = maxElapsed.map(scale.scaled)
        if let budget {
            result.budget = Budget(
                attempts: budget.attempts, within: scale.scaled(budget.within))
        }
        result.timeout = timeout.map(scale.scaled)
        result.silence = silence.map(scale.scaled)
        // The device draws this spread, so that it is not a tolerance.
        func scaled(_ spread: Tolerance) -> Tolerance {
            Tolerance(absolute: scale.scaled(spread.absolute), percent: spread.percent)
        }
        switch jitter {
        case .plusMinus(let spread): result.jitter = .plusMinus(scaled(spread))
        case .uneven(let minus, let plus):
            result.jitter = .uneven(minus: scaled(minus), plus: scaled(plus))
        case .plus(let spread): result.jitter = .plus(scaled(spread))
        case .none, .full, .equal, .decorrelated: break
        }
        if case .stable(let limit) = reset { result.reset = .stable(scale.scaled(limit)) }
        return result
    }
}

extension WaitExpression {
    fileprivate func scaled(by scale: TimeScale) -> WaitExpression {
        switch self {
        case .number, .counter, .previous, .base: self
        case .wait(let wait): .wait(scale.scaled(wait))
        case .sum(let left, let right): .sum(left.scaled(by: scale), right.scaled(by: scale))
        case .product(let left, let right):
            .product(left.scaled(by: scale), right.scaled(by: scale))
        case .quotient(let left, let right):
            .quotient(left.scaled(by: scale), right.scaled(by: scale))
        case .power(let left, let right): .power(left.scaled(by: scale), right.scaled(by: scale))
        }
    }
}

extension ClosedRange<Duration> {
    fileprivate func scaled(by scale: TimeScale) -> ClosedRange<Duration> {
        scale.scaled(lowerBound)...scale.scaled(upperBound)
    }
}
