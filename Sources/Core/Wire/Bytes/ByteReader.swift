/// A cursor over borrowed bytes: each read consumes from the front and is checked once.
///
/// All decoders read through it. It copies bytes only where the caller requests an array.
public struct ByteReader: ~Escapable {
    private let bytes: RawSpan
    /// Offset of the next byte to be read, from the start of the span.
    public private(set) var offset: Int
    private let unit: String

    /// Creates a reader at the start of `bytes`; `unit` names what is read, for errors.
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan, unit: String) {
        self.bytes = bytes
        self.offset = 0
        self.unit = unit
    }

    /// The number of bytes that are left.
    public var remaining: Int { bytes.byteCount - offset }

    /// The bytes that are left, without consuming them.
    public var rest: RawSpan {
        @_lifetime(copy self)
        get { bytes.extracting(droppingFirst: offset) }
    }

    /// Consumes one byte.
    @_lifetime(self: copy self)
    public mutating func uint8(_ field: StaticString = "") throws(DecodeError) -> UInt8 {
        try require(1, field)
        defer { offset += 1 }
        return bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Consumes a 16-bit number, most significant byte first.
    @_lifetime(self: copy self)
    public mutating func uint16(_ field: StaticString = "") throws(DecodeError) -> UInt16 {
        try require(2, field)
        defer { offset += 2 }
        return UInt16(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Consumes a 32-bit number, most significant byte first.
    @_lifetime(self: copy self)
    public mutating func uint32(_ field: StaticString = "") throws(DecodeError) -> UInt32 {
        try require(4, field)
        defer { offset += 4 }
        return UInt32(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Consumes a 64-bit number, most significant byte first.
    @_lifetime(self: copy self)
    public mutating func uint64(_ field: StaticString = "") throws(DecodeError) -> UInt64 {
        try require(8, field)
        defer { offset += 8 }
        return UInt64(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Consumes `count` bytes and returns a borrowed span of them.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    public mutating func span(
        _ count: Int, _ field: StaticString = ""
    ) throws(DecodeError) -> RawSpan {
        try require(count, field)
        defer { offset += count }
        return bytes.extracting(offset..<(offset + count))
    }

    /// Consumes `count` bytes and returns a copy of them.
    @_lifetime(self: copy self)
    public mutating func array(
        _ count: Int, _ field: StaticString = ""
    ) throws(DecodeError) -> [UInt8] {
        [UInt8](copying: try span(count, field))
    }

    /// Consumes `count` bytes without reading them.
    @_lifetime(self: copy self)
    public mutating func skip(_ count: Int, _ field: StaticString = "") throws(DecodeError) {
        try require(count, field)
        offset += count
    }

    private func require(_ count: Int, _ field: StaticString) throws(DecodeError) {
        guard count >= 0, count <= remaining else {
            let name = "\(field)".isEmpty ? unit : "\(unit).\(field)"
            throw DecodeError(
                count < 0 ? .badLength : .truncated, in: name, at: offset,
                "\(count) byte(s) needed, \(remaining) left")
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    public init(copying span: RawSpan) {
        // All empty arrays share one object. The initializer below would write its count into that
        // object while other threads do the same.
        guard !span.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: span.byteCount) { buffer, count in
            span.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            count = span.byteCount
        }
    }

    /// Appends a number, most significant byte first.
    @inlinable
    public mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
