import Wire

/// The number of the protocol that an IP packet carries, as IANA assigns it.
public struct IPProtocol: Sendable, Hashable, RawRepresentable {
    /// The number on the wire.
    public let rawValue: UInt8

    /// Takes the number on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Internet Control Message Protocol.
    public static let icmp = IPProtocol(rawValue: 1)
    /// Internet Group Management Protocol.
    public static let igmp = IPProtocol(rawValue: 2)
    /// Transmission Control Protocol.
    public static let tcp = IPProtocol(rawValue: 6)
    /// User Datagram Protocol.
    public static let udp = IPProtocol(rawValue: 17)
    /// ICMP for IPv6.
    public static let icmpv6 = IPProtocol(rawValue: 58)
    /// Stream Control Transmission Protocol.
    public static let sctp = IPProtocol(rawValue: 132)
}

/// The header of an IPv4 or IPv6 packet, with the options or extension headers behind it.
public struct IPHeader: Sendable, Hashable {
    /// The sender.
    public var source: IPAddress
    /// The receiver.
    public var destination: IPAddress
    /// What the packet carries, behind all extension headers.
    public var protocolNumber: IPProtocol
    /// Bytes before the payload: header, options and extension headers.
    public var length: Int
    /// Bytes of payload as sent, by the header; the capture may hold fewer.
    public var payloadLength: Int
    /// Which part of a larger packet it carries; `nil` if its payload is a whole one.
    public var fragment: Fragment?

    /// The place of a fragment in the packet that it is a part of.
    public struct Fragment: Sendable, Hashable {
        /// What the fragments of one packet have in common, for its source and destination.
        public var identification: UInt32
        /// Bytes of payload before it.
        public var offset: Int
        /// Whether others follow it.
        public var moreFragments: Bool
    }
}

extension IPHeader {
    /// Reads the header at the front of an IP packet, of the version that its first bits tell.
    ///
    /// Checksums are not looked at: on a loopback or with offloading they are not filled in.
    ///
    /// - Throws: `.badValue` for a version other than 4 and 6, `.truncated` if the bytes end
    ///   within the header, `.badLength` if its lengths contradict each other.
    public init(parsing packet: RawSpan) throws(DecodeError) {
        var reader = ByteReader(packet, unit: "ip")
        let first = try reader.uint8("version")
        switch first >> 4 {
        case 4:
            self = try .ipv4(&reader, wordCount: first & 0x0F, captured: packet.byteCount)
        case 6:
            self = try .ipv6(packet)
        default:
            throw DecodeError(
                .badValue, in: "ip.version", at: 0, "version \(first >> 4), expected 4 or 6")
        }
    }

    /// The rest of an IPv4 header, behind its first byte (RFC 791 3.1).
    private static func ipv4(
        _ reader: inout ByteReader, wordCount: UInt8, captured: Int
    ) throws(DecodeError) -> IPHeader {
        try reader.skip(1, "dsfield")
        let total = Int(try reader.uint16("len"))
        let identification = try reader.uint16("id")
        let fragment = try reader.uint16("frag_offset")
        try reader.skip(1, "ttl")
        let protocolNumber = IPProtocol(rawValue: try reader.uint8("proto"))
        try reader.skip(2, "checksum")
        let source = IPAddress(ipv4: try reader.uint32("src"))
        let destination = IPAddress(ipv4: try reader.uint32("dst"))
        let length = Int(wordCount) * 4
        guard length >= reader.offset else {
            throw DecodeError(
                .badLength, in: "ip.hdr_len", at: 0, "\(length) bytes of header, at least 20 needed"
            )
        }
        try reader.skip(length - reader.offset, "options")
        // A total of 0 is what segmentation offload leaves for packets of 64 KiB and more.
        let sent = total == 0 ? captured : total
        guard sent >= length else {
            throw DecodeError(
                .badLength, in: "ip.len", at: 2, "\(sent) bytes in all, \(length) of header")
        }
        return IPHeader(
            source: source, destination: destination, protocolNumber: protocolNumber,
            length: length, payloadLength: sent - length,
            fragment: fragment & 0x3FFF == 0
                ? nil
                : Fragment(
                    identification: UInt32(identification), offset: Int(fragment & 0x1FFF) * 8,
                    moreFragments: fragment & 0x2000 != 0))
    }
}

/// The extension headers of IPv6 that stand before the payload (RFC 8200 4.1).
private enum IPv6Extension: UInt8 {
    case hopByHop = 0
    case routing = 43
    case fragment = 44
    case authentication = 51
    case destinationOptions = 60
    case mobility = 135
    case hostIdentity = 139
    case shim6 = 140
}

extension IPHeader {
    /// An IPv6 header and its extension headers (RFC 8200 3 and 4).
    private static func ipv6(_ packet: RawSpan) throws(DecodeError) -> IPHeader {
        var reader = ByteReader(packet, unit: "ipv6")
        try reader.skip(4, "flow")
        let sent = Int(try reader.uint16("plen"))
        var next = try reader.uint8("nxt")
        try reader.skip(1, "hlim")
        let source = IPAddress(
            ipv6High: try reader.uint64("src"), low: try reader.uint64("src"))
        let destination = IPAddress(
            ipv6High: try reader.uint64("dst"), low: try reader.uint64("dst"))
        let fixedLength = reader.offset
        var fragment: Fragment?
        while fragment == nil, let kind = IPv6Extension(rawValue: next) {
            next = try reader.uint8("ext.nxt")
            fragment = try skip(kind, &reader)
        }
        // A length of 0 is what segmentation offload leaves for packets of 64 KiB and more.
        let payload = sent == 0 ? packet.byteCount - fixedLength : sent
        let extensions = reader.offset - fixedLength
        guard payload >= extensions else {
            throw DecodeError(
                .badLength, in: "ipv6.plen", at: 4,
                "\(payload) bytes behind the header, \(extensions) of extension headers")
        }
        return IPHeader(
            source: source, destination: destination,
            protocolNumber: IPProtocol(rawValue: next), length: reader.offset,
            payloadLength: payload - extensions, fragment: fragment)
    }

    /// Skips an extension header behind its first byte; tells which fragment it makes of the packet.
    private static func skip(
        _ kind: IPv6Extension, _ reader: inout ByteReader
    ) throws(DecodeError) -> Fragment? {
        let count = Int(try reader.uint8("ext.len"))
        switch kind {
        case .fragment:
            let offsetAndMore = try reader.uint16("fraghdr.offset")
            let identification = try reader.uint32("fraghdr.ident")
            // Offset 0 without "more" is a whole packet all the same (RFC 6946).
            guard offsetAndMore & 0xFFF9 != 0 else { return nil }
            return Fragment(
                identification: identification, offset: Int(offsetAndMore & 0xFFF8),
                moreFragments: offsetAndMore & 1 != 0)
        case .authentication:
            try reader.skip((count + 2) * 4 - 2, "ah")
        default:
            try reader.skip(count * 8 + 6, "ext.data")
        }
        return nil
    }
}
