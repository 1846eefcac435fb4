import Wire

/// A UDP datagram with its payload (RFC 768): a separate message, whatever it carries.
public struct UDPDatagram: DissectedMessage, Hashable {
    /// The kind of receivers of a datagram, derived from its destination.
    public enum Cast: String, Sendable, Hashable, CaseIterable {
        /// To one host.
        case unicast
        /// To all hosts that have joined a group (RFC 1112, RFC 4291 2.7).
        case multicast
        /// To all hosts on the link (RFC 919); a subnet's own broadcast address is not recognised.
        case broadcast
    }

    /// The sender's address.
    public let source: IPAddress
    /// The receiver's address.
    public let destination: IPAddress
    /// The header.
    public let header: UDPHeader
    /// The number of the UDP flow, from 0 (`udp.stream`).
    public let stream: Int
    /// The payload.
    public internal(set) var bytes: [UInt8]

    /// Creates a datagram.
    public init(
        from source: IPAddress, to destination: IPAddress, header: UDPHeader, stream: Int,
        bytes: [UInt8]
    ) {
        self.source = source
        self.destination = destination
        self.header = header
        self.stream = stream
        self.bytes = bytes
    }

    /// `udp.datagram`, the name of every datagram.
    public static let name = "udp.datagram"
    /// The code of that name.
    public static let code = description.codes.first

    /// `udp.datagram`.
    public var name: String { Self.name }

    /// Always empty: a datagram that contradicts itself is not a message.
    public var anomalies: [Anomaly] { [] }

    /// The `ip` and `udp` objects, and the payload: `length`, `data`, and `text` if it is UTF-8.
    public var fields: Value {
        var members = [
            Value.Member(
                "ip",
                ["src": .string(source.description), "dst": .string(destination.description)]),
            Value.Member(
                "udp",
                [
                    "stream": .integer(Int64(stream)),
                    "srcport": .integer(Int64(header.sourcePort)),
                    "dstport": .integer(Int64(header.destinationPort)),
                    "length": .integer(Int64(header.length)),
                    "cast": .string(destination.cast.rawValue),
                ]),
            Value.Member("length", .integer(Int64(bytes.count))),
            Value.Member("data", .bytes(bytes)),
        ]
        if let text { members.append(Value.Member("text", .string(text))) }
        return .object(members)
    }

    /// The value at one path; the payload is copied only if the path needs it.
    public func field(_ path: FieldPath) -> Value? {
        guard case .name(let name)? = path.components.first else { return nil }
        guard path.components.count == 1 else {
            return name == "ip" || name == "udp" ? fields[path] : nil
        }
        switch name {
        case "data": return .bytes(bytes)
        case "text": return text.map(Value.string)
        case "length": return .integer(Int64(bytes.count))
        case "ip", "udp": return fields[path]
        default: return nil
        }
    }

    private var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The message that suites can name.
    public static let description = ProtocolDescription(
        name: "udp", firstCode: 32, title: "UDP datagrams",
        isTransport: true,
        messages: [
            MessageDescription(
                name: name, summary: "A datagram with its payload.", specification: "RFC 768")
        ],
        fields: [
            FieldDescription("ip.src", .string(maxLength: nil), isMandatory: true),
            FieldDescription("ip.dst", .string(maxLength: nil), isMandatory: true),
            FieldDescription("udp.stream", .integer(0...Int64.max), isMandatory: true),
            FieldDescription("udp.srcport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("udp.dstport", .integer(0...0xFFFF), isMandatory: true),
            FieldDescription("udp.length", .integer(8...Int64.max), isMandatory: true),
            FieldDescription(
                "udp.cast",
                .enumeration(name: "udp.cast", values: Cast.allCases.map(\.rawValue)),
                isMandatory: true),
            FieldDescription("length", .integer(0...Int64.max), isMandatory: true),
            FieldDescription("data", .bytes, isMandatory: true),
            FieldDescription("text", .string(maxLength: nil)),
        ])
}

extension IPAddress {
    /// The kind of receivers of a packet that is sent to this address.
    public var cast: UDPDatagram.Cast {
        let (high, low) = words
        if isIPv6 { return high >> 56 == 0xFF ? .multicast : .unicast }
        let number = UInt32(truncatingIfNeeded: low)
        if number >> 28 == 0xE { return .multicast }
        return number == 0xFFFF_FFFF || number == 0x7FFF_FFFF ? .broadcast : .unicast
    }
}
