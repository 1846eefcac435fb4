import Wire

/// The random numbers of one drawn run; the same on every machine and with every compiler.
struct DrawingRandom {
    private var generator: SplitMix64

    /// Creates the numbers of a run of an exploration.
    init(_ exploration: String, seed: UInt64, number: Int) {
        var mixer = SplitMix64(state: seed)
        var state = mixer.next()
        for byte in exploration.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        state ^= UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        generator = SplitMix64(state: state)
    }

    /// Returns a number below the limit, which is positive.
    mutating func below(_ limit: Int) -> Int {
        let wide = generator.next().multipliedFullWidth(by: UInt64(max(1, limit)))
        return Int(clamping: wide.high)
    }

    /// Returns one of the elements; `nil` if there is none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// Returns the index of a weight, each as likely as it is heavy; `nil` if there is none.
    mutating func pick(byWeight weights: [Int]) -> Int? {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return nil }
        var rest = below(sum)
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return nil
    }

    /// Returns a subset of so many elements, as bits.
    mutating func subset(of count: Int, size: ClosedRange<Int>) -> UInt64 {
        let wanted = size.lowerBound + below(size.count)
        var left = Array(0..<count)
        var bits: UInt64 = 0
        for _ in 0..<wanted where !left.isEmpty {
            bits |= 1 << UInt64(left.remove(at: below(left.count)))
        }
        return bits
    }
}
