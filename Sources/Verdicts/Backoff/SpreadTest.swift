import Glibc

/// Tells whether waits that chance is to draw were drawn evenly from what they may be.
///
/// A device whose waits are drawn evenly and independently is refused with a probability below
/// one in a million, however many waits there are: four tests, each of which errs with at most a
/// quarter of that. What a wait may have been measured too long or too short makes every test
/// milder, never stricter.
///
/// 1. The waits lie too close together. For independent waits drawn from stretches of length
///    `W[i]`, all lie within some stretch of length `r` with a probability of at most
///    `sum over i of product over j != i of min(1, r / W[j])` (the i-th is the shortest).
/// 2. Their places within their bounds lie too close together. The range of `n` even places is at
///    most `r` with the probability `n r^(n-1) - (n-1) r^n`.
/// 3. The places are not spread evenly: the largest distance between their distribution and the
///    even one exceeds `sqrt(ln(2 / a) / 2n)` with a probability of at most `a`
///    (Dvoretzky, Kiefer, Wolfowitz; Massart 1990).
/// 4. Too many waits are as long as the cap, which cuts off longer ones. With the probability `q[i]`
///    of that and `k` such waits, `exp(3 k) / product of (1 + q[i] (exp(3) - 1))` has the mean 1, so
///    it exceeds `1 / a` with a probability of at most `a` (Markov).
struct SpreadTest {
    /// A wait that chance drew.
    struct Sample: Sendable, Hashable {
        /// How long it took, in seconds.
        var measured: Double
        /// The shortest that it may be.
        var lower: Double
        /// The longest that it may be.
        var upper: Double
        /// The longest that it may be without the cap.
        var uncut: Double
        /// How much longer or shorter than drawn it may have been measured.
        var slack: Double
        /// Whether its bounds hang on the wait before.
        var dependsOnHistory: Bool

        /// Whether the cap may have cut it.
        var isAtCap: Bool { uncut > upper && measured >= upper - slack }
    }

    /// What the waits show.
    enum Fault: Sendable, Hashable {
        /// They lie closer together than chance puts them.
        case tooClose(Int)
        /// They are all about the same part of what they may be.
        case samePart(Int)
        /// They are spread, but not evenly.
        case uneven(Int)
        /// Too many are as long as the cap.
        case mostlyCap(Int)
    }

    /// The probability with which a device that draws evenly is refused, at most.
    static let falseAlarm = 1e-6

    private static let share = falseAlarm / 4

    /// What the waits show; `nil` if they may have been drawn evenly, or are too few to tell.
    static func fault(in samples: [Sample]) -> Fault? {
        let drawn = samples.filter { $0.uncut > $0.lower }
        if isMostlyCap(drawn) { return .mostlyCap(drawn.count) }
        // Of a wait that the cap did not cut, no more is known than that it is below the cap.
        let free = drawn.filter { !$0.isAtCap && width($0) > 0 }
        guard free.count > 1 else { return nil }
        if !free.contains(where: \.dependsOnHistory), isOfOneLength(free) {
            return .tooClose(free.count)
        }
        let places = free.map { ($0.measured - $0.lower) / width($0) }
        let slack = free.map { $0.slack / width($0) }.max() ?? 0
        if isAtOnePlace(places, slack: slack) { return .samePart(free.count) }
        return isUneven(places, slack: slack) ? .uneven(free.count) : nil
    }

    /// How far the drawn wait can lie above the shortest.
    private static func width(_ sample: Sample) -> Double {
        sample.uncut > sample.upper
            ? sample.upper - sample.slack - sample.lower : sample.upper - sample.lower
    }

    private static func isMostlyCap(_ samples: [Sample]) -> Bool {
        let growth = exp(3.0) - 1
        let evidence = samples.filter { $0.uncut > $0.upper }.reduce(0.0) { sum, sample in
            let above = sample.uncut - (sample.upper - 2 * sample.slack)
            let probability = min(1, above / (sample.uncut - sample.lower))
            return sum + (sample.isAtCap ? 3 : 0) - log(1 + probability * growth)
        }
        return evidence > log(1 / share)
    }

    private static func isOfOneLength(_ samples: [Sample]) -> Bool {
        let range = range(of: samples.map(\.measured)) + (samples.map(\.slack).max() ?? 0)
        let shares = samples.map { min(1, range / width($0)) }
        let all = shares.reduce(0) { $0 + log($1) }
        return shares.reduce(0) { $0 + exp(all - log($1)) } < share
    }

    private static func isAtOnePlace(_ places: [Double], slack: Double) -> Bool {
        let count = Double(places.count)
        let range = range(of: places) + slack
        guard range < 1 else { return false }
        return count * pow(range, count - 1) - (count - 1) * pow(range, count) < share
    }

    private static func isUneven(_ places: [Double], slack: Double) -> Bool {
        let sorted = places.sorted()
        let count = Double(places.count)
        var distance = 0.0
        for (index, place) in sorted.enumerated() {
            let even = min(1, max(0, place))
            distance = max(
                distance, Double(index + 1) / count - even, even - Double(index) / count)
        }
        return distance > sqrt(log(2 / share) / (2 * count)) + slack
    }

    private static func range(of values: [Double]) -> Double {
        (values.max() ?? 0) - (values.min() ?? 0)
    }
}
