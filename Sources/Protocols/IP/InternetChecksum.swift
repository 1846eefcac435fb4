/// The 16-bit ones' complement sum of the Internet protocols (RFC 1071).
public struct InternetChecksum: Sendable {
    private var sum: UInt64 = 0

    /// Starts with nothing summed.
    public init() {}

    /// Adds bytes; an odd last byte is padded with zero, so only the last piece may be odd.
    public mutating func add(_ bytes: RawSpan) {
        var offset = 0
        while offset + 1 < bytes.byteCount {
            sum += UInt64(
                UInt16(
                    bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            offset += 2
        }
        if offset < bytes.byteCount {
            sum += UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) << 8
        }
    }

    /// Adds a number as four bytes.
    public mutating func add(_ number: UInt32) {
        sum += UInt64(number >> 16) + UInt64(number & 0xFFFF)
    }

    /// The complement of the sum, as it stands in a header.
    public var value: UInt16 {
        var folded = sum
        while folded > 0xFFFF { folded = folded & 0xFFFF + folded >> 16 }
        return ~UInt16(truncatingIfNeeded: folded)
    }

    /// Whether the checksum of a whole TCP segment or UDP datagram agrees (RFC 9293 3.1).
    ///
    /// - Parameters:
    ///   - segment: The whole IP payload.
    ///   - header: The IP header, which is part of the sum.
    public static func isValid(_ segment: RawSpan, of header: IPHeader) -> Bool {
        var checksum = InternetChecksum()
        checksum.add(header.source.bytes.span.bytes)
        checksum.add(header.destination.bytes.span.bytes)
        checksum.add(UInt32(header.protocolNumber.rawValue))
        checksum.add(UInt32(clamping: segment.byteCount))
        checksum.add(segment)
        return checksum.value == 0
    }
}
