import Wire

extension IAP2 {
    /// The kind of content that a link session carries.
    public struct LinkSessionKind: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public let rawValue: UInt8

        /// Creates a kind from its number on the wire.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Control messages.
        public static let control = LinkSessionKind(rawValue: 0)
        /// Files.
        public static let fileTransfer = LinkSessionKind(rawValue: 1)
        /// The streams of External Accessory sessions.
        public static let externalAccessory = LinkSessionKind(rawValue: 2)
    }

    /// A session of the link, as its SYN declares it.
    public struct LinkSession: Sendable, Hashable {
        /// The number that identifies it in packets.
        public var id: UInt8
        /// The kind of its content.
        public var kind: LinkSessionKind
        /// The version of its content.
        public var version: UInt8

        /// Creates a session.
        public init(id: UInt8, _ kind: LinkSessionKind, version: UInt8 = 1) {
            self.id = id
            self.kind = kind
            self.version = version
        }
    }

    /// The payload of a SYN: the parameters of the link.
    public struct LinkSynchronization: Sendable, Hashable {
        /// The version of the link: 1.
        public var version: UInt8 = 1
        /// How many packets may be in transit without being acknowledged.
        public var maximumOutstanding: UInt8
        /// The largest length of a packet in bytes.
        public var maximumLength: UInt16
        /// The time in milliseconds until an unacknowledged packet is sent again.
        public var retransmissionTimeout: UInt16
        /// The time in milliseconds that an acknowledgement may be delayed.
        public var acknowledgementTimeout: UInt16
        /// How often a packet is sent again.
        public var maximumRetransmissions: UInt8
        /// How many packets may be acknowledged together.
        public var maximumAcknowledgements: UInt8
        /// The sessions.
        public var sessions: [LinkSession]

        /// Creates a payload; the defaults suit a link over a reliable carrier.
        public init(
            maximumOutstanding: UInt8 = 8, maximumLength: UInt16 = 4096,
            retransmissionTimeout: UInt16 = 1000, acknowledgementTimeout: UInt16 = 20,
            maximumRetransmissions: UInt8 = 10, maximumAcknowledgements: UInt8 = 3,
            sessions: [LinkSession] = [
                LinkSession(id: 1, .control), LinkSession(id: 2, .externalAccessory),
            ]
        ) {
            self.maximumOutstanding = maximumOutstanding
            self.maximumLength = maximumLength
            self.retransmissionTimeout = retransmissionTimeout
            self.acknowledgementTimeout = acknowledgementTimeout
            self.maximumRetransmissions = maximumRetransmissions
            self.maximumAcknowledgements = maximumAcknowledgements
            self.sessions = sessions
        }

        /// Reads a payload.
        ///
        /// - Throws: `.truncated` if it ends within a value or session.
        public init(parsing payload: [UInt8]) throws(DecodeError) {
            var reader = ByteReader(payload.span.bytes, unit: "iap2.syn")
            version = try reader.uint8("version")
            maximumOutstanding = try reader.uint8("max_outstanding")
            maximumLength = try reader.uint16("max_length")
            retransmissionTimeout = try reader.uint16("retransmission_timeout")
            acknowledgementTimeout = try reader.uint16("ack_timeout")
            maximumRetransmissions = try reader.uint8("max_retransmissions")
            maximumAcknowledgements = try reader.uint8("max_acks")
            sessions = []
            while reader.remaining > 0 {
                let id = try reader.uint8("session")
                let kind = LinkSessionKind(rawValue: try reader.uint8("session"))
                sessions.append(
                    LinkSession(id: id, kind, version: try reader.uint8("session")))
            }
        }

        /// The payload on the wire.
        public var bytes: [UInt8] {
            var bytes = [version, maximumOutstanding]
            bytes.append(bigEndian: maximumLength)
            bytes.append(bigEndian: retransmissionTimeout)
            bytes.append(bigEndian: acknowledgementTimeout)
            bytes += [maximumRetransmissions, maximumAcknowledgements]
            return sessions.reduce(bytes) { $0 + [$1.id, $1.kind.rawValue, $1.version] }
        }

        /// The values as fields.
        var value: Value {
            [
                "version": .integer(Int64(version)),
                "max_outstanding": .integer(Int64(maximumOutstanding)),
                "max_length": .integer(Int64(maximumLength)),
                "retransmission_timeout": .integer(Int64(retransmissionTimeout)),
                "ack_timeout": .integer(Int64(acknowledgementTimeout)),
                "max_retransmissions": .integer(Int64(maximumRetransmissions)),
                "max_acks": .integer(Int64(maximumAcknowledgements)),
                "sessions": .array(
                    sessions.map {
                        [
                            "id": .integer(Int64($0.id)),
                            "type": .integer(Int64($0.kind.rawValue)),
                            "version": .integer(Int64($0.version)),
                        ]
                    }),
            ]
        }
    }
}
