import SuiteLanguage
import Wire

extension ValueCondition {
    /// How the result of a condition depends on the present moment, in real time.
    struct Timing: Sendable {
        /// How far the moment is from the nearest one at which the result would be another.
        let shift: Duration
        /// How long ago the moment was from which the value counts.
        let span: Duration
    }

    /// Returns how a condition on a number depends on `now`; `nil` if it does not.
    func timing(_ bindings: [String: Value], _ scale: TimeScale) -> Timing? {
        guard case .double(let now)? = bindings[Rule.now], let actual = number(bindings),
            let next = number(bindings.merging([Rule.now: .double(now + 1)]) { $1 }),
            let distance = matcher.distance(of: actual, bindings)
        else { return nil }
        let slope = abs(next - actual)
        guard slope > 0, slope.isFinite else { return nil }
        func length(_ value: Double) -> Duration {
            scale.scaled(.seconds(min(abs(value) / slope, Self.secondsMax)))
        }
        return Timing(shift: length(distance), span: length(actual))
    }

    private func number(_ bindings: [String: Value]) -> Double? {
        (try? value.evaluate(bindings))?.numberValue
    }

    /// More than any case lasts.
    private static let secondsMax = 1_000_000.0
}

extension ValueMatcher {
    /// Returns how far a number is from the nearest limit that is demanded of it; `nil` if there
    /// is none.
    fileprivate func distance(of number: Double, _ bindings: [String: Value]) -> Double? {
        switch self {
        case .minimum(let bound), .maximum(let bound):
            (try? bound.evaluate(bindings))?.numberValue.map { abs($0 - number) }
        case .not(let inner): inner.distance(of: number, bindings)
        case .all(let inner), .any(let inner):
            inner.compactMap { $0.distance(of: number, bindings) }.min()
        default: nil
        }
    }
}
