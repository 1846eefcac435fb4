import Wire

/// The number of the protocol that an IP packet carries, as IANA assigns it.
public struct IPProtocol: Sendable, Hashable, RawRepresentable {
    /// The number on the wire.
    public let rawValue: UInt8

    /// Creates a protocol number from its value on the wire.
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

/// The header of an IPv4 or IPv6 packet, with its options or extension headers.
public struct IPHeader: Sendable, Hashable {
    /// The sender.
    public var source: IPAddress
    /// The receiver.
    public var destination: IPAddress
    /// The protocol of the payload, after all extension headers.
    public var protocolNumber: IPProtocol
    /// The number of bytes before the payload: header, options and extension headers.
    public var length: Int
    /// The number of payload bytes as sent, according to the header; the capture may hold fewer.
    public var payloadLength: Int
    /// The fragment that the packet carries; `nil` if its payload is complete.
    public var fragment: Fragment?

    /// The identification; `nil` if the packet has none.
    public var identification: UInt32?
    /// The number of hops that it may still take: time to live, or hop limit.
    public var hops: UInt8 = 0

    /// The position of a fragment in its original packet.
    public struct Fragment: Sendable, Hashable {
        /// The identification that the fragments of one packet share, per source and destination.
        public var identification: UInt32
        /// The number of payload bytes before it.
        public var offset: Int
        /// Whether more fragments follow it.
        public var moreFragments: Bool
    }
}

extension IPHeader {
    /// Reads the header at the start of an IP packet.
    ///
    /// Its first bits give the version. Checksums are not checked, because they are not filled in
    /// on a loopback interface or with offloading.
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

    /// Reads the rest of an IPv4 header, after its first byte (RFC 791 3.1).
    private static func ipv4(
        _ reader: inout ByteReader, wordCount: UInt8, captured: Int
    ) throws(DecodeError) -> IPHeader {
        try reader.skip(1, "dsfield")
        let total = Int(try reader.uint16("len"))
        let identification = try reader.uint16("id")
        let fragment = try reader.uint16("frag_offset")
        let hops = try reader.uint8("ttl")
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
        // Segmentation offload leaves a total length of 0 in packets of 64 KiB and more.
        let sent = total == 0 ? captured : total
        guard sent >= length else {
            throw DecodeError(
                .badLength, in: "ip.len", at: 2, "\(sent) bytes in all, \(length) of header")
        }
        var header = IPHeader(
            source: source, destination: destination, protocolNumber: protocolNumber,
            length: length, payloadLength: sent - length,
            fragment: fragment & 0x3FFF == 0
                ? nil
                : Fragment(
                    identification: UInt32(identification), offset: Int(fragment & 0x1FFF) * 8,
                    moreFragments: fragment & 0x2000 != 0))
        header.identification = UInt32(identification)
        header.hops = hops
        return header
    }
}

/// The IPv6 extension headers that may precede the payload (RFC 8200 4.1).
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
    /// Reads an IPv6 header and its extension headers (RFC 8200 3 and 4).
    private static func ipv6(_ packet: RawSpan) throws(DecodeError) -> IPHeader {
        var reader = ByteReader(packet, unit: "ipv6")
        try reader.skip(4, "flow")
        let sent = Int(try reader.uint16("plen"))
        var next = try reader.uint8("nxt")
        let hops = try reader.uint8("hlim")
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
        // Segmentation offload leaves a length of 0 in packets of 64 KiB and more.
        let payload = sent == 0 ? packet.byteCount - fixedLength : sent
        let extensions = reader.offset - fixedLength
        guard payload >= extensions else {
            throw DecodeError(
                .badLength, in: "ipv6.plen", at: 4,
                "\(payload) bytes after the header, \(extensions) of extension headers")
        }
        var header = IPHeader(
            source: source, destination: destination,
            protocolNumber: IPProtocol(rawValue: next), length: reader.offset,
            payloadLength: payload - extensions, fragment: fragment)
        header.identification = fragment?.identification
        header.hops = hops
        return header
    }

    /// Skips the extension headers at the start of a payload that was joined from fragments.
    ///
    /// The fragments of a packet divide the destination options, too (RFC 8200 4.5).
    ///
    /// - Returns: The number of bytes that were skipped.
    /// - Throws: `.truncated` if the bytes end within a header, `.badValue` if one describes a
    ///   fragment.
    public mutating func skipExtensions(of payload: RawSpan) throws(DecodeError) -> Int {
        guard source.isIPv6 else { return 0 }
        var reader = ByteReader(payload, unit: "ipv6")
        var next = protocolNumber.rawValue
        while let kind = IPv6Extension(rawValue: next) {
            next = try reader.uint8("ext.nxt")
            if try Self.skip(kind, &reader) != nil {
                throw DecodeError(
                    .badValue, in: "ipv6.nxt", at: reader.offset, "a fragment of a fragment")
            }
        }
        protocolNumber = IPProtocol(rawValue: next)
        payloadLength = payload.byteCount - reader.offset
        return reader.offset
    }

    /// Skips an extension header after its first byte; returns the fragment that it describes.
    private static func skip(
        _ kind: IPv6Extension, _ reader: inout ByteReader
    ) throws(DecodeError) -> Fragment? {
        let count = Int(try reader.uint8("ext.len"))
        switch kind {
        case .fragment:
            let offsetAndMore = try reader.uint16("fraghdr.offset")
            let identification = try reader.uint32("fraghdr.ident")
            // Offset 0 without "more fragments" is a whole packet (RFC 6946).
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
