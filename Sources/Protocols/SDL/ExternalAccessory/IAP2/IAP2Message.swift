import Wire

extension IAP2 {
    /// A unit of iAP2 in a trace: a packet of the link itself, or the content of data packets.
    ///
    /// Packets of the link open, repair or end it. Packets that only acknowledge are not messages,
    /// as in TCP. Those of External Accessory sessions appear as the messages that they carry.
    public struct Message: DissectedMessage, Hashable {
        /// The kind and content of a message.
        public enum Content: Sendable, Hashable {
            /// The sequence by which the two sides detect each other.
            case detection
            /// A packet of the link itself.
            case packet(Packet)
            /// A data packet that has been sent before.
            case retransmission(Packet)
            /// A message of the control session.
            case control(ControlMessage, sessionID: UInt8)
            /// Data of a link session that is not decoded.
            case data(LinkSessionKind?, Packet)
            /// Bytes that are none of these.
            case malformed(String)
        }

        /// What the message contains.
        public let content: Content
        /// The anomalies of the message.
        public let anomalies: [Anomaly]
        /// The bytes on the wire; a sample of malformed ones.
        public let bytes: [UInt8]
        /// What a limit of the decoder left out.
        public let unread: Unread?

        /// Creates a message.
        public init(
            _ content: Content, bytes: [UInt8], anomalies: [Anomaly] = [], unread: Unread? = nil
        ) {
            self.content = content
            self.anomalies = anomalies
            self.bytes = bytes
            self.unread = unread
        }

        /// `iap2.` and the kind of message.
        public var name: String {
            switch content {
            case .detection: "iap2.detection"
            case .packet(let packet): "iap2.\(packet.flags.messageName)"
            case .retransmission: "iap2.retransmission"
            case .control(let message, _):
                "iap2." + (ControlMessageKind(id: message.id)?.name ?? "ControlMessage")
            case .data: "iap2.data"
            case .malformed: "iap2.malformed"
            }
        }

        /// The packet's header under `iap2`, then its content.
        public var fields: Value {
            switch content {
            case .detection: return .object([])
            case .malformed(let what): return ["error": .string(what)]
            case .packet(let packet): return .object([header(of: packet)] + payload(of: packet))
            case .retransmission(let packet): return .object([header(of: packet)])
            case .control(let message, let session):
                return .object([
                    .init(
                        "iap2",
                        [
                            "session_id": .integer(Int64(session)),
                            "message_id": .integer(Int64(message.id)),
                        ]),
                    .init("params", message.namedValues),
                    .init("parameters", message.numberedValues),
                ])
            case .data(let kind, let packet):
                var members = [header(of: packet)]
                if let kind {
                    members.append(.init("session_type", .integer(Int64(kind.rawValue))))
                }
                return .object(members + [.init("data", .bytes(packet.payload))])
            }
        }

        private func header(of packet: Packet) -> Value.Member {
            .init(
                "iap2",
                [
                    "flags": [
                        "syn": .bool(packet.flags.contains(.syn)),
                        "ack": .bool(packet.flags.contains(.ack)),
                        "eak": .bool(packet.flags.contains(.eak)),
                        "reset": .bool(packet.flags.contains(.rst)),
                        "sleep": .bool(packet.flags.contains(.slp)),
                    ],
                    "seq": .integer(Int64(packet.sequence)),
                    "ack": .integer(Int64(packet.acknowledgement)),
                    "session_id": .integer(Int64(packet.sessionID)),
                    "len": .integer(Int64(packet.payload.count)),
                ])
        }

        private func payload(of packet: Packet) -> [Value.Member] {
            if packet.flags.contains(.syn),
                let payload = try? LinkSynchronization(parsing: packet.payload)
            {
                return [.init("link", payload.value)]
            }
            if packet.flags.contains(.eak) {
                return [
                    .init("numbers", .array(packet.payload.map { .integer(Int64($0)) }))
                ]
            }
            return packet.payload.isEmpty ? [] : [.init("data", .bytes(packet.payload))]
        }
    }
}

extension IAP2.PacketFlags {
    /// The name of the message for a packet with these flags, by the most significant flag.
    fileprivate var messageName: String {
        if contains(.rst) { return "RST" }
        if contains(.syn) { return contains(.ack) ? "SYN-ACK" : "SYN" }
        if contains(.eak) { return "EAK" }
        if contains(.slp) { return "SLP" }
        return contains(.ack) ? "ACK" : "packet"
    }
}
