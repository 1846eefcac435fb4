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
    ///
    /// - Parameter isRandom: Whether it is a random address; `nil` for a static random one if its
    ///   two top bits are set, and a public one otherwise.
    public init?(_ text: String, isRandom: Bool? = nil) {
        guard case .address(let value)? = BluetoothNode(address: text) else { return nil }
        self.init(value, isRandom: isRandom ?? (value >> 46 == 3))
    }

    /// The six bytes in HCI order, lowest first.
    public var hci: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }

    /// The number of the address type in commands and events: 0 public, 1 random.
    public var type: UInt8 { isRandom ? 1 : 0 }

    /// The address in the form `c4:11:11:11:11:11`.
    public var description: String { BluetoothNode.address(value).description }
}

extension HCIParameters {
    /// Returns the address of a device, whose type is another parameter.
    public func deviceAddress(typedBy type: HCIField? = nil) -> DeviceAddress {
        DeviceAddress(address() ?? 0, isRandom: (type.flatMap(number) ?? 0) & 1 == 1)
    }
}
