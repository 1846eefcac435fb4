import Wire

/// The header of a UDP datagram (RFC 768).
public struct UDPHeader: Sendable, Hashable {
    /// The sender's port; 0 if no answer is expected.
    public var sourcePort: UInt16
    /// The receiver's port.
    public var destinationPort: UInt16
    /// The length of header and payload in bytes, according to the header.
    public var length: Int
    /// The checksum; 0 if there is none.
    public var checksum: UInt16

    /// The length of a header in bytes.
    public static let size = 8

    /// Creates a header.
    public init(sourcePort: UInt16, destinationPort: UInt16, length: Int, checksum: UInt16 = 0) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.length = length
        self.checksum = checksum
    }

    /// Reads the header at the start of an IP packet's payload.
    ///
    /// - Parameters:
    ///   - datagram: The captured part of the payload.
    ///   - sent: The number of payload bytes that the IP header announces.
    /// - Throws: `.truncated` if the bytes end within the header, `.badLength` if the datagram is
    ///   shorter than its header or longer than the packet that carries it.
    public init(parsing datagram: RawSpan, of sent: Int) throws(DecodeError) {
        var reader = ByteReader(datagram, unit: "udp")
        sourcePort = try reader.uint16("srcport")
        destinationPort = try reader.uint16("dstport")
        let length = Int(try reader.uint16("length"))
        checksum = try reader.uint16("checksum")
        // A length of 0 is used by a jumbogram (RFC 2675 4).
        self.length = length == 0 ? sent : length
        guard (Self.size...max(Self.size, sent)).contains(self.length) else {
            throw DecodeError(
                .badLength, in: "udp.length", at: 4,
                "\(length) bytes in a packet with \(sent), at least \(Self.size) needed")
        }
    }
}
