import Wire

/// A unit of a channel: a B-frame, in one or more data packets (Core 5.4 Vol 3 Part A 3.1).
public struct L2CAPFrame: Sendable, Hashable {
    /// The length in bytes of the header: length and channel id.
    public static let headerSize = 4

    /// The channels with fixed ids (Core 5.4 Vol 3 Part A 2.1).
    public enum Channel {
        /// Signalling of links over BR/EDR.
        public static let signalling: UInt16 = 0x0001
        /// The Attribute Protocol of LE links.
        public static let attributes: UInt16 = 0x0004
        /// Signalling of LE links.
        public static let lowEnergySignalling: UInt16 = 0x0005
        /// The Security Manager Protocol of LE links.
        public static let security: UInt16 = 0x0006
        /// The Security Manager Protocol of links over BR/EDR.
        public static let securityBREDR: UInt16 = 0x0007
        /// The first dynamic id.
        public static let firstDynamic: UInt16 = 0x0040

        /// Whether only LE links have a channel; `nil` if other links have it too.
        static func isLowEnergy(_ id: UInt16) -> Bool? {
            switch id {
            case attributes, lowEnergySignalling, security: true
            case signalling, securityBREDR: false
            default: nil
            }
        }
    }

    /// The services of dynamic channels (Assigned Numbers 2.5).
    public enum Service {
        /// The Service Discovery Protocol.
        public static let sdp: UInt16 = 0x0001
        /// RFCOMM.
        public static let rfcomm: UInt16 = 0x0003
        /// The Attribute Protocol over BR/EDR.
        public static let att: UInt16 = 0x001F
    }

    /// The channel, by its id at the receiver.
    public var channel: UInt16
    /// The payload.
    public var payload: [UInt8]

    /// Creates a unit.
    public init(channel: UInt16, payload: [UInt8]) {
        self.channel = channel
        self.payload = payload
    }

    /// Reads a unit that was reassembled from all its data packets.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "btl2cap")
        let length = Int(try reader.littleEndian16("length"))
        channel = try reader.littleEndian16("cid")
        payload = try reader.array(length, "payload")
        guard reader.remaining == 0 else {
            throw DecodeError(
                .badLength, in: "btl2cap", at: reader.offset,
                "\(reader.remaining) byte(s) after the unit")
        }
    }

    /// The unit on the wire, for one or more data packets.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt16(clamping: payload.count))
        bytes.append(littleEndian: channel)
        return bytes + payload.prefix(0xFFFF)
    }
}

/// The reassembly of the units of one direction of a link from its data packets.
public struct L2CAPReassembly: Sendable {
    private var pending: [UInt8]?

    /// Creates an empty reassembly.
    public init() {}

    /// Takes a data packet and returns the unit that it completes.
    ///
    /// - Throws: `.badLength` for a packet with more than its unit, for a continuation without a
    ///   unit, and for one that begins a unit before the previous one is complete, which is lost
    ///   then.
    public mutating func consume(_ packet: ACLPacket) throws(DecodeError) -> L2CAPFrame? {
        var bytes = packet.payload
        if packet.boundary == .continuing {
            guard let pending else {
                throw DecodeError(
                    .badLength, in: "btl2cap", at: 0, "a continuation without its beginning")
            }
            bytes = pending + bytes
        }
        let isCut = packet.boundary != .continuing && pending != nil
        pending = nil
        if bytes.count >= 2,
            bytes.count >= L2CAPFrame.headerSize + Int(bytes[0]) + Int(bytes[1]) << 8
        {
            return try L2CAPFrame(parsing: bytes.span.bytes)
        }
        pending = bytes
        if isCut {
            throw DecodeError(
                .badLength, in: "btl2cap", at: 0, "a new unit begins before the end of this one")
        }
        return nil
    }
}
