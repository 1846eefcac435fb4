/// An ICMP message by which a host or router says that a TCP segment could not be delivered
/// (RFC 792 destination unreachable, RFC 4443 3.1).
public struct ICMPUnreachable: DissectedMessage, Hashable {
    /// Who sends the report.
    public let source: IPAddress
    /// Who gets it: the sender of the segment.
    public let destination: IPAddress
    /// Whether it is a message of ICMPv6.
    public let isIPv6: Bool
    /// The type on the wire: 3, or 1 of ICMPv6.
    public let type: UInt8
    /// Why the segment could not be delivered; 3 is "port unreachable" of ICMP, 4 of ICMPv6.
    public let code: UInt8
    /// The sender of the segment that it quotes.
    public let quotedSource: IPAddress
    /// The receiver of the segment that it quotes.
    public let quotedDestination: IPAddress
    /// The port of the segment's sender.
    public let sourcePort: UInt16
    /// The port of the segment's receiver.
    public let destinationPort: UInt16
    /// The sequence number of the segment.
    public let sequence: TCPSequence

    /// Reads the message in an IP packet; `nil` if it is another message of ICMP, or quotes
    /// something else than a TCP segment.
    ///
    /// - Throws: `.truncated` if the bytes end before the ports and the sequence number that it
    ///   quotes, and what `IPHeader` throws of the header that it quotes.
    public init?(parsing message: RawSpan, of ip: IPHeader) throws(DecodeError) {
        var reader = ByteReader(message, unit: "icmp")
        let isIPv6 = ip.protocolNumber == .icmpv6
        let type = try reader.uint8("type")
        guard type == (isIPv6 ? 1 : 3) else { return nil }
        let code = try reader.uint8("code")
        try reader.skip(6, "rest of header")
        let quoted = try IPHeader(parsing: reader.rest)
        guard quoted.protocolNumber == .tcp, quoted.fragment == nil else { return nil }
        try reader.skip(quoted.length, "quoted header")
        self.isIPv6 = isIPv6
        self.type = type
        self.code = code
        source = ip.source
        destination = ip.destination
        quotedSource = quoted.source
        quotedDestination = quoted.destination
        sourcePort = try reader.uint16("srcport")
        destinationPort = try reader.uint16("dstport")
        sequence = TCPSequence(try reader.uint32("seq"))
        bytes = [UInt8](copying: message)
    }

    /// `icmp.unreachable`.
    public var name: String { Self.name }

    /// The message as it stood on the wire.
    public let bytes: [UInt8]

    /// Always empty: what is wrong with such a message does not concern the device.
    public var anomalies: [Anomaly] { [] }

    /// The `ip` object, the type and code under `icmp` or `icmpv6`, and the quoted segment's `tcp`.
    public var fields: Value {
        [
            "ip": ["src": .string(source.description), "dst": .string(destination.description)],
            (isIPv6 ? "icmpv6" : "icmp"): [
                "type": .integer(Int64(type)), "code": .integer(Int64(code)),
            ],
            "tcp": [
                "srcport": .integer(Int64(sourcePort)),
                "dstport": .integer(Int64(destinationPort)),
                "seq_raw": .integer(Int64(sequence.rawValue)),
            ],
        ]
    }

    private static let name = "icmp.unreachable"

    /// The message that suites may name.
    public static let description = ProtocolDescription(
        name: "icmp", title: "Reports of undeliverable TCP segments",
        messages: [
            MessageDescription(
                name: name, summary: "A TCP segment could not be delivered.",
                specification: "RFC 792, RFC 4443 3.1")
        ],
        fields: [
            FieldDescription("ip.src", .string(maxLength: nil), isMandatory: true),
            FieldDescription("ip.dst", .string(maxLength: nil), isMandatory: true),
            FieldDescription("icmp.type", .integer(0...0xFF)),
            FieldDescription("icmp.code", .integer(0...0xFF)),
            FieldDescription("icmpv6.type", .integer(0...0xFF)),
            FieldDescription("icmpv6.code", .integer(0...0xFF)),
            FieldDescription("tcp.srcport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("tcp.dstport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("tcp.seq_raw", .integer(0...0xFFFF_FFFF), isMandatory: true),
        ])
}
