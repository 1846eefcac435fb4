import Reporting

/// A distribution of durations, over any number of samples in little memory.
///
/// Durations are counted in steps of a hundredth of their value, so a percentile is accurate to
/// that. The minimum and the maximum are exact.
struct LatencyDistribution: Sendable, Hashable {
    /// The counts by step; empty until there is a sample.
    private var counts: [Int] = []
    /// The number of samples.
    private(set) var count = 0
    /// The minimum, in nanoseconds.
    private(set) var minimum = Int64.max
    /// The maximum, in nanoseconds.
    private(set) var maximum = Int64.min

    private static let stepsPerOctave = 70
    /// The number of steps: one more than the step of the longest duration.
    private static let stepCount = 63 * stepsPerOctave + 1

    /// Adds a duration in nanoseconds; for the percentiles one below 1 counts as 1.
    mutating func add(_ nanoseconds: Int64) {
        count += 1
        minimum = min(minimum, nanoseconds)
        maximum = max(maximum, nanoseconds)
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.stepCount) }
        counts[Self.step(of: nanoseconds)] += 1
    }

    /// Adds all samples of another distribution.
    mutating func add(_ other: LatencyDistribution) {
        guard other.count > 0 else { return }
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        counts = counts.isEmpty ? other.counts : zip(counts, other.counts).map(+)
    }

    /// Returns the duration that this share of all samples does not exceed, in nanoseconds.
    ///
    /// The result is 0 if there are no samples.
    func percentile(_ share: Double) -> Int64 {
        let rank = Int((Double(count) * share).rounded(.up))
        var sum = 0
        for (step, number) in counts.enumerated() {
            sum += number
            if sum >= rank { return min(max(Self.value(of: step), minimum), maximum) }
        }
        return 0
    }

    /// Returns the logarithm, linear between powers of two, in steps.
    ///
    /// The steps are even enough for percentiles.
    private static func step(of nanoseconds: Int64) -> Int {
        let number = UInt64(max(1, nanoseconds))
        let exponent = UInt64.bitWidth - 1 - number.leadingZeroBitCount
        // The bits after the first one, in 32 bits.
        let fraction = (number &<< UInt64(UInt64.bitWidth - exponent)) >> 32
        let steps = (fraction * UInt64(stepsPerOctave) + 1 << 31) >> 32
        return exponent * stepsPerOctave + Int(steps)
    }

    private static func value(of step: Int) -> Int64 {
        let logarithm = Double(step) / Double(stepsPerOctave)
        let exponent = logarithm.rounded(.down)
        return Int64(Double(Int64(1) << Int64(exponent)) * (1 + logarithm - exponent))
    }
}
