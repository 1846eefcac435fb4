/// A limit on the decompressed size of the messages of one direction of a connection.
///
/// It keeps the cost of a capture proportional to its size: DEFLATE can make a thousand bytes out
/// of one.
package struct InflationAllowance: Sendable, Hashable {
    /// The decompressed bytes that the first messages may have, whatever their size.
    private static let start = 1 << 18
    /// The decompressed bytes that each compressed byte may add to that.
    private static let factor = 100

    private var left = Self.start

    /// Creates an unused allowance.
    package init() {}

    /// Returns how many bytes the next message may have when decompressed.
    ///
    /// - Parameters:
    ///   - coded: Its length on the wire in bytes.
    ///   - most: The upper limit for any message.
    package func limit(for coded: Int, atMost most: Int) -> Int {
        min(most, left + Self.factor * coded)
    }

    /// Records the decompressed size of a message, or its limit if decompression was given up.
    package mutating func use(_ count: Int, for coded: Int) {
        left = max(0, left + Self.factor * coded - count)
    }
}
