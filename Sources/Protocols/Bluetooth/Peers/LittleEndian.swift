/// A reader that consumes bytes of Bluetooth's little-endian units from the start.
///
/// The controller reads commands and attribute requests of any content, including those that the
/// codec rejects.
struct LittleEndianReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Takes the next byte; `nil` if there is none.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Takes the next two bytes as a number; `nil` if there are fewer.
    mutating func word() -> UInt16? {
        consume(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
    }

    /// Takes the given number of bytes; `nil` if there are fewer.
    mutating func consume(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Takes a device's address; `nil` if there are fewer than six bytes.
    mutating func address(isRandom: Bool) -> DeviceAddress? {
        consume(6).flatMap { DeviceAddress(hci: $0, isRandom: isRandom) }
    }
}

extension UInt16 {
    /// The two bytes, low byte first.
    var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}

extension UInt8 {
    /// Creates a byte from the low eight bits of a number.
    init(low number: Int) { self.init(truncatingIfNeeded: number) }
}
