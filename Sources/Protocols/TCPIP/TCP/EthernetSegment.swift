/// A TCP segment in an Ethernet frame, read at one go where nothing is out of the ordinary.
///
/// It is what `LinkHeader`, `IPHeader` and `TCPHeader` make of such a frame one after the other; for
/// every other frame, be it tagged, fragmented, cut, with IP options, IPv6 or damaged, there is none,
/// and they say what it is.
public struct EthernetSegment: Sendable {
    /// The numbers of the IPv4 addresses: the sender's in the upper half, the receiver's below.
    public let addresses: UInt64
    /// The TCP header.
    public let header: TCPHeader
    /// Where in the frame the segment stands, from its header to the end of its payload.
    public let segment: Range<Int>

    /// The sender.
    public var source: IPAddress { IPAddress(ipv4: UInt32(truncatingIfNeeded: addresses >> 32)) }
    /// The receiver.
    public var destination: IPAddress { IPAddress(ipv4: UInt32(truncatingIfNeeded: addresses)) }

    @inlinable static var ipStart: Int { 14 }
    @inlinable static var tcpStart: Int { 34 }
    @inlinable static var sizeMin: Int { 54 }

    /// Reads a frame; `nil` unless it holds a whole IPv4 packet with a TCP segment.
    @inlinable
    @inline(__always)
    public init?(_ frame: RawSpan) {
        let count = frame.byteCount
        guard count >= Self.sizeMin else { return nil }
        // EtherType, version and header length, service, total length, identification.
        let front = frame.word(at: 12)
        // Flags and fragment offset, time to live, protocol, checksum, the sender's upper half.
        let middle = frame.word(at: 20)
        guard front >> 40 == 0x08_0045, middle >> 48 & 0x3FFF == 0, middle >> 32 & 0xFF == 6 else {
            return nil
        }
        let end = Self.ipStart + Int(truncatingIfNeeded: front >> 16 & 0xFFFF)
        let ports = frame.word(at: Self.tcpStart)
        let control = frame.word(at: Self.tcpStart + 8)
        let length = Int(truncatingIfNeeded: control >> 28 & 0xF) * 4
        guard end <= count, length >= TCPHeader.lengthMin, Self.tcpStart + length <= end else {
            return nil
        }
        addresses = frame.word(at: 26)
        var header = TCPHeader(
            sourcePort: UInt16(truncatingIfNeeded: ports >> 48),
            destinationPort: UInt16(truncatingIfNeeded: ports >> 32),
            sequence: TCPSequence(UInt32(truncatingIfNeeded: ports)),
            acknowledgement: TCPSequence(UInt32(truncatingIfNeeded: control >> 32)),
            flags: TCPFlags(rawValue: UInt8(truncatingIfNeeded: control >> 16)),
            window: UInt16(truncatingIfNeeded: control))
        header.length = length
        self.header = header
        segment = Self.tcpStart..<end
    }
}

extension RawSpan {
    /// The eight bytes at a place that has been checked to lie within, as a number.
    @inlinable
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(
            bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }
}
