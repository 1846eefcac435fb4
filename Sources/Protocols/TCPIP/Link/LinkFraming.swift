import Wire

/// The link-layer framing of captured packets, by the LINKTYPE registry of tcpdump.org.
public enum LinkFraming: UInt16, Sendable, Hashable {
    /// BSD loopback; the address family is in the capturing host's byte order.
    case null = 0
    /// Ethernet, with or without VLAN tags.
    case ethernet = 1
    /// An IPv4 or IPv6 packet without link layer.
    case raw = 101
    /// OpenBSD loopback; the address family is in network order.
    case loop = 108
    /// Linux cooked capture, version 1.
    case linuxCooked = 113
    /// An IPv4 packet without link layer.
    case ipv4 = 228
    /// An IPv6 packet without link layer.
    case ipv6 = 229
    /// Linux cooked capture, version 2.
    case linuxCooked2 = 276
}

/// The contents of a link-layer header: what follows it, and where.
public struct LinkHeader: Sendable, Hashable {
    /// The type of what follows; below 0x0600 it is the length of an IEEE 802.3 frame.
    public var etherType: EtherType
    /// The number of bytes before it: the header and all VLAN tags.
    public var length: Int
    /// The innermost VLAN identifier, if the frame is tagged.
    public var vlan: UInt16?
}

extension LinkHeader {
    /// Reads the link-layer header at the start of a captured frame.
    ///
    /// - Throws: `.truncated` if the frame ends within the header, `.badValue` if a raw IP packet
    ///   or a loopback header is neither IPv4 nor IPv6.
    public init(parsing frame: RawSpan, framing: LinkFraming) throws(DecodeError) {
        switch framing {
        case .ethernet: self = try .ethernet(frame)
        case .linuxCooked: self = try .linuxCooked(frame)
        case .linuxCooked2: self = try .linuxCooked2(frame)
        case .null, .loop: self = try .loopback(frame)
        case .raw: self = try .raw(frame)
        case .ipv4: self.init(etherType: .ipv4, length: 0)
        case .ipv6: self.init(etherType: .ipv6, length: 0)
        }
    }

    /// Reads destination, source, then a type or tags (IEEE 802.3 3.2).
    private static func ethernet(_ frame: RawSpan) throws(DecodeError) -> LinkHeader {
        var reader = ByteReader(frame, unit: "eth")
        try reader.skip(12, "addr")
        return try afterTags(EtherType(rawValue: try reader.uint16("type")), &reader)
    }

    /// Reads the header of a Linux cooked capture (LINKTYPE_LINUX_SLL).
    ///
    /// Packet type, ARPHRD, address length and address, then the type in the last two bytes.
    private static func linuxCooked(_ frame: RawSpan) throws(DecodeError) -> LinkHeader {
        var reader = ByteReader(frame, unit: "sll")
        try reader.skip(14, "src")
        return try afterTags(EtherType(rawValue: try reader.uint16("etype")), &reader)
    }

    /// Reads the type in the first two of twenty bytes (LINKTYPE_LINUX_SLL2).
    private static func linuxCooked2(_ frame: RawSpan) throws(DecodeError) -> LinkHeader {
        var reader = ByteReader(frame, unit: "sll")
        let type = EtherType(rawValue: try reader.uint16("etype"))
        try reader.skip(18, "src")
        return try afterTags(type, &reader)
    }

    /// Reads four bytes of address family (LINKTYPE_NULL).
    ///
    /// A family is a small number, so its byte order can be recognised. AF_INET6 differs between
    /// systems.
    private static func loopback(_ frame: RawSpan) throws(DecodeError) -> LinkHeader {
        var reader = ByteReader(frame, unit: "null")
        let number = try reader.uint32("family")
        switch number > 0xFFFF ? number.byteSwapped : number {
        case 2:
            return LinkHeader(etherType: .ipv4, length: 4)
        case 10, 24, 28, 30:
            return LinkHeader(etherType: .ipv6, length: 4)
        default:
            throw DecodeError(
                .badValue, in: "null.family", at: 0, "\(number) is neither AF_INET nor AF_INET6")
        }
    }

    private static func raw(_ frame: RawSpan) throws(DecodeError) -> LinkHeader {
        var reader = ByteReader(frame, unit: "raw")
        switch try reader.uint8("version") >> 4 {
        case 4: return LinkHeader(etherType: .ipv4, length: 0)
        case 6: return LinkHeader(etherType: .ipv6, length: 0)
        case let version:
            throw DecodeError(
                .badValue, in: "ip.version", at: 0, "version \(version), expected 4 or 6")
        }
    }

    /// Skips VLAN tags (identifier and priority, then the next type), redundancy tags (IEEE 802.1CB
    /// 7.8) and the header of a type in an IEEE 802.3 frame (RFC 1042).
    private static func afterTags(
        _ type: EtherType, _ reader: inout ByteReader
    ) throws(DecodeError) -> LinkHeader {
        var header = LinkHeader(etherType: type, length: reader.offset)
        while true {
            header.length = reader.offset
            if header.etherType.isVLAN {
                header.vlan = try reader.uint16("vlan.id") & 0x0FFF
                header.etherType = EtherType(rawValue: try reader.uint16("vlan.etype"))
            } else if header.etherType == .redundancyTag {
                try reader.skip(4, "rtag.seqno")
                header.etherType = EtherType(rawValue: try reader.uint16("rtag.etype"))
            } else if header.isLengthFramed, reader.remaining >= 8,
                let type = try encapsulatedType(&reader)
            {
                header.etherType = type
            } else {
                return header
            }
        }
    }

    /// Reads the SNAP header of an IEEE 802.3 frame; returns `nil` if it has another one.
    private static func encapsulatedType(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> EtherType? {
        let control = try reader.uint32("llc")
        let organisation = try reader.uint16("llc.oui")
        let type = EtherType(rawValue: try reader.uint16("llc.type"))
        return control == 0xAAAA_0300 && [0, 0xF8].contains(organisation) ? type : nil
    }

    /// Whether the frame is an IEEE 802.3 one, whose type field is a length.
    public var isLengthFramed: Bool { etherType.rawValue < EtherType.firstType }
}
