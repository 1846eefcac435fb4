/// A run of bytes to which fields are written.
struct OutputBytes {
    private(set) var bytes: [UInt8] = []
    /// The number of bits in the last byte that belong to no field.
    private var bitsLeft = 0
    /// The byte that supplies those bits when the next field begins with a new byte.
    var lastByte: UInt8 = 0
    private var isLittle = false

    /// Aligns to the next byte: fills the remaining bits of the last one.
    mutating func align() {
        guard bitsLeft > 0, let last = bytes.popLast() else { return }
        let open = UInt8(truncatingIfNeeded: (UInt16(1) << UInt16(bitsLeft)) - 1)
        let mask = isLittle ? open << UInt8(8 - bitsLeft) : open
        bytes.append(last & ~mask | lastByte & mask)
        bitsLeft = 0
        lastByte = 0
    }

    mutating func append(_ more: [UInt8]) {
        align()
        bytes += more
    }

    mutating func append(_ number: UInt64, width: Int, isLittle: Bool) {
        align()
        for index in 0..<width {
            let shift = UInt64(isLittle ? index : width - 1 - index) * 8
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends up to 64 bits, to the top of each byte first, or to the bottom.
    mutating func appendBits(_ number: UInt64, count: Int, isLittle: Bool) {
        self.isLittle = isLittle
        var done = 0
        while done < count {
            if bitsLeft == 0 {
                bytes.append(0)
                bitsLeft = 8
            }
            let taken = min(bitsLeft, count - done)
            let mask = (UInt64(1) << UInt64(taken)) - 1
            let shift = isLittle ? 8 - bitsLeft : bitsLeft - taken
            let part = number >> UInt64(isLittle ? done : count - done - taken) & mask
            bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: part << UInt64(shift))
            bitsLeft -= taken
            done += taken
        }
    }
}
