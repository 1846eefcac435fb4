/// The place of a field in a header of fixed layout, as specifications draw it: its bits are counted
/// from the most significant one of the first byte on.
public struct FieldBits: Sendable, Hashable {
    /// The first of them.
    public let first: Int
    /// How many there are, at most 32.
    public let count: Int

    /// Makes a place.
    @inlinable
    public init(_ first: Int, _ count: Int) {
        self.first = first
        self.count = count
    }

    /// The bytes that hold them.
    public var bytes: Range<Int> { first / 8..<(first + count + 7) / 8 }

    /// The numbers that fit.
    public var range: ClosedRange<Int64> { 0...((1 << Int64(count)) - 1) }

    /// The field's number.
    ///
    /// - Parameter word: The eight bytes of the header in which the field is, from a byte whose offset
    ///   is a multiple of 8 on, as a number with the most significant byte first.
    @inlinable @inline(__always)
    public func number<Number: FixedWidthInteger>(in word: UInt64) -> Number {
        Number(truncatingIfNeeded: word >> shift & mask)
    }

    /// A number, of which the bits that do not fit are dropped, at its place in such a word.
    @inlinable @inline(__always)
    public func placed(_ number: UInt64) -> UInt64 {
        (number & mask) << shift
    }

    @inlinable @inline(__always)
    var mask: UInt64 { 1 << UInt64(truncatingIfNeeded: count) &- 1 }

    @inlinable @inline(__always)
    var shift: UInt64 { UInt64(truncatingIfNeeded: 64 &- first % 64 &- count) }
}
