/// The options at the end of a pcapng block: code, length, value, padded to 4 bytes
/// (draft-ietf-opsawg-pcapng 3.5).
struct PcapngOptions: ~Escapable {
    /// The codes that are read or written, by the block that contains them.
    enum Code {
        static let end: UInt16 = 0
        static let comment: UInt16 = 1
        static let sectionHardware: UInt16 = 2
        static let sectionOS: UInt16 = 3
        static let sectionApplication: UInt16 = 4
        static let interfaceName: UInt16 = 2
        static let interfaceResolution: UInt16 = 9
        static let interfaceOffset: UInt16 = 14
        static let packetFlags: UInt16 = 2
        static let packetDropCount: UInt16 = 4
        static let statisticsEnd: UInt16 = 3
        static let statisticsReceived: UInt16 = 4
        static let statisticsDropped: UInt16 = 5
        static let statisticsDroppedBySystem: UInt16 = 7
    }

    private let bytes: RawSpan
    private let order: ByteOrder
    private var offset = 0

    /// Creates a reader of the options that fill `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, _ order: ByteOrder) {
        self.bytes = bytes
        self.order = order
    }

    /// An option's value.
    struct Option: ~Escapable {
        let code: UInt16
        let value: RawSpan
        let order: ByteOrder

        @_lifetime(copy value)
        init(code: UInt16, value: RawSpan, order: ByteOrder) {
            self.code = code
            self.value = value
            self.order = order
        }

        /// The value as text; invalid UTF-8 is repaired.
        var text: String {
            value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }

        /// The value as a time: the upper half, then the lower one; `nil` if it is not a time.
        var ticks: UInt64? {
            guard value.byteCount == 8 else { return nil }
            return UInt64(value.number(UInt32.self, at: 0, order)) << 32
                | UInt64(value.number(UInt32.self, at: 4, order))
        }

        /// Returns the value as a number of that width; `nil` if it has another width.
        func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
            guard value.byteCount == MemoryLayout<Number>.size else { return nil }
            return value.number(type, at: 0, order)
        }
    }

    /// Returns the next option; `nil` at the end.
    ///
    /// - Throws: `Overrun` if an option is longer than what is left.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    mutating func next() throws(Overrun) -> Option? {
        guard bytes.byteCount - offset >= 4 else { return nil }
        let code = bytes.number(UInt16.self, at: offset, order)
        let length = Int(bytes.number(UInt16.self, at: offset + 2, order))
        guard code != Code.end else { return nil }
        let from = offset + 4
        guard length <= bytes.byteCount - from else {
            throw Overrun(code: code, length: length, left: bytes.byteCount - from)
        }
        offset = from + min(length.padded, bytes.byteCount - from)
        return Option(
            code: code, value: bytes.extracting(from..<(from + length)), order: order)
    }

    /// An option that extends beyond its block.
    struct Overrun: Error {
        let code: UInt16
        let length: Int
        let left: Int
    }
}

extension Int {
    /// This length with its padding to a multiple of 4.
    var padded: Int { (self + 3) & ~3 }
}
