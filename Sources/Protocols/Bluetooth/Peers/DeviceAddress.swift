/// The address of a Bluetooth device (Core 5.4 Vol 6 Part B 1.3).
public struct DeviceAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 48 bits of the address.
    public let value: UInt64
    /// Whether it is a random address; a public one otherwise.
    public let isRandom: Bool

    /// Creates an address from its 48 bits; higher bits are cut off.
    public init(_ value: UInt64, isRandom: Bool) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    /// Parses `c4:11:11:11:11:11`; `nil` for any other form.
    public init?(_ text: String, isRandom: Bool) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        var value: UInt64 = 0
        for part in parts {
            guard part.utf8.count == 2, let byte = UInt8(part, radix: 16) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        self.init(value, isRandom: isRandom)
    }

    /// Creates an address from six bytes in HCI order, lowest first; `nil` for another length.
    init?(hci bytes: ArraySlice<UInt8>, isRandom: Bool) {
        guard bytes.count == 6 else { return nil }
        self.init(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }, isRandom: isRandom)
    }

    /// The six bytes in HCI order, lowest first.
    var hci: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }

    /// The byte for the address type in commands and events: 0 public, 1 random.
    var type: UInt8 { isRandom ? 1 : 0 }

    /// The address in the form `c4:11:11:11:11:11`.
    public var description: String {
        hci.reversed().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
