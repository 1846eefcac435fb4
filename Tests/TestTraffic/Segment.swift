import TCPIP
import Trace

/// A synthetic TCP segment in an IPv4 packet with correct lengths and checksums.
public struct Segment {
    /// The sender.
    public var source: Endpoint
    /// The receiver.
    public var destination: Endpoint
    /// The sequence number of its first byte.
    public var sequence: UInt32
    /// The sequence number of the byte that the sender waits for.
    public var acknowledgement: UInt32
    /// The control bits.
    public var flags: TCPFlags
    /// The data.
    public var payload: [UInt8]

    /// Creates a segment; by default a bare acknowledgement.
    public init(
        from source: Endpoint, to destination: Endpoint, sequence: UInt32,
        acknowledgement: UInt32 = 0, flags: TCPFlags = [.ack], payload: [UInt8] = []
    ) {
        self.source = source
        self.destination = destination
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.flags = flags
        self.payload = payload
    }

    /// The packet, for a capture of link type 101 (raw IP).
    public var packet: [UInt8] {
        let tcp = tcp
        var header: [UInt8] = [0x45, 0]
        header.append(bigEndian: UInt16(20 + tcp.count))
        header += [0, 0, 0, 0, 64, 6, 0, 0]
        header += source.address.bytes + destination.address.bytes
        return header.settingChecksum(Self.checksum([header]), at: 10) + tcp
    }

    /// Returns the packet of an ICMP message that this segment cannot be delivered (RFC 792).
    ///
    /// The message is port unreachable, with the beginning of the segment.
    public func unreachable(from host: IPAddress) -> [UInt8] {
        let quoted = packet.prefix(28)
        let message: [UInt8] = [3, 3, 0, 0, 0, 0, 0, 0] + quoted
        var header: [UInt8] = [0x45, 0]
        header.append(bigEndian: UInt16(20 + message.count))
        header += [0, 0, 0, 0, 64, 1, 0, 0]
        header += host.bytes + source.address.bytes
        return header.settingChecksum(Self.checksum([header]), at: 10)
            + message.settingChecksum(Self.checksum([message]), at: 2)
    }

    private var tcp: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: source.port)
        bytes.append(bigEndian: destination.port)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: acknowledgement)
        bytes += [0x50, flags.rawValue]
        bytes.append(bigEndian: UInt16(65_535))
        bytes += [0, 0, 0, 0]
        bytes += payload
        var pseudoHeader = source.address.bytes + destination.address.bytes + [0, 6]
        pseudoHeader.append(bigEndian: UInt16(bytes.count))
        return bytes.settingChecksum(Self.checksum([pseudoHeader, bytes]), at: 16)
    }

    private static func checksum(_ parts: [[UInt8]]) -> UInt16 {
        var checksum = InternetChecksum()
        for part in parts { checksum.add(part.span.bytes) }
        return checksum.value
    }
}

extension [UInt8] {
    fileprivate func settingChecksum(_ checksum: UInt16, at offset: Int) -> [UInt8] {
        var bytes = self
        bytes[offset] = UInt8(checksum >> 8)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: checksum)
        return bytes
    }

    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        for shift in stride(from: type(of: number).bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
