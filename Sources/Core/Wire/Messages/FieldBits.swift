/// The position of a field in a header of fixed layout, as specifications draw it.
///
/// Bits are counted from the most significant bit of the first byte.
public struct FieldBits: Sendable, Hashable {
    /// The position of the first bit.
    public let first: Int
    /// The number of bits, at most 32.
    public let count: Int

    /// Creates a position.
    @inlinable
    public init(_ first: Int, _ count: Int) {
        self.first = first
        self.count = count
    }

    /// The range of bytes that hold the bits.
    public var bytes: Range<Int> { first / 8..<(first + count + 7) / 8 }

    /// The range of numbers that fit.
    public var range: ClosedRange<Int64> { 0...((1 << Int64(count)) - 1) }

    /// Returns the field's number.
    ///
    /// - Parameter word: The eight bytes of the header that contain the field, starting at a byte
    ///   whose offset is a multiple of 8, as a number with the most significant byte first.
    @inlinable @inline(__always)
    public func number<Number: FixedWidthInteger>(in word: UInt64) -> Number {
        Number(truncatingIfNeeded: word >> shift & mask)
    }

    /// Returns a number shifted to its position in such a word, without the bits that do not fit.
    @inlinable @inline(__always)
    public func placed(_ number: UInt64) -> UInt64 {
        (number & mask) << shift
    }

    @inlinable @inline(__always)
    var mask: UInt64 { 1 << UInt64(truncatingIfNeeded: count) &- 1 }

    @inlinable @inline(__always)
    var shift: UInt64 { UInt64(truncatingIfNeeded: 64 &- first % 64 &- count) }
}
