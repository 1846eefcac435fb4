import Wire

/// An event of a TCP connection itself, as a message of the trace.
///
/// Connection set-up and end are separate messages (`tcp.SYN`, ...), so that suites can time
/// them. Payload is a `tcp.data` message only if no protocol was recognised in it.
public struct TCPEvent: DissectedMessage, Hashable {
    /// What happened; the raw value is the message's name.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A connection attempt.
        case syn = "tcp.SYN"
        /// An accepted connection attempt.
        case synAck = "tcp.SYNACK"
        /// The client acknowledges the acceptance of its attempt: the connection is established.
        case established = "tcp.established"
        /// A reset that answers a connection attempt.
        case refused = "tcp.refused"
        /// The sender has no more data.
        case fin = "tcp.FIN"
        /// The sender aborts a connection.
        case rst = "tcp.RST"
        /// A SYN, SYN-ACK or FIN was sent again with the same sequence number.
        case retransmission = "tcp.retransmission"
        /// Bytes of the stream are missing from the capture.
        case gap = "tcp.gap"
        /// A segment's payload that no protocol decoder took.
        case data = "tcp.data"

        /// The code of the message's name.
        public var code: MessageCode? { TCPEvent.codes.first { $0.kind == self }?.code }
    }

    private static let codes: [(kind: Kind, code: MessageCode)] =
        zip(description.messages, description.codes).compactMap { message, code in
            Kind(rawValue: message.name).map { ($0, code) }
        }

    /// The reason why bytes count as missing.
    public enum GapReason: String, Sendable, Hashable, CaseIterable {
        /// The receiver acknowledged bytes that are not in the capture.
        case acknowledged
        /// More bytes followed the gap than are buffered.
        case limit
        /// The connection or the capture ended before they came.
        case end
        /// The packet that carried them was captured only partly.
        case cut
    }

    /// What happened.
    public let kind: Kind
    /// The sender's address.
    public let source: IPAddress
    /// The receiver's address.
    public let destination: IPAddress
    /// The header of the segment.
    ///
    /// For a gap, it is that of the segment that revealed the gap, with the ports in the direction
    /// in which the bytes are missing.
    public let header: TCPHeader
    /// Number of payload bytes in the segment.
    public let segmentLength: Int
    /// The connection's number in the trace, from 0 (`tcp.stream`).
    public let stream: Int
    /// The number of bytes that are missing (`gap`) or new in the stream (`data`); 0 otherwise.
    public let count: Int
    /// Why the bytes of a `gap` count as missing.
    public let gapReason: GapReason?
    /// The payload bytes of a `data` event that were new in the stream; empty otherwise.
    public let bytes: [UInt8]

    /// Creates an event.
    public init(
        _ kind: Kind, from source: IPAddress, to destination: IPAddress, header: TCPHeader,
        segmentLength: Int, stream: Int, count: Int = 0, gapReason: GapReason? = nil,
        bytes: [UInt8] = []
    ) {
        self.kind = kind
        self.source = source
        self.destination = destination
        self.header = header
        self.segmentLength = segmentLength
        self.stream = stream
        self.count = count
        self.gapReason = gapReason
        self.bytes = bytes
    }

    /// The name of the kind.
    public var name: String { kind.rawValue }

    /// Always empty: the engine's statistics count invalid segments.
    public var anomalies: [Anomaly] { [] }

    /// The `ip` and `tcp` objects, and the fields of the kind.
    public var fields: Value {
        var members = [
            Value.Member("ip", ["src": text(source), "dst": text(destination)]),
            Value.Member("tcp", tcpFields),
        ]
        switch kind {
        case .gap:
            members.append(Value.Member("bytes", integer(count)))
            members.append(Value.Member("reason", .string(gapReason?.rawValue ?? "")))
        case .data:
            members.append(Value.Member("length", integer(count)))
        case .syn, .synAck, .established, .refused, .fin, .rst, .retransmission:
            break
        }
        return .object(members)
    }

    /// The value at one path.
    ///
    /// Paths of other protocols are queried on every event, so they are ruled out first.
    public func field(_ path: FieldPath) -> Value? {
        guard case .name(let name)? = path.components.first, Self.sections.contains(name) else {
            return nil
        }
        return fields[path]
    }

    private static let sections = ["ip", "tcp", "bytes", "reason", "length"]

    private var tcpFields: Value {
        [
            "stream": integer(stream),
            "srcport": integer(header.sourcePort),
            "dstport": integer(header.destinationPort),
            "seq_raw": integer(header.sequence.rawValue),
            "ack_raw": integer(header.acknowledgement.rawValue),
            "flags": [
                "syn": .bool(header.flags.contains(.syn)),
                "ack": .bool(header.flags.contains(.ack)),
                "fin": .bool(header.flags.contains(.fin)),
                "reset": .bool(header.flags.contains(.rst)),
            ],
            "len": integer(segmentLength),
        ]
    }

    private func integer(_ number: some BinaryInteger) -> Value {
        .integer(Int64(clamping: number))
    }
    private func text(_ address: IPAddress) -> Value { .string(address.description) }
}

extension TCPEvent {
    /// The events that suites can name.
    public static let description = ProtocolDescription(
        name: "tcp", firstCode: 16, title: "TCP connections",
        isTransport: true,
        messages: [
            message(.syn, "A connection attempt.", "RFC 9293 3.5"),
            message(.synAck, "The answer that accepts a connection attempt.", "RFC 9293 3.5"),
            message(
                .established, "The client's first acknowledgement: the connection is established.",
                "RFC 9293 3.5"),
            message(
                .refused, "A reset that answers a connection attempt.", "RFC 9293 3.5.2"),
            message(.fin, "The sender has no more data.", "RFC 9293 3.6"),
            message(.rst, "The sender aborts the connection.", "RFC 9293 3.5.2"),
            message(
                .retransmission, "A SYN, SYN-ACK or FIN sent again with the same sequence number.",
                "RFC 9293 3.8.1"),
            message(
                .gap, "Bytes of the stream that are missing from the capture.", "RFC 9293 3.4",
                [
                    FieldDescription("bytes", .integer(1...Int64.max), isMandatory: true),
                    FieldDescription(
                        "reason",
                        .enumeration(
                            name: "tcp.gap.reason", values: GapReason.allCases.map(\.rawValue)),
                        isMandatory: true),
                ]),
            message(
                .data, "Payload of a segment in which no protocol was recognised.",
                "RFC 9293 3.1",
                [FieldDescription("length", .integer(0...Int64.max), isMandatory: true)]),
        ],
        fields: [
            FieldDescription("ip.src", .string(maxLength: nil), isMandatory: true),
            FieldDescription("ip.dst", .string(maxLength: nil), isMandatory: true),
            FieldDescription("tcp.stream", .integer(0...Int64.max), isMandatory: true),
            FieldDescription("tcp.srcport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("tcp.dstport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("tcp.seq_raw", .integer(0...0xFFFF_FFFF), isMandatory: true),
            FieldDescription("tcp.ack_raw", .integer(0...0xFFFF_FFFF), isMandatory: true),
            FieldDescription("tcp.flags.syn", .boolean, isMandatory: true),
            FieldDescription("tcp.flags.ack", .boolean, isMandatory: true),
            FieldDescription("tcp.flags.fin", .boolean, isMandatory: true),
            FieldDescription("tcp.flags.reset", .boolean, isMandatory: true),
            FieldDescription("tcp.len", .integer(0...Int64.max), isMandatory: true),
        ])

    private static func message(
        _ kind: Kind, _ summary: String, _ specification: String,
        _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        MessageDescription(
            name: kind.rawValue, summary: summary, specification: specification,
            fields: fields)
    }
}
