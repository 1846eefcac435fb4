/// A field at a fixed place in the header of every frame of a protocol, so that a test may put
/// any number there.
public struct FrameField: Sendable, Hashable {
    /// Its path, such as `sdl.data_size`.
    public let path: String
    /// The first of its bits, counted from the most significant bit of the first byte.
    public let firstBit: Int
    /// How many bits it has, at most 32.
    public let bitCount: Int

    /// Makes a description.
    public init(_ path: String, firstBit: Int, bitCount: Int) {
        self.path = path
        self.firstBit = firstBit
        self.bitCount = bitCount
    }

    /// The numbers that fit.
    public var range: ClosedRange<Int64> { 0...((1 << Int64(bitCount)) - 1) }

    /// Writes a number over the field; returns whether the frame is long enough and it fits.
    public func write(_ number: Int64, into frame: inout [UInt8]) -> Bool {
        guard range.contains(number), (firstBit + bitCount + 7) / 8 <= frame.count else {
            return false
        }
        for bit in 0..<bitCount {
            let isSet = number >> Int64(bitCount - 1 - bit) & 1 == 1
            let place = firstBit + bit
            let mask: UInt8 = 0x80 >> UInt8(place % 8)
            if isSet { frame[place / 8] |= mask } else { frame[place / 8] &= ~mask }
        }
        return true
    }
}
