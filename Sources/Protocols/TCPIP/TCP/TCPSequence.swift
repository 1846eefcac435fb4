/// A TCP sequence number: a position in the stream modulo 2^32 (RFC 9293 3.4).
///
/// Sequence numbers have no total order. Two numbers are compared by their distance, which is
/// correct as long as they are less than 2^31 bytes apart.
public struct TCPSequence: Sendable, Hashable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: UInt32

    /// Creates a sequence number from its value on the wire.
    @inlinable
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Returns how many bytes this position is after `other`; negative if before.
    @inlinable
    public func distance(from other: TCPSequence) -> Int {
        Int(Int32(bitPattern: rawValue &- other.rawValue))
    }

    /// Returns the position `count` bytes later.
    @inlinable
    public static func + (sequence: TCPSequence, count: Int) -> TCPSequence {
        TCPSequence(sequence.rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// The number on the wire, in decimal.
    public var description: String { String(rawValue) }
}
