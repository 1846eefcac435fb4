/// The type of what a link-layer frame carries, as assigned by IEEE 802.
public struct EtherType: Sendable, Hashable, RawRepresentable {
    /// The number on the wire.
    public let rawValue: UInt16

    /// Creates a type from its number on the wire.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Internet Protocol version 4.
    public static let ipv4 = EtherType(rawValue: 0x0800)
    /// Internet Protocol version 6.
    public static let ipv6 = EtherType(rawValue: 0x86DD)
    /// Address Resolution Protocol.
    public static let arp = EtherType(rawValue: 0x0806)
    /// A VLAN tag follows (IEEE 802.1Q).
    public static let vlan = EtherType(rawValue: 0x8100)
    /// An outer VLAN tag follows (IEEE 802.1ad).
    public static let serviceVLAN = EtherType(rawValue: 0x88A8)
    /// An outer VLAN tag follows, with the number that older switches use.
    public static let oldServiceVLAN = EtherType(rawValue: 0x9100)
    /// A redundancy tag follows (IEEE 802.1CB).
    static let redundancyTag = EtherType(rawValue: 0xF1C1)

    /// Values below it are the length of an IEEE 802.3 frame, not a type.
    static let firstType: UInt16 = 0x0600

    var isVLAN: Bool { self == .vlan || self == .serviceVLAN || self == .oldServiceVLAN }
}
