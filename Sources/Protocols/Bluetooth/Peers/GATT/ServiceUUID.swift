/// A UUID of 16 or 128 bits (Core 5.4 Vol 3 Part B 2.5.1).
package struct ServiceUUID: Sendable, Hashable {
    /// The two or sixteen bytes in the order of transmission, lowest first.
    package let bytes: [UInt8]

    /// The Bluetooth base UUID 00000000-0000-1000-8000-00805f9b34fb, lowest byte first.
    private static let base: [UInt8] = [
        0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0, 0, 0, 0,
    ]

    /// Creates a UUID of 16 bits.
    package init(_ short: UInt16) { bytes = short.littleEndianBytes }

    /// Creates a UUID from two or sixteen bytes as they are sent; `nil` for any other number.
    package init?(sent bytes: some Collection<UInt8>) {
        guard bytes.count == 2 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses `180F` or `6e400001-b5a3-f393-e0a9-e50e24dcca9e`; `nil` for any other form.
    package init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        let digits = text.filter { $0 != "-" }
        guard groups == [4] || groups == [8, 4, 4, 4, 12], digits.allSatisfy(\.isHexDigit) else {
            return nil
        }
        let numbers = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
        guard numbers.count * 2 == digits.count else { return nil }
        bytes = numbers.reversed()
    }

    /// The 128 bits, lowest byte first.
    package var long: [UInt8] {
        bytes.count == 2 ? Array(Self.base.prefix(12)) + bytes + [0, 0] : bytes
    }

    /// The short form of the same UUID; `nil` if it has none.
    package var short: ServiceUUID? {
        if bytes.count == 2 { return self }
        let isOnBase = bytes.prefix(12) == Self.base.prefix(12) && bytes.suffix(2) == [0, 0]
        return isOnBase ? ServiceUUID(sent: bytes[12..<14]) : nil
    }

    /// Whether both denote the same UUID, in short or long form.
    package func means(_ other: ServiceUUID) -> Bool { long == other.long }
}
