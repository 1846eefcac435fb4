import Capture
import TCPIP
import Wire

extension CaptureSeries {
    /// Creates a series of captures that are read as one.
    ///
    /// The clocks of the captures are compared by the IP packets that they share.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - following: How to wait for more at the end of the only file.
    ///   - secrets: Takes what the captures contain to decrypt them.
    /// - Throws: What `init(paths:following:identity:)` throws.
    public convenience init(
        joining paths: [String], following: Following? = nil, secrets: DecryptionSecrets? = nil
    ) throws(CaptureError) {
        try self.init(
            paths: paths, following: following, identity: Self.identity,
            keyLogs: secrets?.adding)
    }

    /// Returns a hash of the parts of an IP packet that do not change on its way.
    ///
    /// It leaves out the time to live and the checksums, which routers and network cards fill in,
    /// and the link-layer header.
    public static func identity(of packet: borrowing Packet) -> UInt64? {
        guard let framing = LinkFraming(rawValue: UInt16(clamping: packet.linkType.rawValue)),
            let link = try? LinkHeader(parsing: packet.bytes, framing: framing),
            link.etherType == .ipv4 || link.etherType == .ipv6
        else { return nil }
        let bytes = packet.bytes.extracting(droppingFirst: link.length)
        guard let header = try? IPHeader(parsing: bytes),
            header.protocolNumber == .tcp || header.protocolNumber == .udp
        else { return nil }
        let checksum = header.length + (header.protocolNumber == .tcp ? 16 : 6)
        let end = min(bytes.byteCount, header.length + min(header.payloadLength, bytesMax))
        guard end > checksum + 1 else { return nil }
        var hasher = Hasher()
        hasher.combine(header)
        var reader = ByteReader(bytes, unit: "ip")
        do throws(DecodeError) {
            try reader.skip(4, "len")
            if link.etherType == .ipv4 { hasher.combine(try reader.uint16("id")) }
            try reader.skip(header.length - reader.offset, "options")
            while reader.offset < end {
                let byte = try reader.uint8("payload")
                let isChecksum = (checksum...checksum + 1).contains(reader.offset - 1)
                if !isChecksum { hasher.combine(byte) }
            }
        } catch {
            return nil
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The maximum number of bytes of a packet that are examined.
    ///
    /// Captures may cut the packet at different lengths.
    private static let bytesMax = 64
}
