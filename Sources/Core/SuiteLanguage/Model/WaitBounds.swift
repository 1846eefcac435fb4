/// The bounds of a wait of a schedule, before any tolerance.
package struct WaitBounds: Sendable, Hashable {
    /// The shortest wait.
    package var lower: Duration
    /// The longest wait.
    package var upper: Duration
    /// The longest wait if a cap after the jitter did not cut it.
    ///
    /// The distribution is even up to here.
    package var uncut: Duration
    /// The minimum to which a random wait may have been raised; `nil` if it was not raised.
    package var floor: Duration?
    /// Whether the wait is distributed evenly between its bounds.
    package var isEven = true

    /// Whether the wait is random.
    package var isDrawn: Bool { upper > lower }

    /// Creates the bounds of a wait that is not random.
    package init(exactly wait: Duration) {
        lower = wait
        upper = wait
        uncut = wait
    }

    /// Creates the bounds of a random wait, cut off at `cap`.
    package init(_ lower: Duration, _ upper: Duration, cap: Duration?) {
        self.lower = cap.map { min($0, lower) } ?? lower
        self.upper = cap.map { min($0, upper) } ?? upper
        uncut = upper
    }

    /// Returns the bounds of a wait that ends no later than after a time between these two.
    package func cut(to latest: ClosedRange<Duration>) -> WaitBounds {
        guard upper > latest.lowerBound else { return self }
        var result = self
        result.lower = min(lower, max(.zero, latest.lowerBound))
        result.upper = min(upper, max(.zero, latest.upperBound))
        (result.uncut, result.isEven) = (result.upper, false)
        return result
    }

    /// Returns these bounds with shorter waits raised to `floor`.
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
    /// Returns the bounds of the `number`-th wait since the last reset, counted from 1.
    ///
    /// - Parameters:
    ///   - number: The number of the wait.
    ///   - previous: The length of the wait before; `nil` for the first. Only decorrelated jitter
    ///     uses it.
    ///   - known: The known range of a base that the client has drawn; `nil` for the range of the
    ///     schedule.
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
        // The base is drawn once, so that the waits depend on each other.
        bounds.isEven = false
        return bounds.raised(to: floor)
    }

    /// Whether the `number`-th wait is the base itself, so that it shows which base the client
    /// drew.
    package func isBase(_ number: Int) -> Bool { base != nil && number == (first == nil ? 1 : 2) }

    private func drawn(_ number: Int, after previous: Duration?) -> WaitBounds {
        if case .ranges(let waits) = model {
            let range = waits[place(of: number, in: waits.count)]
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
        case .uneven(let minus, let plus):
            return WaitBounds(
                max(.zero, wait - minus.bound(for: wait)), wait + plus.bound(for: wait), cap: late)
        case .plus(let spread): return WaitBounds(wait, wait + spread.bound(for: wait), cap: late)
        case .decorrelated(let factor):
            let base = plainWait(first == nil ? 1 : 2)
            let start = max(base, number == 1 ? base : previous ?? base)
            return WaitBounds(base, WaitExpression.product(start, factor), cap: cap)
        }
    }

    /// Returns this schedule with another base.
    package func with(base: Duration) -> BackoffSchedule {
        var result = self
        result.base = nil
        if case .growth(_, let expression) = model {
            result.model = .growth(base: base, expression)
        }
        return result
    }

    /// Returns the index of a wait in the model, counted from 0.
    ///
    /// If the first wait does not belong to the model, the model begins with the second.
    private func index(of number: Int) -> Int { max(0, number - (first == nil ? 1 : 2)) }

    /// Returns the index of a wait in a list of that many, counted from 0.
    private func place(of number: Int, in count: Int) -> Int {
        isCyclic ? index(of: number) % count : min(index(of: number), count - 1)
    }

    /// Returns a wait without cap and jitter.
    private func plainWait(_ number: Int) -> Duration {
        let index = index(of: number)
        return switch model {
        case .growth(let base, let expression): expression.wait(index + 1, base: base)
        case .ranges(let waits): waits[place(of: number, in: waits.count)].upperBound
        }
    }
}

// MARK: - In words

extension BackoffSchedule {
    /// The maximum number of waits that are listed.
    private static let listedMax = 12

    /// The waits in words: `0s, 1s, 2s, then 5s each`; ranges for random waits.
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
