import Wire

/// An ICMP report that a TCP segment or a UDP datagram could not be delivered.
///
/// It comes from a host or router (RFC 792 destination unreachable, RFC 4443 3.1).
public struct ICMPUnreachable: DissectedMessage, Hashable {
    /// The sender of the report.
    public let source: IPAddress
    /// The receiver of the report: the sender of what could not be delivered.
    public let destination: IPAddress
    /// Whether it is an ICMPv6 message.
    public let isIPv6: Bool
    /// The type on the wire: 3 in ICMP, 1 in ICMPv6.
    public let type: UInt8
    /// The code: why it could not be delivered.
    ///
    /// "Port unreachable" is 3 in ICMP and 4 in ICMPv6.
    public let code: UInt8
    /// The protocol of the quoted packet: TCP or UDP.
    public let quotedProtocol: IPProtocol
    /// The sender of the quoted packet.
    public let quotedSource: IPAddress
    /// The receiver of the quoted packet.
    public let quotedDestination: IPAddress
    /// The source port of the quoted packet.
    public let sourcePort: UInt16
    /// The destination port of the quoted packet.
    public let destinationPort: UInt16
    /// The sequence number of a quoted TCP segment; `nil` for a datagram.
    public let sequence: TCPSequence?

    /// Reads the message in an IP packet.
    ///
    /// The result is `nil` if it is another ICMP message, or quotes something other than a TCP
    /// segment or a UDP datagram.
    ///
    /// - Throws: `.truncated` if the bytes end before the quoted ports or sequence number, and the
    ///   errors of `IPHeader` for the quoted header.
    public init?(parsing message: RawSpan, of ip: IPHeader) throws(DecodeError) {
        var reader = ByteReader(message, unit: "icmp")
        let isIPv6 = ip.protocolNumber == .icmpv6
        let type = try reader.uint8("type")
        guard type == (isIPv6 ? 1 : 3) else { return nil }
        let code = try reader.uint8("code")
        try reader.skip(6, "rest of header")
        let quoted = try IPHeader(parsing: reader.rest)
        guard quoted.protocolNumber == .tcp || quoted.protocolNumber == .udp,
            quoted.fragment.map({ $0.offset == 0 && quoted.protocolNumber == .udp }) ?? true
        else { return nil }
        try reader.skip(quoted.length, "quoted header")
        guard quoted.protocolNumber == .tcp || reader.rest.byteCount >= 4 else { return nil }
        self.isIPv6 = isIPv6
        self.type = type
        self.code = code
        source = ip.source
        destination = ip.destination
        quotedProtocol = quoted.protocolNumber
        quotedSource = quoted.source
        quotedDestination = quoted.destination
        sourcePort = try reader.uint16("srcport")
        destinationPort = try reader.uint16("dstport")
        sequence =
            quoted.protocolNumber == .tcp ? TCPSequence(try reader.uint32("seq")) : nil
        bytes = [UInt8](copying: message)
    }

    /// `icmp.unreachable`.
    public var name: String { Self.name }

    /// The message on the wire.
    public let bytes: [UInt8]

    /// Always empty: errors in such a message do not concern the device.
    public var anomalies: [Anomaly] { [] }

    /// The `ip` object, the type and code under `icmp` or `icmpv6`, and the quoted `tcp` or `udp`.
    public var fields: Value {
        var quoted: [Value.Member] = [
            Value.Member("srcport", .integer(Int64(sourcePort))),
            Value.Member("dstport", .integer(Int64(destinationPort))),
        ]
        if let sequence {
            quoted.append(Value.Member("seq_raw", .integer(Int64(sequence.rawValue))))
        }
        return .object([
            Value.Member(
                "ip",
                ["src": .string(source.description), "dst": .string(destination.description)]),
            Value.Member(
                isIPv6 ? "icmpv6" : "icmp",
                ["type": .integer(Int64(type)), "code": .integer(Int64(code))]),
            Value.Member(quotedProtocol == .udp ? "udp" : "tcp", .object(quoted)),
        ])
    }

    private static let name = "icmp.unreachable"

    /// The message that suites can name.
    public static let description = ProtocolDescription(
        name: "icmp", firstCode: 40,
        title: "Reports of undeliverable TCP segments and UDP datagrams",
        isTransport: true,
        messages: [
            MessageDescription(
                name: name, summary: "A TCP segment or a UDP datagram could not be delivered.",
                specification: "RFC 792, RFC 4443 3.1")
        ],
        fields: [
            FieldDescription("ip.src", .string(maxLength: nil), isMandatory: true),
            FieldDescription("ip.dst", .string(maxLength: nil), isMandatory: true),
            FieldDescription("icmp.type", .integer(0...0xFF)),
            FieldDescription("icmp.code", .integer(0...0xFF)),
            FieldDescription("icmpv6.type", .integer(0...0xFF)),
            FieldDescription("icmpv6.code", .integer(0...0xFF)),
            FieldDescription("tcp.srcport", .integer(0...0xFFFF)),
            FieldDescription("tcp.dstport", .integer(0...0xFFFF)),
            FieldDescription("tcp.seq_raw", .integer(0...0xFFFF_FFFF)),
            FieldDescription("udp.srcport", .integer(0...0xFFFF)),
            FieldDescription("udp.dstport", .integer(0...0xFFFF)),
        ])
}
