import Wire

/// A generator of random numbers that are the same in every run.
package struct SeededGenerator: RandomNumberGenerator {
    private var random: SplitMix64

    /// Creates a generator from a seed.
    package init(seed: UInt64) { random = SplitMix64(state: seed) }

    package mutating func next() -> UInt64 { random.next() }

    /// Returns a number from 0 up to, but not including, the limit.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// The given number of random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] { random.bytes(count) }
}
