/// What the compressed messages of one direction of a connection may grow to, so that no capture costs
/// more than its size allows: DEFLATE can make a thousand bytes of one.
package struct InflationAllowance: Sendable, Hashable {
    /// Bytes that the first messages may become, whatever their size.
    private static let start = 1 << 18
    /// How many bytes each compressed one may become beside that.
    private static let factor = 100

    private var left = Self.start

    /// An allowance of which nothing is used.
    package init() {}

    /// How many bytes the next message may become.
    ///
    /// - Parameters:
    ///   - coded: How many bytes it has on the wire.
    ///   - most: What no message may become more than.
    package func limit(for coded: Int, atMost most: Int) -> Int {
        min(most, left + Self.factor * coded)
    }

    /// Takes note of what a message has become, or of its limit if it was given up.
    package mutating func use(_ count: Int, for coded: Int) {
        left = max(0, left + Self.factor * coded - count)
    }
}
