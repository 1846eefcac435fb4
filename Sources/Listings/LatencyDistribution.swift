import Reports

/// How long something took, over any number of times in little memory.
///
/// Durations are counted in steps of a hundredth of themselves, so a percentile is that exact;
/// the least and the greatest are kept as they are.
struct LatencyDistribution: Sendable, Hashable {
    /// By step; empty until there is one.
    private var counts: [Int] = []
    /// How many there were.
    private(set) var count = 0
    /// The least, in nanoseconds.
    private(set) var minimum = Int64.max
    /// The greatest, in nanoseconds.
    private(set) var maximum = Int64.min

    private static let stepsPerOctave = 70
    /// One more than the step of the longest duration.
    private static let stepCount = 63 * stepsPerOctave + 1

    /// Adds a duration in nanoseconds; one below 1 counts as 1.
    mutating func add(_ nanoseconds: Int64) {
        count += 1
        minimum = min(minimum, nanoseconds)
        maximum = max(maximum, nanoseconds)
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.stepCount) }
        counts[Self.step(of: nanoseconds)] += 1
    }

    /// Adds all that another one has counted.
    mutating func add(_ other: LatencyDistribution) {
        guard other.count > 0 else { return }
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        counts = counts.isEmpty ? other.counts : zip(counts, other.counts).map(+)
    }

    /// The duration that so great a share of all does not exceed, in nanoseconds; 0 for none.
    func percentile(_ share: Double) -> Int64 {
        let rank = Int((Double(count) * share).rounded(.up))
        var sum = 0
        for (step, number) in counts.enumerated() {
            sum += number
            if sum >= rank { return min(max(Self.value(of: step), minimum), maximum) }
        }
        return 0
    }

    /// The logarithm, linear between powers of two, in steps: they stay even enough for percentiles.
    private static func step(of nanoseconds: Int64) -> Int {
        let number = UInt64(max(1, nanoseconds))
        let exponent = UInt64.bitWidth - 1 - number.leadingZeroBitCount
        // What stands behind the first bit, in 32 bits.
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
