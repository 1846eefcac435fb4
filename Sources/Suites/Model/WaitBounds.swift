import Glibc

/// Between what a wait of a schedule may lie, before any tolerance.
package struct WaitBounds: Sendable, Hashable {
    /// The shortest.
    package var lower: Duration
    /// The longest.
    package var upper: Duration
    /// The longest if a cap after the jitter did not cut it; chance is even up to here.
    package var uncut: Duration
    /// The least to which what chance drew may have been raised; `nil` if it was not.
    package var floor: Duration?
    /// Whether chance spreads the wait evenly over its bounds.
    package var isEven = true

    /// Whether chance has a say.
    package var isDrawn: Bool { upper > lower }

    /// A wait without chance.
    package init(exactly wait: Duration) {
        lower = wait
        upper = wait
        uncut = wait
    }

    /// What chance makes of a wait, cut off at `cap`.
    package init(_ lower: Duration, _ upper: Duration, cap: Duration?) {
        self.lower = cap.map { min($0, lower) } ?? lower
        self.upper = cap.map { min($0, upper) } ?? upper
        uncut = upper
    }

    /// These bounds with shorter waits raised to `floor`.
    fileprivate func raised(to floor: Duration?) -> WaitBounds {
        guard let floor, lower < floor else { return self }
        var result = self
        result.lower = floor
        result.upper = max(upper, floor)
        result.uncut = max(uncut, floor)
        result.floor = floor
        return result
    }
}

extension BackoffSchedule {
    /// The bounds of the `number`-th wait since the last reset, counted from 1.
    ///
    /// - Parameters:
    ///   - number: Which wait.
    ///   - previous: How long the wait before took; `nil` for the first. Only decorrelated jitter
    ///     looks at it.
    ///   - known: What is known of a base that the client has drawn; `nil` for what the schedule
    ///     says of it.
    package func bounds(
        ofWait number: Int, after previous: Duration?, base known: ClosedRange<Duration>? = nil
    ) -> WaitBounds {
        if let first, number == 1 { return WaitBounds(first, firstMost ?? first, cap: nil) }
        guard let base = known ?? base else {
            return drawn(number, after: previous).raised(to: floor)
        }
        let longest = with(base: base.upperBound).drawn(number, after: previous)
        guard base.lowerBound < base.upperBound else { return longest.raised(to: floor) }
        var bounds = with(base: base.lowerBound).drawn(number, after: previous)
        (bounds.upper, bounds.uncut) = (longest.upper, longest.uncut)
        // The base is drawn once, so that the waits hang together.
        bounds.isEven = false
        return bounds.raised(to: floor)
    }

    /// Whether the `number`-th wait is the base itself, so that it shows which one the client drew.
    package func isBase(_ number: Int) -> Bool { base != nil && number == (first == nil ? 1 : 2) }

    private func drawn(_ number: Int, after previous: Duration?) -> WaitBounds {
        if case .ranges(let waits) = model {
            let range = waits[min(index(of: number), waits.count - 1)]
            let isDrawn = range.lowerBound < range.upperBound
            let lower = jittered(range.lowerBound, number, after: previous)
            guard isDrawn else { return lower }
            var upper = jittered(range.upperBound, number, after: previous)
            upper.lower = lower.lower
            upper.isEven = jitter == .none
            return upper
        }
        return jittered(plainWait(number), number, after: previous)
    }

    private func jittered(_ plain: Duration, _ number: Int, after previous: Duration?) -> WaitBounds
    {
        let wait = capPlace != .afterJitter ? cap.map { min($0, plain) } ?? plain : plain
        let late = capPlace != .beforeJitter ? cap : nil
        switch jitter {
        case .none: return WaitBounds(wait, wait, cap: late)
        case .full: return WaitBounds(.zero, wait, cap: late)
        case .equal: return WaitBounds(wait / 2, wait, cap: late)
        case .plusMinus(let spread):
            let bound = spread.bound(for: wait)
            return WaitBounds(max(.zero, wait - bound), wait + bound, cap: late)
        case .plus(let spread): return WaitBounds(wait, wait + spread.bound(for: wait), cap: late)
        case .decorrelated(let factor):
            let base = plainWait(first == nil ? 1 : 2)
            let start = max(base, number == 1 ? base : previous ?? base)
            return WaitBounds(base, Self.product(start, factor), cap: cap)
        }
    }

    /// This schedule with another base.
    package func with(base: Duration) -> BackoffSchedule {
        var result = self
        result.base = nil
        switch model {
        case .fixed: result.model = .fixed(base)
        case .linear(_, let step): result.model = .linear(base: base, step: step)
        case .exponential(_, let factor): result.model = .exponential(base: base, factor: factor)
        case .fibonacci(let old, let second):
            result.model = .fibonacci(base: base, second: second == old ? base : second)
        case .polynomial(_, let power): result.model = .polynomial(base: base, power: power)
        case .list, .ranges: break
        }
        return result
    }

    /// The place of a wait in the model, counted from 0: with a first wait of its own the model begins
    /// with the second.
    private func index(of number: Int) -> Int { max(0, number - (first == nil ? 1 : 2)) }

    /// A wait without cap and jitter.
    private func plainWait(_ number: Int) -> Duration {
        let index = index(of: number)
        switch model {
        case .fixed(let wait): return wait
        case .linear(let base, let step): return min(base + step * index, Self.longest)
        case .list(let waits): return waits[min(index, waits.count - 1)]
        case .ranges(let waits): return waits[min(index, waits.count - 1)].upperBound
        case .exponential(let base, let factor):
            var wait = base
            for _ in 0..<index where wait < Self.longest && factor != 1 {
                wait = Self.product(wait, factor)
            }
            return wait
        case .fibonacci(let base, let second):
            var (wait, next) = (base, second)
            for _ in 0..<index where wait < Self.longest {
                (wait, next) = (next, min(wait + next, Self.longest))
            }
            return wait
        case .polynomial(let base, let power):
            return Self.product(base, pow(Double(index + 1), power))
        }
    }

    /// Beyond this no wait grows; a suite cannot state a longer one.
    private static let longest = Duration.seconds(36_000_000)

    private static func product(_ wait: Duration, _ factor: Double) -> Duration {
        wait / .seconds(1) * factor >= longest / .seconds(1) ? longest : wait * factor
    }
}

// MARK: - In words

extension BackoffSchedule {
    /// How many waits are listed.
    private static let listedMax = 12

    /// What the waits amount to: `0s, 1s, 2s, then 5s each`; ranges where chance draws them.
    package var waitsInWords: String {
        let series = savedBase.map { "they follow from what \($0.variable) has" } ?? seriesInWords
        let said = hint.map { "; after \($0.sign.message) what its \($0.field) says" } ?? ""
        return series + said
    }

    private var seriesInWords: String {
        var texts: [String] = []
        var previous: Duration?
        let count = min(attempts.upperBound, Self.listedMax)
        for number in 1...count {
            let bounds = bounds(ofWait: number, after: previous)
            previous = bounds.upper
            texts.append(
                bounds.isDrawn
                    ? "\(bounds.lower.suiteText) to \(bounds.upper.suiteText)"
                    : bounds.lower.suiteText)
        }
        let next = bounds(ofWait: count + 1, after: previous)
        let isConstant = next == bounds(ofWait: count + 2, after: next.upper)
        guard let last = texts.last else { return "" }
        let tail = texts.reversed().prefix { $0 == last }.count
        let isSteady = tail > 1 && (isConstant || count == attempts.upperBound)
        let shown = isSteady ? texts.dropLast(tail) : texts[...]
        let more = isSteady ? ["\(last) each"] : attempts.upperBound > count ? ["and so on"] : []
        return (shown + more).joined(separator: ", ")
    }
}
