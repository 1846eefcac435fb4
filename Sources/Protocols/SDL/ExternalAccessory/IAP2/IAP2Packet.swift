import Wire

extension IAP2 {
    /// The control bits of a packet.
    public struct PacketFlags: OptionSet, Sendable, Hashable {
        /// The byte on the wire.
        public let rawValue: UInt8

        /// Creates flags from the byte on the wire.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Opens the link; the payload has the parameters of the link.
        public static let syn = PacketFlags(rawValue: 0x80)
        /// The acknowledgement number is valid.
        public static let ack = PacketFlags(rawValue: 0x40)
        /// The payload lists the packets that are missing (link/mod.rs, `send_eak`).
        public static let eak = PacketFlags(rawValue: 0x20)
        /// Resets the link.
        public static let rst = PacketFlags(rawValue: 0x10)
        /// The sender goes to sleep.
        ///
        /// Uncertain: not seen in any open project.
        public static let slp = PacketFlags(rawValue: 0x08)

        /// The bits without a name.
        var unknown: UInt8 { rawValue & 0x07 }
    }

    /// The first nine bytes of a packet.
    struct PacketHeader: Sendable, Hashable {
        /// The length of a header in bytes.
        static let size = 9
        /// The bytes that begin a packet.
        static let mark: [UInt8] = [0xFF, 0x5A]

        /// The length of the whole packet in bytes.
        var length: Int
        var flags: PacketFlags
        var sequence: UInt8
        var acknowledgement: UInt8
        var sessionID: UInt8

        /// Reads a header; `nil` if the nine bytes are not one, or their checksum is wrong.
        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes.prefix(Self.size))
            guard bytes.count == Self.size, bytes.starts(with: Self.mark),
                checksum(bytes) == 0
            else { return nil }
            length = Int(bytes[2]) << 8 | Int(bytes[3])
            guard length >= Self.size else { return nil }
            flags = PacketFlags(rawValue: bytes[4])
            sequence = bytes[5]
            acknowledgement = bytes[6]
            sessionID = bytes[7]
        }
    }

    /// A packet of the link.
    public struct Packet: Sendable, Hashable {
        /// The largest length of a payload in bytes.
        ///
        /// The length field has 16 bits, and counts header and checksums.
        public static let payloadMax = 0xFFFF - PacketHeader.size - 1

        /// The control bits.
        public var flags: PacketFlags
        /// The sequence number; a packet without payload repeats the number of the previous one.
        public var sequence: UInt8
        /// The last sequence number that the sender has received in order.
        public var acknowledgement: UInt8
        /// The session that the payload belongs to; 0 for none.
        public var sessionID: UInt8
        /// The payload, at most `payloadMax` bytes.
        public var payload: [UInt8]

        /// Creates a packet.
        public init(
            _ flags: PacketFlags, sequence: UInt8, acknowledgement: UInt8 = 0,
            sessionID: UInt8 = 0, payload: [UInt8] = []
        ) {
            self.flags = flags
            self.sequence = sequence
            self.acknowledgement = acknowledgement
            self.sessionID = sessionID
            self.payload = payload
        }

        init(_ header: PacketHeader, payload: [UInt8]) {
            self.init(
                header.flags, sequence: header.sequence,
                acknowledgement: header.acknowledgement, sessionID: header.sessionID,
                payload: payload)
        }

        /// The packet on the wire; payload beyond `payloadMax` is omitted.
        public var bytes: [UInt8] {
            let payload = payload.prefix(Self.payloadMax)
            let length = PacketHeader.size + (payload.isEmpty ? 0 : payload.count + 1)
            var bytes = PacketHeader.mark
            bytes.append(bigEndian: UInt16(truncatingIfNeeded: length))
            bytes += [flags.rawValue, sequence, acknowledgement, sessionID]
            bytes.append(checksum(bytes))
            guard !payload.isEmpty else { return bytes }
            return bytes + payload + [checksum(payload)]
        }

        /// Whether it carries data of a session, and thus has its own sequence number.
        var isData: Bool { flags.subtracting(.ack).isEmpty && !payload.isEmpty }
    }
}
