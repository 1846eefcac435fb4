/// A UUID of a service, characteristic, descriptor or protocol, in its short or long form.
///
/// UUIDs are equal if their 128 bits are equal, whatever their form on the wire (Core 5.4 Vol 3
/// Part B 2.5.1).
public struct BluetoothUUID: Sendable, Hashable, CustomStringConvertible {
    /// The upper 64 of its 128 bits.
    public let upper: UInt64
    /// The lower 64 bits.
    public let lower: UInt64

    /// The lower 96 bits of UUIDs with a short form.
    private static let base: (upper: UInt64, lower: UInt64) = (0x1000, 0x8000_0080_5F9B_34FB)

    /// Creates a UUID from its 128 bits.
    public init(upper: UInt64, lower: UInt64) {
        self.upper = upper
        self.lower = lower
    }

    /// Creates a UUID from a short form of 16 or 32 bits.
    public init(_ short: UInt32) {
        self.init(upper: UInt64(short) << 32 | Self.base.upper, lower: Self.base.lower)
    }

    /// Reads 2, 4 or 16 bytes, least significant byte first; `nil` for another count.
    public init?(littleEndian bytes: some Collection<UInt8>) {
        self.init(bigEndian: bytes.reversed())
    }

    /// Reads 2, 4 or 16 bytes, most significant byte first; `nil` for another count.
    public init?(bigEndian bytes: some Collection<UInt8>) {
        func number(_ part: some Sequence<UInt8>) -> UInt64 {
            part.reduce(0) { $0 << 8 | UInt64($1) }
        }
        switch bytes.count {
        case 2, 4: self.init(UInt32(truncatingIfNeeded: number(bytes)))
        case 16: self.init(upper: number(bytes.prefix(8)), lower: number(bytes.suffix(8)))
        default: return nil
        }
    }

    /// Parses the long form with or without hyphens, or a short form; `nil` for anything else.
    ///
    /// A short form has four or eight digits.
    public init?(_ text: String) {
        let digits = text.filter { $0 != "-" }
        let bytes = [UInt8](hexDigits: digits)
        guard let bytes, text.contains("-") == (text.count == 36) else { return nil }
        self.init(bigEndian: bytes)
    }

    /// The 32-bit form, if it has one.
    public var short: UInt32? {
        guard lower == Self.base.lower, upper & 0xFFFF_FFFF == Self.base.upper else { return nil }
        return UInt32(truncatingIfNeeded: upper >> 32)
    }

    /// The 16-bit form, if it has one.
    public var short16: UInt16? { short.flatMap(UInt16.init(exactly:)) }

    /// All 128 bits, least significant byte first.
    public var longBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: Int64(bitPattern: lower), bytes: 8)
        bytes.append(littleEndian: Int64(bitPattern: upper), bytes: 8)
        return bytes
    }

    /// The form in attributes, least significant byte first (Core 5.4 Vol 3 Part F 3.2.1).
    ///
    /// It has 16 bits if there is such a form, otherwise all.
    public var attributeBytes: [UInt8] {
        guard let short16 else { return longBytes }
        return [UInt8(truncatingIfNeeded: short16), UInt8(short16 >> 8)]
    }

    /// All 128 bits in lower case: `0000180f-0000-1000-8000-00805f9b34fb`.
    public var description: String {
        let digits = Array(longBytes.reversed().hexText)
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }
}
