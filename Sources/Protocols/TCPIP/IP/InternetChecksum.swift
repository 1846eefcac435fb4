/// The 16-bit ones' complement sum of the Internet protocols (RFC 1071).
public struct InternetChecksum: Sendable {
    private var sum: UInt64 = 0

    /// Creates an empty sum.
    public init() {}

    /// Creates the sum of bytes.
    public init(of bytes: RawSpan) { add(bytes) }

    /// Adds bytes; an odd last byte is padded with zero, so only the last piece may be odd.
    public mutating func add(_ bytes: RawSpan) {
        // The sum does not depend on the byte order, which is converted at the end, or on the width
        // of the words, if the carry of a word is added to it (RFC 1071 2.B and 2.C).
        let count = bytes.byteCount
        var sums = SIMD4<UInt64>(repeating: 0)
        var offset = 0
        while offset < count & ~15 {
            let words = bytes.native(SIMD4<UInt32>.self, at: offset)
            sums = sums &+ SIMD4<UInt64>(truncatingIfNeeded: words)
            offset += 16
        }
        var native = sums.wrappedSum()
        if count & 8 != 0 {
            let word = bytes.native(UInt64.self, at: offset)
            native &+= word & 0xFFFF_FFFF &+ word >> 32
            offset += 8
        }
        if count & 4 != 0 {
            native &+= UInt64(bytes.native(UInt32.self, at: offset))
            offset += 4
        }
        if count & 2 != 0 {
            native &+= UInt64(bytes.native(UInt16.self, at: offset))
            offset += 2
        }
        while native > 0xFFFF { native = native & 0xFFFF + native >> 16 }
        sum += UInt64(UInt16(bigEndian: UInt16(truncatingIfNeeded: native)))
        if offset < count {
            sum += UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) << 8
        }
    }

    /// Adds a number as four bytes.
    public mutating func add(_ number: UInt32) {
        sum += UInt64(number >> 16) + UInt64(number & 0xFFFF)
    }

    /// The complement of the sum, as it appears in a header.
    public var value: UInt16 {
        var folded = sum
        while folded > 0xFFFF { folded = folded & 0xFFFF + folded >> 16 }
        return ~UInt16(truncatingIfNeeded: folded)
    }

    /// Adds an address, which is part of the pseudo-header of a transport's checksum.
    private mutating func add(_ address: IPAddress) {
        let (high, low) = address.words
        add(UInt32(truncatingIfNeeded: high >> 32))
        add(UInt32(truncatingIfNeeded: high))
        add(UInt32(truncatingIfNeeded: low >> 32))
        add(UInt32(truncatingIfNeeded: low))
    }

    /// Whether the checksum of a whole TCP segment is correct (RFC 9293 3.1).
    ///
    /// - Parameters:
    ///   - segment: The whole IP payload.
    ///   - source: The sender, which is part of the sum.
    ///   - destination: The receiver, which is part of the sum.
    public static func isValid(
        _ segment: RawSpan, ofTCPFrom source: IPAddress, to destination: IPAddress
    ) -> Bool {
        isValid(segment, of: .tcp, from: source, to: destination)
    }

    /// Whether the checksum of a TCP segment in an Ethernet frame is correct (RFC 9293 3.1).
    public static func isValid(_ segment: EthernetSegment, in frame: RawSpan) -> Bool {
        var checksum = InternetChecksum()
        let ends = segment.addresses
        checksum.sum = (ends >> 48) + (ends >> 32 & 0xFFFF) + (ends >> 16 & 0xFFFF)
        checksum.sum += (ends & 0xFFFF) + UInt64(IPProtocol.tcp.rawValue)
        checksum.sum += UInt64(segment.segment.count)
        checksum.add(frame.extracting(segment.segment))
        return checksum.value == 0
    }

    /// Whether the checksum of a whole TCP segment or UDP datagram is correct (RFC 9293 3.1).
    ///
    /// - Parameters:
    ///   - segment: The whole IP payload.
    ///   - header: The IP header, which is part of the sum.
    public static func isValid(_ segment: RawSpan, of header: IPHeader) -> Bool {
        isValid(
            segment, of: header.protocolNumber, from: header.source, to: header.destination)
    }

    /// Whether a checksum is what Linux leaves in a packet for the network card to complete: the sum
    /// of the pseudo-header alone.
    ///
    /// - Parameters:
    ///   - checksum: The checksum in the header of a whole TCP segment or UDP datagram.
    ///   - header: The IP header.
    ///   - length: The number of bytes of the segment or datagram.
    public static func isPartial(_ checksum: UInt16, of header: IPHeader, length: Int) -> Bool {
        let pseudoHeader = InternetChecksum(
            header.protocolNumber, from: header.source, to: header.destination, length: length)
        return checksum == ~pseudoHeader.value
    }

    private static func isValid(
        _ segment: RawSpan, of protocolNumber: IPProtocol, from source: IPAddress,
        to destination: IPAddress
    ) -> Bool {
        var checksum = InternetChecksum(
            protocolNumber, from: source, to: destination, length: segment.byteCount)
        checksum.add(segment)
        return checksum.value == 0
    }

    /// The sum of a pseudo-header.
    private init(
        _ protocolNumber: IPProtocol, from source: IPAddress, to destination: IPAddress, length: Int
    ) {
        add(source)
        add(destination)
        add(UInt32(protocolNumber.rawValue))
        add(UInt32(clamping: length))
    }
}

extension RawSpan {
    /// The number at an offset that has been checked to be in range, in the machine's byte order.
    @inline(__always)
    fileprivate func native<Number: BitwiseCopyable>(
        _ type: Number.Type, at offset: Int
    ) -> Number {
        unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
    }
}
