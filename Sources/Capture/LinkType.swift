/// How the packets of an interface are framed: a number of tcpdump.org's LINKTYPE registry.
public struct LinkType: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Takes a number of the registry.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The link type of a libpcap DLT number, whose values below 104 differ between systems.
    init(dlt: Int32) {
        let isRawIP = dlt == 12 || dlt == 14
        self.init(rawValue: isRawIP ? LinkType.raw.rawValue : UInt16(truncatingIfNeeded: dlt))
    }

    /// BSD loopback, address family in the capturing host's byte order.
    public static let null = LinkType(rawValue: 0)
    /// Ethernet; also Linux's loopback.
    public static let ethernet = LinkType(rawValue: 1)
    /// IPv4 or IPv6 without link layer.
    public static let raw = LinkType(rawValue: 101)
    /// OpenBSD loopback, address family in network order.
    public static let loop = LinkType(rawValue: 108)
    /// Linux cooked capture, version 1.
    public static let linuxCooked = LinkType(rawValue: 113)
    /// IPv4 without link layer.
    public static let ipv4 = LinkType(rawValue: 228)
    /// IPv6 without link layer.
    public static let ipv6 = LinkType(rawValue: 229)
    /// Linux cooked capture, version 2.
    public static let linuxCooked2 = LinkType(rawValue: 276)

    /// The number, in decimal.
    public var description: String { String(rawValue) }
}
