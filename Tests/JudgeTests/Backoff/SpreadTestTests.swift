import SuiteLanguage
import Testing

@testable import Judge

struct SpreadTestTests {
    private static func fault(_ samples: [SpreadTest.Sample]) -> SpreadTest.Fault? {
        SpreadTest(samples, level: BackoffSchedule.usualLevel).fault
    }

    private typealias Generator = PropertyTests.Generator

    private static func sample(
        _ measured: Double, of upper: Double, from lower: Double = 0, uncut: Double? = nil,
        early: Double = 0.001, late: Double = 0.03
    ) -> SpreadTest.Sample {
        SpreadTest.Sample(
            measured: measured, lower: lower, upper: upper, uncut: uncut ?? upper, early: early,
            late: late, dependsOnHistory: false)
    }

    @Test("Waits that are drawn evenly pass, few or many, in bounds that grow or stay")
    func even() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let count = Int.random(in: 0...80, using: &random)
            let samples = (0..<count).map { index in
                let upper = min(60, Double(1 << min(index, 10)))
                return Self.sample(Double.random(in: 0...upper, using: &random), of: upper)
            }
            #expect(Self.fault(samples) == nil, "seed \(seed)")
        }
    }

    @Test("Too few waits show nothing, whatever they are")
    func few() {
        for count in 0...3 {
            let samples = (0..<count).map { _ in Self.sample(0.5, of: 1) }
            #expect(Self.fault(samples) == nil)
        }
    }

    @Test("A constant wait is found, and a constant part of growing bounds")
    func constant() {
        let same = (0..<8).map { _ in Self.sample(0.5, of: 1) }
        #expect(Self.fault(same) == .tooClose(8))
        let growing = (0..<8).map { index in
            let upper = Double(4 << index)
            return Self.sample(upper * 0.7, of: upper)
        }
        #expect(Self.fault(growing) == .samePart(8))
        let absolute = (0..<8).map { Self.sample(0.5, of: Double(1 << $0)) }
        #expect(Self.fault(absolute) == .tooClose(8))
    }

    @Test("Waits from half of the bounds are found when there are enough of them")
    func half() {
        var random = Generator(seed: 7)
        let samples = (0..<60).map { _ in
            Self.sample(Double.random(in: 0...5, using: &random), of: 10)
        }
        #expect(Self.fault(samples) == .tooClose(60))
        #expect(Self.fault(Array(samples.prefix(12))) == nil)
    }

    @Test("An uneven spread over all of the bounds is found when there are many waits")
    func uneven() {
        var random = Generator(seed: 8)
        let samples = (0..<200).map { _ in
            let place = Double.random(in: 0...1, using: &random)
            return Self.sample(place * place * 10, of: 10)
        }
        #expect(Self.fault(samples) == .uneven(200))
        #expect(Self.fault(Array(samples.prefix(20))) == nil)
    }

    @Test("A short wait, which shows little, does not excuse the long ones")
    func shortAmongLong() {
        var random = Generator(seed: 13)
        let short = Self.sample(0.05, of: 0.1, late: 0.05)
        let long = (0..<200).map { _ in
            let place = Double.random(in: 0...1, using: &random)
            return Self.sample(place * place * 10, of: 10)
        }
        #expect(Self.fault([short] + long) == .uneven(200))
        let places = [0.5, 3.1, 9.2, 1.4, 6.5, 4.6].flatMap { [$0, $0] }
        let constant = (0..<12).map { Self.sample(6 + places[$0] / 100, of: 10) }
        #expect(Self.fault([short] + constant) == .tooClose(12))
    }

    @Test("Waits that a cap cuts off are no fault, unless all are that long")
    func cap() {
        var random = Generator(seed: 9)
        let mixed = (0..<60).map { _ in
            Self.sample(
                min(10, Double.random(in: 1...15, using: &random)), of: 10, from: 1, uncut: 15)
        }
        #expect(Self.fault(mixed) == nil)
        let always = (0..<60).map { _ in Self.sample(10, of: 10, from: 1, uncut: 15) }
        #expect(Self.fault(always) == .mostlyCap(60))
        #expect(Self.fault(Array(always.prefix(8))) == nil)
    }

    @Test("Waits that go in one direction, or alternate, are not drawn independently")
    func order() {
        var random = Generator(seed: 10)
        let places = (0..<60).map { _ in Double.random(in: 0...10, using: &random) }
        #expect(Self.fault(places.map { Self.sample($0, of: 10) }) == nil)
        #expect(Self.fault(places.sorted().map { Self.sample($0, of: 10) }) == .ordered(60))
        #expect(Self.fault(places.sorted().reversed().map { Self.sample($0, of: 10) }) != nil)
        let turns = zip(places, 0...).map { place, index in
            Self.sample(index.isMultiple(of: 2) ? place / 2 : 5 + place / 2, of: 10)
        }
        #expect(Self.fault(turns) == .alternating(60))
    }

    @Test("Waits that are the same after each reset have a fixed seed")
    func repeated() {
        var random = Generator(seed: 11)
        func lives(_ draw: (Int) -> Double) -> [SpreadTest.Sample] {
            (0..<4).flatMap { life in
                (1...6).map { number in
                    var sample = Self.sample(draw(number), of: 10)
                    (sample.life, sample.number) = (life, number)
                    return sample
                }
            }
        }
        #expect(Self.fault(lives { _ in Double.random(in: 0...10, using: &random) }) == nil)
        let seeded = [0, 3.1, 9.2, 1.4, 6.5, 4.6, 8.7]
        #expect(Self.fault(lives { seeded[$0] }) == .repeated(4))
    }

    @Test("Waits that a floor has raised are left out")
    func floor() {
        var random = Generator(seed: 12)
        let raised = (0..<60).map { _ in
            var sample = Self.sample(
                max(1, Double.random(in: 0.7...1.3, using: &random)), of: 1.3, from: 1, late: 0.01)
            sample.floor = 1
            return sample
        }
        #expect(Self.fault(raised) == nil)
    }

    @Test("The level decides how certain a failure is, and more waits find more")
    func level() {
        let few = (0..<5).map { Self.sample(0.5 + Double($0) / 1000, of: 1) }
        #expect(SpreadTest(few, level: 1e-6).fault == nil)
        #expect(SpreadTest(few, level: 0.01).fault != nil)
        #expect(SpreadTest(few, level: 0.01).probability < 0.01)
        let powers = [12, 30, 60].map { count in
            SpreadTest.power((0..<count).map { _ in Self.sample(0.5, of: 1) }, level: 1e-6)
        }
        #expect(powers == powers.sorted())
        #expect(powers[0] < 0.1 && powers[2] == 1)
    }

    @Test("Waits without chance are not judged by it")
    func exact() {
        let samples = (0..<50).map { _ in Self.sample(1, of: 1, from: 1) }
        #expect(Self.fault(samples) == nil)
    }
}
