import Glibc
import Results
import Trace
import Wire

/// Finds out whether waits that chance is to draw were drawn evenly from what they may be.
///
/// A device whose waits are drawn evenly and independently is refused with a probability of at most
/// `level`, however many waits there are: seven tests, each of which errs with at most a seventh of
/// that. What a wait may have been measured too long or too short makes every test milder, never
/// stricter: a wait is an interval, and each test takes that value in it which speaks for the device.
///
/// 1. The waits lie too close together. For independent waits drawn from stretches of length
///    `W[i]`, all lie within some stretch of length `r` with a probability of at most
///    `sum over i of product over j != i of min(1, r / W[j])` (the i-th is the shortest).
/// 2. Their places within their bounds lie too close together. The range of `n` even places is at
///    most `r` with the probability `n r^(n-1) - (n-1) r^n`.
/// 3. The places are not spread evenly: the largest distance between their distribution and the
///    even one exceeds `d` with a probability of at most `2 exp(-2 n d^2)`
///    (Dvoretzky, Kiefer, Wolfowitz; Massart 1990).
/// 4. Too many waits are as long as the cap, which cuts off longer ones. With the probability `q[i]`
///    of that and `k` such waits, `exp(3 k) / product of (1 + q[i] (exp(3) - 1))` has the mean 1, so
///    it exceeds `1 / a` with a probability of at most `a` (Markov).
/// 5. Several lives of a client, each of which begins with the first wait, have the same places: two
///    of them, or all. How close together the places of one number lie is as in 2; the product of `k`
///    such probabilities is at most `p` with the probability `p times the sum of (-ln p)^i / i!` over
///    `i < k`; there are `m (m - 1) / 2` pairs of `m` lives, and all of them.
/// 6. The places rise or fall in one direction. Of `n` places the number of those that are larger
///    than the one before has the distribution of the Eulerian numbers.
/// 7. Of each two neighbours that form a pair (1 and 2, 3 and 4, ...) the same one is the larger too
///    often: that is a coin.
struct SpreadTest {
    typealias Sample = DrawnWaits.Sample

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
        /// So many lives have the same places.
        case repeated(Int)
        /// They rise or fall.
        case ordered(Int)
        /// They are longer and shorter by turns.
        case alternating(Int)
    }

    /// What one test says: the probability, at most, that a right client shows as much.
    private struct Finding {
        let fault: Fault
        let probability: Double
    }

    private static let testCount = 7.0

    /// The probability with which a device that draws evenly is refused, at most.
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
        // Of a wait that the cap or the floor did not cut, no more is known than that.
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
            // A client that starts anew may draw the same again, in however many lives.
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

    /// What the waits show; `nil` if they may have been drawn evenly, or are too few to say.
    var fault: Fault? { findings.first { $0.probability < level / Self.testCount }?.fault }

    /// The probability, at most, that waits which are drawn evenly look as uneven as these.
    var probability: Double {
        min(1, (findings.map(\.probability).min() ?? 1) * Self.testCount)
    }

    /// The waits of all executions; no life of one is a life of another.
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

    /// The probability, at most, that places of the same number in several lives lie as close
    /// together as these.
    private static func alike(_ lives: [[Int: Sample]]) -> Double {
        let probabilities = (lives.first ?? [:]).keys.compactMap { number -> Double? in
            let places = lives.compactMap { $0[number]?.place }
            return places.count == lives.count ? atOnePlace(places) : nil
        }
        guard probabilities.count > 1 else { return 1 }
        return productTail(probabilities.reduce(1, *), probabilities.count)
    }

    /// How many lives are compared with each other.
    private static let livesMax = 24

    /// The probability that the product of `count` even numbers is at most `product`.
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

    /// Whether the second of two places surely is the larger (1) or the smaller (-1) one.
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

    /// How many places are looked at for their order.
    private static let placesMax = 200

    /// How far apart the first and the last value are, at most.
    private static func span(of values: [ClosedRange<Double>]) -> Double {
        (values.map(\.upperBound).max() ?? 0) - (values.map(\.lowerBound).min() ?? 0)
    }
}

// MARK: - Power

extension SpreadTest {
    /// How often a client is found that draws these waits from one half of their bounds, the one half
    /// or the other: how much a pass says.
    ///
    /// It is drawn from `trials` such clients, always the same ones; of very many waits the first
    /// alone are looked at, so that it is that much at least.
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
    /// What the waits of one execution, or of several, show together.
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
    /// Whether where it lies says something of what was drawn.
    fileprivate var isFree: Bool { !isAtCap && !isAtFloor && isPlaced }
    /// Whether it may have been raised to the floor.
    var isAtFloor: Bool { floor.map { measured <= $0 + late } ?? false }
    /// What may have been drawn.
    fileprivate var drawn: ClosedRange<Double> { measured - late...measured + early }
    /// The least that it may be if it was not raised.
    private var freeLower: Double { floor.map { $0 + late } ?? lower }
    /// How far the drawn wait can lie above that.
    fileprivate var width: Double { (uncut > upper ? upper - early : upper) - freeLower }
    /// Whether it is measured well enough to say in which part of its bounds it lies.
    ///
    /// That does not depend on where it lies, so what is left out is no choice among the places.
    fileprivate var isPlaced: Bool { width > 0 && early + late <= width / 2 }
    /// This wait in another count.
    fileprivate func `as`(number: Int, ofLife life: Int) -> Self {
        var sample = self
        (sample.number, sample.life) = (number, life)
        return sample
    }
    /// Where it may lie between its bounds, from 0 to 1.
    fileprivate var place: ClosedRange<Double> {
        let first = min(1, max(0, (drawn.lowerBound - freeLower) / width))
        return first...min(1, max(first, (drawn.upperBound - freeLower) / width))
    }
}
