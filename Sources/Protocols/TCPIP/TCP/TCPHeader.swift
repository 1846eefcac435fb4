import Wire

/// A TCP header (RFC 9293 3.1); options are skipped.
public struct TCPHeader: Sendable, Hashable {
    /// The sender's port.
    public var sourcePort: UInt16
    /// The receiver's port.
    public var destinationPort: UInt16
    /// The sequence number of the first payload byte, or of the SYN.
    public var sequence: TCPSequence
    /// The next sequence number that the sender expects; meaningful with the ACK bit.
    public var acknowledgement: TCPSequence
    /// The control bits.
    public var flags: TCPFlags
    /// The window as on the wire, without scaling.
    public var window: UInt16
    /// The number of bytes up to and including the last urgent one; 0 without the URG bit.
    public var urgentPointer: UInt16 = 0
    /// The length of the header with its options, in bytes: 20 to 60; the payload follows.
    public var length: Int

    /// Creates a header without options.
    @inlinable
    public init(
        sourcePort: UInt16, destinationPort: UInt16, sequence: TCPSequence,
        acknowledgement: TCPSequence = TCPSequence(0), flags: TCPFlags, window: UInt16 = 0
    ) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.flags = flags
        self.window = window
        self.length = Self.lengthMin
    }

    /// Reads the header at the start of an IP payload.
    ///
    /// - Throws: `.truncated` if the bytes end before the header and its options do, `.badLength`
    ///   if the data offset is under 5 words.
    public init(parsing segment: RawSpan) throws(DecodeError) {
        var reader = ByteReader(segment, unit: "tcp")
        sourcePort = try reader.uint16("srcport")
        destinationPort = try reader.uint16("dstport")
        sequence = TCPSequence(try reader.uint32("seq"))
        acknowledgement = TCPSequence(try reader.uint32("ack"))
        length = Int(try reader.uint8("hdr_len") >> 4) * 4
        flags = TCPFlags(rawValue: try reader.uint8("flags"))
        window = try reader.uint16("window_size_value")
        guard length >= Self.lengthMin else {
            throw DecodeError(
                .badLength, in: "tcp.hdr_len", at: 12,
                "\(length) bytes of header, at least \(Self.lengthMin) needed")
        }
        try reader.skip(2, "checksum")
        let urgent = try reader.uint16("urgent_pointer")
        urgentPointer = flags.contains(.urg) ? urgent : 0
        try reader.skip(length - reader.offset, "options")
    }

    /// The length of a header without options, in bytes.
    @inlinable public static var lengthMin: Int { 20 }
}
