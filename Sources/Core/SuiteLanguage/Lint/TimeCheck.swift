/// Finds steps that can never be in time, whatever the device does.
///
/// Each step bounds the time between it and another step. A step is reported if its latest time is
/// before the earliest time at which the steps before it can be done. Steps inside groups are
/// checked separately, without the steps around the group.
struct TimeCheck {
    /// An upper bound in seconds on the time from the first moment to the second.
    private struct Bound {
        let first: Int
        let second: Int
        let seconds: Double
    }

    /// The tolerance for rounding in sums of seconds.
    private static let slack = 1e-6
    /// The maximum length of a list of steps that is checked.
    private static let stepsMax = 400

    let findings: Findings
    private var bounds: [Bound] = []
    private var places: [String: Int] = [:]

    init(findings: Findings) { self.findings = findings }

    /// Reports steps that can never be in time, and a case that takes longer than its timeout.
    static func check(_ testCase: TestCase, findings: Findings) {
        var check = TimeCheck(findings: findings)
        let steps = testCase.preamble + testCase.steps
        guard let shortest = check.read(steps) else { return }
        let limit = testCase.timeout.seconds
        let least = shortest + (testCase.isQuietToTheEnd ? 0 : testCase.quiet.seconds)
        guard least > limit + slack else { return }
        findings.warn(
            "short-timeout",
            "this case takes at least \(Duration(rounded: least).suiteText), "
                + "its timeout is \(testCase.timeout.suiteText)",
            at: testCase.position, advice: "say a longer \"timeout\"")
    }

    /// Reads a list of steps; returns the least time that they take, if it is known.
    private mutating func read(_ steps: [Step]) -> Double? {
        for part in steps.flatMap(\.parts) {
            var inner = TimeCheck(findings: findings)
            _ = inner.read(part)
        }
        guard steps.count <= Self.stepsMax else { return nil }
        for (index, step) in steps.enumerated() {
            let place = index + 1
            atLeast(.zero, from: index, to: place)
            guard step.parts.isEmpty else { continue }
            guard isReached(step, at: place) else { return nil }
            if let id = step.id { places[id] = place }
        }
        return least(from: 0, to: steps.count)
    }

    /// Adds the bounds of a step; returns whether the step can be in time.
    private mutating func isReached(_ step: Step, at place: Int) -> Bool {
        if case .wait(let pause) = step.verb {
            atLeast(pause, from: place - 1, to: place)
            return true
        }
        if case .collect(_, let quiet) = step.verb {
            atLeast(quiet, from: place - 1, to: place)
            return true
        }
        guard let origin = step.since.map({ places[$0] }) ?? (place - 1) else { return true }
        if let first = step.at ?? step.after {
            atLeast(first - step.tolerance.bound(for: first), from: origin, to: place)
        }
        if case .perform = step.verb { return true }
        let last = step.at ?? step.within
        let latest = (last + step.tolerance.bound(for: last)).seconds
        let earliest = least(from: origin, to: place) ?? 0
        guard earliest <= latest + Self.slack else {
            report(step, earliest: Duration(rounded: earliest), last: last)
            return false
        }
        bounds.append(Bound(first: origin, second: place, seconds: latest))
        return true
    }

    private mutating func atLeast(_ time: Duration, from first: Int, to second: Int) {
        bounds.append(Bound(first: second, second: first, seconds: -max(0, time.seconds)))
    }

    /// Returns the least time between two moments that all bounds allow; `nil` if the bounds
    /// contradict each other or set no limit.
    private func least(from first: Int, to second: Int) -> Double? {
        var farthest = Array(repeating: Double.infinity, count: max(first, second) + 1)
        farthest[second] = 0
        for _ in farthest.indices {
            var isSettled = true
            // Most bounds lead from a later moment to earlier ones, so that one pass usually
            // suffices.
            for bound in bounds.reversed() where bound.first < farthest.count {
                let sum = farthest[bound.first] + bound.seconds
                if sum < farthest[bound.second] - Self.slack {
                    farthest[bound.second] = sum
                    isSettled = false
                }
            }
            if isSettled { return farthest[first].isFinite ? -farthest[first] : nil }
        }
        return nil
    }

    private func report(_ step: Step, earliest: Duration, last: Duration) {
        let origin = step.since.map { "step \"\($0)\"" } ?? "the step before it"
        findings.using(step.uses) {
            $0.report(
                "impossible-time",
                "this can never be in time: it is reached no earlier than "
                    + "\(earliest.suiteText) after \(origin), and has to come by \(last.suiteText)",
                at: step.position,
                advice: "give it more time, or count from a later step")
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }

    /// Creates the duration of a sum of seconds without its rounding error.
    fileprivate init(rounded seconds: Double) {
        self = .microseconds((seconds * 1e6).rounded())
    }
}
