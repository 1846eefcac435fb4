/// A field at a fixed position in the header of every frame of a protocol.
///
/// A test may write any number there.
public struct FrameField: Sendable, Hashable {
    /// Its path, such as `sdl.data_size`.
    public let path: String
    /// Its position in the header.
    public let bits: FieldBits

    /// Creates a description.
    public init(_ path: String, _ bits: FieldBits) {
        self.path = path
        self.bits = bits
    }

    /// The range of numbers that fit.
    public var range: ClosedRange<Int64> { bits.range }

    /// Writes a number into the field.
    ///
    /// Returns whether the frame is long enough and the number fits.
    public func write(_ number: Int64, into frame: inout [UInt8]) -> Bool {
        guard range.contains(number), bits.bytes.upperBound <= frame.count else { return false }
        for bit in 0..<bits.count {
            let isSet = number >> Int64(bits.count - 1 - bit) & 1 == 1
            let place = bits.first + bit
            let mask: UInt8 = 0x80 >> UInt8(place % 8)
            if isSet { frame[place / 8] |= mask } else { frame[place / 8] &= ~mask }
        }
        return true
    }
}
