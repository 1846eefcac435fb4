/// A TCP segment in an Ethernet frame, read in one step in the ordinary case.
///
/// The result equals that of `LinkHeader`, `IPHeader` and `TCPHeader` one after the other. It is
/// `nil` for every other frame: tagged, fragmented, truncated, with IP options, IPv6 or damaged.
/// Those three then report what the frame is.
public struct EthernetSegment: Sendable {
    /// The IPv4 addresses as numbers: the sender's in the upper half, the receiver's in the lower.
    public let addresses: UInt64
    /// The TCP header.
    public let header: TCPHeader
    /// The range of the segment in the frame, from its header to the end of its payload.
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
        if header.flags.contains(.urg) {
            header.urgentPointer = UInt16(
                truncatingIfNeeded: frame.word(at: Self.tcpStart + 12))
        }
        self.header = header
        segment = Self.tcpStart..<end
    }
}

extension RawSpan {
    /// The eight bytes at an offset that has been checked to be in range, as a number.
    @inlinable
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(
            bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }
}
