import Wire

/// A data packet of a logical link (Core 5.4 Vol 4 Part E 5.4.2).
public struct ACLPacket: Sendable, Hashable {
    /// The part of an L2CAP unit that a packet holds.
    public enum Boundary: UInt8, Sendable, Hashable, CaseIterable {
        /// The first part, which is not flushed automatically; sent by hosts on LE links.
        case firstNonFlushable = 0
        /// A continuation of a unit.
        case continuing = 1
        /// The first part, which may be flushed; sent by controllers.
        case first = 2
        /// A complete unit, which may be flushed; only on AMP links.
        case complete = 3
    }

    /// The connection handle of the link.
    public var handle: UInt16
    /// The part of a unit that it holds.
    public var boundary: Boundary
    /// The receivers: 0 is the other end of the link.
    public var broadcast: UInt8
    /// The payload.
    public var payload: [UInt8]

    /// Creates a packet.
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
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
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

    /// Returns the packets that carry an L2CAP unit, each with at most `size` bytes of it.
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
    /// The length of a header in bytes.
    public static let size = 4

    /// The connection handle of the link.
    public var handle: UInt16
    /// The part of a unit that the packet holds.
    public var boundary: ACLPacket.Boundary
    /// The receivers: 0 is the other end of the link.
    public var broadcast: UInt8
    /// The number of bytes that follow.
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
    /// The connection handle of the link.
    public var handle: UInt16
    /// The reception quality, 0 to 3.
    public var status: UInt8
    /// The payload.
    public var payload: [UInt8]

    /// Creates a packet.
    public init(handle: UInt16, status: UInt8 = 0, payload: [UInt8]) {
        self.handle = handle & 0x0FFF
        self.status = status & 3
        self.payload = payload
    }

    /// Reads a packet without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
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
    /// The connection handle of the stream.
    public var handle: UInt16
    /// The part of a unit that it holds: 0 the first, 1 a continuation, 2 a complete one, 3 the
    /// last.
    public var boundary: UInt8
    /// Whether a time stamp precedes the unit.
    public var hasTimestamp: Bool
    /// The payload, including time stamp and header of the unit.
    public var payload: [UInt8]

    /// Creates a packet.
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
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
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
