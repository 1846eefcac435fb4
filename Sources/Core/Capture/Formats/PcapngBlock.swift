/// A whole pcapng block, whose errors refer to its position in the file.
struct PcapngBlock: ~Escapable {
    private let bytes: RawSpan
    private let order: ByteOrder
    let fault: RecordFault

    /// Creates a block from its bytes, from the type to the trailing length.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, _ order: ByteOrder, _ fault: RecordFault) {
        self.bytes = bytes
        self.order = order
        self.fault = fault
    }

    /// The end of the body: the start of the trailing length.
    private var end: Int { bytes.byteCount - 4 }

    /// Returns a number in the body.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, at offset: Int
    ) throws(CaptureError) -> Number {
        guard offset + MemoryLayout<Number>.size <= end else {
            throw fault(.damaged, "a block of \(bytes.byteCount) bytes, too short for its type")
        }
        return bytes.number(type, at: offset, order)
    }

    /// Returns the range of packet bytes in the block.
    func place(of count: Int, at offset: Int) throws(CaptureError) -> Range<Int> {
        guard count.padded <= end - offset else {
            throw fault(
                .damaged, "a packet of \(count) bytes in a block of \(bytes.byteCount)")
        }
        return offset..<(offset + count)
    }

    /// Returns a copy of bytes in the block.
    func bytes(_ place: Range<Int>) -> [UInt8] {
        bytes.extracting(place).withUnsafeBytes { Array($0) }
    }

    /// Returns the options that begin at an offset and fill the rest of the body.
    @_lifetime(copy self)
    func options(from offset: Int) throws(CaptureError) -> PcapngOptions {
        guard offset <= end else {
            throw fault(.damaged, "a block of \(bytes.byteCount) bytes, too short for its type")
        }
        return PcapngOptions(bytes.extracting(offset..<end), order)
    }

    /// Returns the next of its options.
    @_lifetime(copy options)
    @_lifetime(options: copy options)
    func next(
        _ options: inout PcapngOptions
    ) throws(CaptureError) -> PcapngOptions.Option? {
        do {
            return try options.next()
        } catch {
            throw fault(
                .damaged, "option \(error.code) of \(error.length) bytes, \(error.left) are left")
        }
    }
}

/// Creates the errors about one packet record or block.
struct RecordFault {
    let path: String
    let offset: Int
    let packetIndex: Int?

    func callAsFunction(_ code: CaptureError.Code, _ detail: String) -> CaptureError {
        CaptureError(code, path, detail, offset: offset, packetIndex: packetIndex)
    }
}

/// The unit and the offset of an interface's timestamps (if_tsresol and if_tsoffset, 4.2).
struct PcapngClock {
    /// A negative power of 10, or of 2 if the top bit is set.
    var resolution: UInt8 = 6
    /// The number of seconds to add.
    var offsetSeconds: Int64 = 0

    /// Returns a timestamp in nanoseconds since the epoch.
    ///
    /// The result saturates where `Int64` ends, in the year 2262.
    func nanoseconds(_ ticks: UInt64) -> Int64 {
        let exponent = Int(resolution & 0x7F)
        let nanoseconds: UInt128
        if resolution & 0x80 != 0 {
            nanoseconds = (UInt128(ticks) * 1_000_000_000) >> UInt128(exponent)
        } else if exponent <= 9 {
            nanoseconds = UInt128(ticks) * Self.power(9 - exponent)
        } else {
            // Beyond 10^20 ticks per nanosecond, 64 bits of ticks are less than one nanosecond.
            nanoseconds = exponent > 29 ? 0 : UInt128(ticks) / Self.power(exponent - 9)
        }
        let offset = Int128(offsetSeconds) * 1_000_000_000
        return Int64(clamping: Int128(clamping: nanoseconds) + offset)
    }

    private static func power(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }
}
