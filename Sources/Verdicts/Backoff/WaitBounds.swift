import Suites

/// Between what a wait of a schedule may lie, before any tolerance.
struct WaitBounds: Sendable, Hashable {
    /// The shortest.
    var lower: Duration
    /// The longest.
    var upper: Duration
    /// The longest if a cap behind the jitter did not cut it; chance is even up to here.
    var uncut: Duration

    /// Whether chance has a say.
    var isDrawn: Bool { upper > lower }

    /// A wait without chance.
    init(exactly wait: Duration) {
        lower = wait
        upper = wait
        uncut = wait
    }

    /// What chance makes of a wait, cut off at `cap`.
    init(_ lower: Duration, _ upper: Duration, cap: Duration?) {
        self.lower = cap.map { min($0, lower) } ?? lower
        self.upper = cap.map { min($0, upper) } ?? upper
        uncut = upper
    }
}

extension BackoffSchedule {
    /// The bounds of the `number`-th wait since the last reset, counted from 1.
    ///
    /// - Parameters:
    ///   - number: Which wait.
    ///   - previous: How long the wait before took; `nil` for the first. Only decorrelated jitter
    ///     looks at it.
    func bounds(ofWait number: Int, after previous: Duration?) -> WaitBounds {
        if let first, number == 1 { return WaitBounds(exactly: first) }
        let plain = plainWait(number)
        let wait = capPlace == .beforeJitter ? cap.map { min($0, plain) } ?? plain : plain
        let late = capPlace == .afterJitter ? cap : nil
        switch jitter {
        case .none: return WaitBounds(wait, wait, cap: late)
        case .full: return WaitBounds(.zero, wait, cap: late)
        case .equal: return WaitBounds(wait / 2, wait, cap: late)
        case .plusMinus(let spread):
            let bound = spread.bound(for: wait)
            return WaitBounds(max(.zero, wait - bound), wait + bound, cap: late)
        case .decorrelated(let factor):
            let base = plainWait(first == nil ? 1 : 2)
            let start = max(base, number == 1 ? base : previous ?? base)
            return WaitBounds(base, Self.product(start, factor), cap: cap)
        }
    }

    /// A wait without cap and jitter.
    private func plainWait(_ number: Int) -> Duration {
        // Where the first wait stands apart, the model begins with the second.
        let index = max(0, number - (first == nil ? 1 : 2))
        switch model {
        case .fixed(let wait): return wait
        case .linear(let base, let step): return min(base + step * index, Self.longest)
        case .list(let waits): return waits[min(index, waits.count - 1)]
        case .exponential(let base, let factor):
            var wait = base
            for _ in 0..<index where wait < Self.longest && factor != 1 {
                wait = Self.product(wait, factor)
            }
            return wait
        }
    }

    /// Beyond this no wait grows; a suite cannot state a longer one.
    private static let longest = Duration.seconds(36_000_000)

    private static func product(_ wait: Duration, _ factor: Double) -> Duration {
        wait / .seconds(1) * factor >= longest / .seconds(1) ? longest : wait * factor
    }
}
