/// Bytes of Bluetooth's little-endian units, taken from the front.
///
/// The controller reads and writes its bytes itself and not with the codecs of the dissection: a
/// mistake there cannot agree with itself here.
struct LittleEndianReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next byte; `nil` if there is none.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The next two bytes as a number.
    mutating func word() -> UInt16? {
        take(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
    }

    /// So many bytes; `nil` if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A device's address.
    mutating func address(isRandom: Bool) -> DeviceAddress? {
        take(6).flatMap { DeviceAddress(hci: $0, isRandom: isRandom) }
    }
}

extension UInt16 {
    /// The low byte, then the high one.
    var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}

extension UInt8 {
    /// The number cut to a byte.
    init(low number: Int) { self.init(truncatingIfNeeded: number) }
}
