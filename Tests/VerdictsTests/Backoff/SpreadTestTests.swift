import Testing

@testable import Verdicts

struct SpreadTestTests {
    private typealias Generator = PropertyTests.Generator

    private static func sample(
        _ measured: Double, of upper: Double, from lower: Double = 0, uncut: Double? = nil,
        slack: Double = 0.031
    ) -> SpreadTest.Sample {
        SpreadTest.Sample(
            measured: measured, lower: lower, upper: upper, uncut: uncut ?? upper, slack: slack,
            dependsOnHistory: false)
    }

    @Test("waits that are drawn evenly pass, few or many, in bounds that grow or stay")
    func even() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let count = Int.random(in: 0...80, using: &random)
            let samples = (0..<count).map { index in
                let upper = min(60, Double(1 << min(index, 10)))
                return Self.sample(Double.random(in: 0...upper, using: &random), of: upper)
            }
            #expect(SpreadTest.fault(in: samples) == nil, "seed \(seed)")
        }
    }

    @Test("few waits tell nothing, whatever they are")
    func few() {
        for count in 0...3 {
            let samples = (0..<count).map { _ in Self.sample(0.5, of: 1) }
            #expect(SpreadTest.fault(in: samples) == nil)
        }
    }

    @Test("a constant wait is told, and a constant part of growing bounds")
    func constant() {
        let same = (0..<8).map { _ in Self.sample(0.5, of: 1) }
        #expect(SpreadTest.fault(in: same) == .tooClose(8))
        let growing = (0..<8).map { index in
            let upper = Double(4 << index)
            return Self.sample(upper * 0.7, of: upper)
        }
        #expect(SpreadTest.fault(in: growing) == .samePart(8))
        let absolute = (0..<8).map { Self.sample(0.5, of: Double(1 << $0)) }
        #expect(SpreadTest.fault(in: absolute) == .tooClose(8))
    }

    @Test("half of the bounds is told from enough waits")
    func half() {
        var random = Generator(seed: 7)
        let samples = (0..<60).map { _ in
            Self.sample(Double.random(in: 0...5, using: &random), of: 10)
        }
        #expect(SpreadTest.fault(in: samples) == .tooClose(60))
        #expect(SpreadTest.fault(in: Array(samples.prefix(12))) == nil)
    }

    @Test("an uneven spread over all of the bounds is told from many waits")
    func uneven() {
        var random = Generator(seed: 8)
        let samples = (0..<200).map { _ in
            let place = Double.random(in: 0...1, using: &random)
            return Self.sample(place * place * 10, of: 10)
        }
        #expect(SpreadTest.fault(in: samples) == .uneven(200))
        #expect(SpreadTest.fault(in: Array(samples.prefix(20))) == nil)
    }

    @Test("waits that a cap cuts off are no fault, unless all are that long")
    func cap() {
        var random = Generator(seed: 9)
        let mixed = (0..<60).map { _ in
            Self.sample(
                min(10, Double.random(in: 1...15, using: &random)), of: 10, from: 1, uncut: 15)
        }
        #expect(SpreadTest.fault(in: mixed) == nil)
        let always = (0..<60).map { _ in Self.sample(10, of: 10, from: 1, uncut: 15) }
        #expect(SpreadTest.fault(in: always) == .mostlyCap(60))
        #expect(SpreadTest.fault(in: Array(always.prefix(8))) == nil)
    }

    @Test("waits without chance are not judged by it")
    func exact() {
        let samples = (0..<50).map { _ in Self.sample(1, of: 1, from: 1) }
        #expect(SpreadTest.fault(in: samples) == nil)
    }
}
