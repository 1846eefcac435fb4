import Wire

/// A data packet of a logical link (Core 5.4 Vol 4 Part E 5.4.2).
public struct ACLPacket: Sendable, Hashable {
    /// Which part of a unit of L2CAP a packet holds.
    public enum Boundary: UInt8, Sendable, Hashable, CaseIterable {
        /// The first, which is not flushed automatically; of LE links what hosts send.
        case firstNonFlushable = 0
        /// One that goes on with a unit.
        case continuing = 1
        /// The first, which may be flushed; what controllers send.
        case first = 2
        /// A whole unit, which may be flushed; of AMP alone.
        case complete = 3
    }

    /// The link.
    public var handle: UInt16
    /// Which part of a unit it holds.
    public var boundary: Boundary
    /// To whom it goes: 0 is the other end of the link.
    public var broadcast: UInt8
    /// What it carries.
    public var payload: [UInt8]

    /// Makes a packet.
    public init(
        handle: UInt16, boundary: Boundary = .first, broadcast: UInt8 = 0, payload: [UInt8]
    ) {
        self.handle = handle & 0x0FFF
        self.boundary = boundary
        self.broadcast = broadcast & 3
        self.payload = payload
    }

    /// Reads a packet without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes behind it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_acl")
        let header = try ACLHeader(parsing: &reader)
        let payload = try reader.array(header.length, "data")
        try reader.requireEnd(of: "bthci_acl")
        self.init(
            handle: header.handle, boundary: header.boundary, broadcast: header.broadcast,
            payload: payload)
    }

    /// The packet on the wire, without the packet type.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            littleEndian: handle | UInt16(boundary.rawValue) << 12 | UInt16(broadcast) << 14)
        bytes.append(littleEndian: UInt16(clamping: payload.count))
        return bytes + payload.prefix(0xFFFF)
    }

    /// The packets that carry a unit of L2CAP, none with more than `size` bytes of it.
    public static func fragments(
        of unit: [UInt8], handle: UInt16, size: Int, first: Boundary = .first
    ) -> [ACLPacket] {
        stride(from: 0, to: unit.count, by: max(1, size)).map { start in
            ACLPacket(
                handle: handle, boundary: start == 0 ? first : .continuing,
                payload: Array(unit[start..<min(unit.count, start + max(1, size))]))
        }
    }
}

/// The header of a data packet (Core 5.4 Vol 4 Part E 5.4.2).
public struct ACLHeader: Sendable, Hashable {
    /// Bytes of it.
    public static let size = 4

    /// The link.
    public var handle: UInt16
    /// Which part of a unit the packet holds.
    public var boundary: ACLPacket.Boundary
    /// To whom it goes: 0 is the other end of the link.
    public var broadcast: UInt8
    /// Bytes that follow.
    public var length: Int

    /// Reads a header.
    ///
    /// - Throws: `.truncated`.
    public init(parsing reader: inout ByteReader) throws(DecodeError) {
        let first = try reader.littleEndian16("chandle")
        handle = first & 0x0FFF
        boundary = ACLPacket.Boundary(rawValue: UInt8(first >> 12 & 3)) ?? .first
        broadcast = UInt8(first >> 14)
        length = Int(try reader.littleEndian16("length"))
    }
}

/// A packet of a synchronous link (Core 5.4 Vol 4 Part E 5.4.3).
public struct SCOPacket: Sendable, Hashable {
    /// The link.
    public var handle: UInt16
    /// How well it was received, 0 to 3.
    public var status: UInt8
    /// What it carries.
    public var payload: [UInt8]

    /// Makes a packet.
    public init(handle: UInt16, status: UInt8 = 0, payload: [UInt8]) {
        self.handle = handle & 0x0FFF
        self.status = status & 3
        self.payload = payload
    }

    /// Reads a packet without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes behind it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_sco")
        let first = try reader.littleEndian16("chandle")
        var body = try reader.body("bthci_sco")
        self.init(
            handle: first, status: UInt8(first >> 12 & 3),
            payload: try body.array(body.remaining))
    }

    /// The packet on the wire, without the packet type.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: handle | UInt16(status) << 12)
        bytes.append(body: payload)
        return bytes
    }
}

/// A packet of an isochronous stream (Core 5.4 Vol 4 Part E 5.4.5).
public struct ISOPacket: Sendable, Hashable {
    /// The stream.
    public var handle: UInt16
    /// Which part of a unit it holds: 0 the first, 1 a continuation, 2 a whole one, 3 the last.
    public var boundary: UInt8
    /// Whether a time stamp stands before the unit.
    public var hasTimestamp: Bool
    /// What it carries, time stamp and header of the unit included.
    public var payload: [UInt8]

    /// Makes a packet.
    public init(
        handle: UInt16, boundary: UInt8 = 2, hasTimestamp: Bool = false, payload: [UInt8]
    ) {
        self.handle = handle & 0x0FFF
        self.boundary = boundary & 3
        self.hasTimestamp = hasTimestamp
        self.payload = payload
    }

    /// Reads a packet without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes behind it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_iso")
        let first = try reader.littleEndian16("chandle")
        let length = Int(try reader.littleEndian16("data_length") & 0x3FFF)
        self.init(
            handle: first, boundary: UInt8(first >> 12 & 3),
            hasTimestamp: first >> 14 & 1 == 1, payload: try reader.array(length, "data"))
        try reader.requireEnd(of: "bthci_iso")
    }

    /// The packet on the wire, without the packet type.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            littleEndian: handle | UInt16(boundary) << 12 | (hasTimestamp ? 0x4000 : 0))
        bytes.append(littleEndian: UInt16(min(payload.count, 0x3FFF)))
        return bytes + payload.prefix(0x3FFF)
    }
}
