import Glibc
import Results
import Trace
import Wire

/// Tests whether waits that must be random are drawn evenly from their bounds.
///
/// A device whose waits are drawn evenly and independently is rejected with a probability of at
/// most `level`, however many waits there are: each of seven tests errs with at most a seventh of
/// that. A possible measurement error makes every test milder, never stricter: a wait is an
/// interval, and each test uses the value in it that is best for the device.
///
/// 1. The waits are too close together. For independent waits drawn from ranges of length `W[i]`,
///    all are within some range of length `r` with a probability of at most `sum over i of product
///    over j != i of min(1, r / W[j])` (the i-th is the shortest).
/// 2. Their places within their bounds are too close together. The range of `n` even places is at
///    most `r` with the probability `n r^(n-1) - (n-1) r^n`.
/// 3. The places are not spread evenly: the largest distance between their distribution and the
///    even one exceeds `d` with a probability of at most `2 exp(-2 n d^2)` (Dvoretzky, Kiefer,
///    Wolfowitz; Massart 1990).
/// 4. Too many waits are as long as the cap, which cuts off longer ones. With the probability
///    `q[i]` of that and `k` such waits, `exp(3 k) / product of (1 + q[i] (exp(3) - 1))` has the
///    mean 1, so it exceeds `1 / a` with a probability of at most `a` (Markov).
/// 5. Several lives of a client have the same places: two of them, or all. A life begins with the
///    first wait after a reset. How close together the places of one number are is as in 2. The
///    product of `k` such probabilities is at most `p` with the probability `p times the sum of
///    (-ln p)^i / i!` over `i < k`. There are `m (m - 1) / 2` pairs of `m` lives, and the group of
///    all lives.
/// 6. The places rise or fall in one direction. The number of places, out of `n`, that are larger
///    than the previous one has the distribution of the Eulerian numbers.
/// 7. In pairs of neighbours (1 and 2, 3 and 4, ...), the same one is the larger too often: each
///    pair is a coin toss.
struct SpreadTest {
    typealias Sample = DrawnWaits.Sample

    /// What the waits show.
    enum Fault: Sendable, Hashable {
        /// They are closer together than random waits are.
        case tooClose(Int)
        /// They are all about the same part of their bounds.
        case samePart(Int)
        /// They are spread, but not evenly.
        case uneven(Int)
        /// Too many are as long as the cap.
        case mostlyCap(Int)
        /// This number of lives have the same places.
        case repeated(Int)
        /// They rise or fall in one direction.
        case ordered(Int)
        /// They are alternately longer and shorter.
        case alternating(Int)
    }

    /// The result of one test: the largest probability that a correct client shows as much.
    private struct Finding {
        let fault: Fault
        let probability: Double
    }

    private static let testCount = 7.0

    /// The largest probability with which a device that draws evenly is rejected.
    let level: Double
    private let findings: [Finding]
    /// How many waits are judged.
    let count: Int

    /// Tests the waits of one execution.
    init(_ samples: [Sample], level: Double) { self.init(of: [samples], level: level) }

    /// Tests the waits of several executions together.
    init(of executions: [[Sample]], level: Double) {
        self.level = level
        let drawn = Self.joined(executions).filter { $0.uncut > $0.lower }
        count = drawn.count
        // The drawn value is known only for a wait that neither the cap nor the floor changed.
        let free = drawn.filter(\.isFree)
        var findings = [Finding(fault: .mostlyCap(drawn.count), probability: Self.atCap(drawn))]
        if free.count > 1 {
            let places = free.map(\.place)
            if !free.contains(where: \.dependsOnHistory) {
                findings.append(
                    Finding(fault: .tooClose(free.count), probability: Self.ofOneLength(free)))
            }
            let (rise, turn) = (Self.rising(free), Self.alternating(free))
            findings += [
                Finding(fault: .samePart(free.count), probability: Self.atOnePlace(places)),
                Finding(fault: .uneven(free.count), probability: Self.uneven(places)),
                Finding(fault: .ordered(free.count), probability: rise),
                Finding(fault: .alternating(free.count), probability: turn),
            ]
            // A client that starts again may draw the same waits again, regardless of the number of
            // lives.
            let starts = executions.map { execution in
                execution.enumerated().map { $1.as(number: $0, ofLife: 0) }
            }
            let others = starts.count > 1 ? Self.joined(starts).filter(\.isFree) : []
            let repetitions = [free, others].filter { !$0.isEmpty }.map(Self.repeated)
            findings += repetitions.map {
                Finding(
                    fault: .repeated($0.lives),
                    probability: min(1, $0.probability * Double(repetitions.count)))
            }
        }
        self.findings = findings
    }

    /// What the waits show; `nil` if they may be drawn evenly, or are too few to decide.
    var fault: Fault? { findings.first { $0.probability < level / Self.testCount }?.fault }

    /// The largest probability that evenly drawn waits look as uneven as these.
    var probability: Double {
        min(1, (findings.map(\.probability).min() ?? 1) * Self.testCount)
    }

    /// Returns the waits of all executions, with different lives in different executions.
    private static func joined(_ executions: [[Sample]]) -> [Sample] {
        var (all, lives): ([Sample], Int) = ([], 0)
        for execution in executions {
            all += execution.map { $0.as(number: $0.number, ofLife: $0.life + lives) }
            lives += (execution.map(\.life).max() ?? 0) + 1
        }
        return all
    }

    // MARK: - The tests

    private static func atCap(_ samples: [Sample]) -> Double {
        let growth = exp(3.0) - 1
        let evidence = samples.filter { $0.uncut > $0.upper }.reduce(0.0) { sum, sample in
            let above = sample.uncut - (sample.upper - sample.early - sample.late)
            let probability = min(1, above / (sample.uncut - sample.lower))
            return sum + (sample.isAtCap ? 3 : 0) - log(1 + probability * growth)
        }
        return min(1, exp(-evidence))
    }

    private static func ofOneLength(_ samples: [Sample]) -> Double {
        let range = span(of: samples.map(\.drawn))
        let shares = samples.map { min(1, range / $0.width) }
        let all = shares.reduce(0) { $0 + log($1) }
        return min(1, shares.reduce(0) { $0 + exp(all - log($1)) })
    }

    private static func atOnePlace(_ places: [ClosedRange<Double>]) -> Double {
        let count = Double(places.count)
        let range = span(of: places)
        guard range < 1 else { return 1 }
        return count * pow(range, count - 1) - (count - 1) * pow(range, count)
    }

    private static func uneven(_ places: [ClosedRange<Double>]) -> Double {
        let count = Double(places.count)
        let below = zip(places.map(\.upperBound).sorted(), 1...).map { Double($1) / count - $0 }
        let above = zip(places.map(\.lowerBound).sorted(), 0...).map { $0 - Double($1) / count }
        let distance = max(0, (below + above).max() ?? 0)
        return min(1, 2 * exp(-2 * count * distance * distance))
    }

    private static func repeated(_ samples: [Sample]) -> (lives: Int, probability: Double) {
        let lives = Dictionary(grouping: samples, by: \.life)
            .sorted { $0.key < $1.key }.prefix(livesMax)
            .map { Dictionary($0.value.map { ($0.number, $0) }) { first, _ in first } }
        guard lives.count > 1 else { return (lives.count, 1) }
        var groups = lives.indices.flatMap { first in
            lives.indices.dropFirst(first + 1).map { [lives[first], lives[$0]] }
        }
        if lives.count > 2 { groups.append(lives) }
        let least = groups.map(alike).min() ?? 1
        return (lives.count, min(1, least * Double(groups.count)))
    }

    /// Returns the largest probability that places of the same numbers are as close as these.
    ///
    /// The places are those of several lives.
    private static func alike(_ lives: [[Int: Sample]]) -> Double {
        let probabilities = (lives.first ?? [:]).keys.compactMap { number -> Double? in
            let places = lives.compactMap { $0[number]?.place }
            return places.count == lives.count ? atOnePlace(places) : nil
        }
        guard probabilities.count > 1 else { return 1 }
        return productTail(probabilities.reduce(1, *), probabilities.count)
    }

    /// The largest number of lives that are compared with each other.
    private static let livesMax = 24

    /// Returns the probability that the product of `count` even numbers is at most `product`.
    private static func productTail(_ product: Double, _ count: Int) -> Double {
        guard product > 0 else { return 0 }
        let exponent = -log(product)
        var (term, sum) = (1.0, 1.0)
        for index in 1..<max(1, count) {
            term *= exponent / Double(index)
            sum += term
        }
        return min(1, product * sum)
    }

    /// Returns 1 if the second place is certainly the larger, -1 if it is the smaller, else 0.
    private static func step(_ first: Sample, _ second: Sample) -> Int {
        let (first, second) = (first.place, second.place)
        return first.upperBound < second.lowerBound
            ? 1 : second.upperBound < first.lowerBound ? -1 : 0
    }

    private static func rising(_ samples: [Sample]) -> Double {
        let places = samples.prefix(placesMax)
        let steps = zip(places, places.dropFirst()).map(step)
        let surelyUp = steps.count { $0 == 1 }
        let surelyDown = steps.count { $0 == -1 }
        // Ups among n places: the Eulerian numbers divided by n!.
        var chances = [1.0]
        for count in 2...max(2, places.count) {
            var next = Array(repeating: 0.0, count: count)
            for ups in 0..<count {
                let stay = ups < chances.count ? chances[ups] * Double(ups + 1) : 0
                let more = ups > 0 ? chances[ups - 1] * Double(count - ups) : 0
                next[ups] = (stay + more) / Double(count)
            }
            chances = next
        }
        let up = chances.dropFirst(surelyUp).reduce(0, +)
        let down = chances.dropFirst(surelyDown).reduce(0, +)
        return min(1, 2 * min(up, down))
    }

    private static func alternating(_ samples: [Sample]) -> Double {
        let places = Array(samples.prefix(placesMax))
        let pairs = stride(from: 1, to: places.count, by: 2)
        let steps = pairs.map { step(places[$0 - 1], places[$0]) }
        let most = max(steps.count { $0 == 1 }, steps.count { $0 == -1 })
        let count = steps.count
        var tail = 0.0
        for heads in most...max(most, count) where heads <= count {
            tail += exp(
                lgamma(Double(count + 1)) - lgamma(Double(heads + 1))
                    - lgamma(Double(count - heads + 1)) - Double(count) * log(2))
        }
        return min(1, 2 * tail)
    }

    /// The largest number of places whose order is examined.
    private static let placesMax = 200

    /// Returns the largest possible distance between the smallest and the largest value.
    private static func span(of values: [ClosedRange<Double>]) -> Double {
        (values.map(\.upperBound).max() ?? 0) - (values.map(\.lowerBound).min() ?? 0)
    }
}

// MARK: - Power

extension SpreadTest {
    /// Returns how often a client is detected whose waits come from one half of these bounds.
    ///
    /// It shows how much a pass means. It is measured with `trials` such clients, always the same
    /// ones, for the lower and the upper half in turn. Of very many waits only the first are
    /// examined, so that the true value is at least the result.
    static func power(_ samples: [Sample], level: Double, trials: Int = 200) -> Double {
        let drawn = samples.filter { $0.uncut > $0.lower }.prefix(placesMax)
        guard drawn.count > 1 else { return 0 }
        var random = Draw(state: 0x9E37_79B9_7F4A_7C15)
        let found = (0..<trials).count { trial in
            let offset = trial.isMultiple(of: 2) ? 0 : 0.5
            let half = drawn.map { sample in
                var other = sample
                let place = offset + random.next() / 2
                let free = sample.lower + (sample.uncut - sample.lower) * place
                other.measured = min(max(free, sample.floor ?? free), sample.upper)
                return other
            }
            return SpreadTest(half, level: level).fault != nil
        }
        return Double(found) / Double(trials)
    }

    /// Numbers from 0 to 1 (Marsaglia's xorshift).
    private struct Draw {
        var state: UInt64

        mutating func next() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) / Double(1 << 53)
        }
    }
}

extension ScheduledSpread {
    /// Tests the waits of one execution, or of several together.
    init(of executions: [[SpreadTest.Sample]], level: Double) {
        let test = SpreadTest(of: executions, level: level)
        self.init(
            waits: test.count, level: level, probability: test.probability,
            power: SpreadTest.power(executions.flatMap(\.self), level: level))
    }
}

extension DrawnWaits.Sample {
    /// When it was over.
    var ended: Timestamp { began + .seconds(measured) }
    /// Whether the cap may have cut it.
    var isAtCap: Bool { uncut > upper && measured >= upper - early }
    /// Whether its place shows something about the drawn value.
    fileprivate var isFree: Bool { !isAtCap && !isAtFloor && isPlaced }
    /// Whether it may have been raised to the floor.
    var isAtFloor: Bool { floor.map { measured <= $0 + late } ?? false }
    /// The values that may have been drawn.
    fileprivate var drawn: ClosedRange<Double> { measured - late...measured + early }
    /// The smallest value if it was not raised.
    private var freeLower: Double { floor.map { $0 + late } ?? lower }
    /// The size of the range of drawn values above that.
    fileprivate var width: Double { (uncut > upper ? upper - early : upper) - freeLower }
    /// Whether it is measured precisely enough to say in which part of its bounds it is.
    ///
    /// That does not depend on its place, so leaving waits out is not a selection of places.
    fileprivate var isPlaced: Bool { width > 0 && early + late <= width / 2 }
    /// Returns this wait with another number and life.
    fileprivate func `as`(number: Int, ofLife life: Int) -> Self {
        var sample = self
        (sample.number, sample.life) = (number, life)
        return sample
    }
    /// The possible places between its bounds, from 0 to 1.
    fileprivate var place: ClosedRange<Double> {
        let first = min(1, max(0, (drawn.lowerBound - freeLower) / width))
        return first...min(1, max(first, (drawn.upperBound - freeLower) / width))
    }
}
