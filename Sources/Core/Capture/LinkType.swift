/// The framing of an interface's packets: a number of tcpdump.org's LINKTYPE registry.
public struct LinkType: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Creates a link type from its number in the registry.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates the link type of a libpcap DLT number, whose values below 104 differ between
    /// systems.
    ///
    /// Some programs write these numbers into files.
    init(dlt: Int32) {
        let isRawIP = dlt == 12 || dlt == 14
        self.init(rawValue: isRawIP ? LinkType.raw.rawValue : UInt16(truncatingIfNeeded: dlt))
    }

    /// Ethernet; also Linux's loopback.
    public static let ethernet = LinkType(rawValue: 1)
    /// IPv4 or IPv6 without link layer.
    public static let raw = LinkType(rawValue: 101)
    /// Linux cooked capture, version 1.
    public static let linuxCooked = LinkType(rawValue: 113)

    /// Bluetooth HCI packets, each after the byte of UART transport (H4) that identifies its kind.
    public static let bluetoothH4 = LinkType(rawValue: 187)
    /// The same after four bytes of direction.
    public static let bluetoothH4Directed = LinkType(rawValue: 201)
    /// The packets of Linux's Bluetooth monitor.
    public static let bluetoothMonitor = LinkType(rawValue: 254)
    /// Records of btsnoop's data link 1001 from their flags on.
    ///
    /// Only the flags show the kind of the packet. The registry has no number for it.
    public static let btsnoopHCI = LinkType(rawValue: 0xFF01)
    /// Records of btsnoop's data link 2001 from their flags on.
    ///
    /// The flags contain what Linux's monitor says about the packet. The registry has no number for
    /// it.
    public static let btsnoopMonitor = LinkType(rawValue: 0xFF03)
    /// Records of Apple's PacketLogger from their type on; the registry has no number for it.
    public static let packetLogger = LinkType(rawValue: 0xFF02)

    /// The name of a link type that is known but not dissected; `nil` for all others.
    public var knownName: String? {
        switch self {
        case .bluetoothH4, .bluetoothH4Directed, .bluetoothMonitor, .btsnoopHCI, .btsnoopMonitor,
            .packetLogger:
            "bluetooth hci"
        default: LinkType.knownNames[rawValue]
        }
    }

    /// The names of frequently captured link types, as in the registry.
    private static let knownNames: [UInt16: String] = [
        105: "ieee 802.11", 119: "ieee 802.11", 127: "ieee 802.11", 163: "ieee 802.11",
        186: "usb", 189: "usb", 220: "usb", 249: "usb", 266: "usb", 288: "usb", 293: "usb",
        294: "usb", 295: "usb", 227: "can", 251: "bluetooth le", 255: "bluetooth",
        256: "bluetooth le", 161: "bluetooth", 9: "ppp", 50: "ppp", 6: "token ring",
        10: "fddi", 195: "ieee 802.15.4", 230: "ieee 802.15.4", 253: "netlink",
    ]

    /// The number, in decimal.
    public var description: String { String(rawValue) }
}
