/// A run of bytes from which fields are read, with a current position.
///
/// A substream is a part of the same buffer; the output of `process` has a buffer of its own.
struct ByteStream: Sendable {
    let bytes: [UInt8]
    /// The index of its first byte in the buffer.
    let start: Int
    /// The index after its last byte in the buffer.
    let end: Int
    /// Whether the buffer is the input, so that indices are offsets in the input.
    let isInput: Bool
    /// Whether this is the whole input, which may grow.
    let isWhole: Bool
    /// The index of the next byte in the buffer; it may be beyond the end.
    var position: Int
    /// The number of bits in the byte before `position` that have not been read.
    var bitsLeft = 0

    init(_ bytes: [UInt8], _ range: Range<Int>, isInput: Bool, isWhole: Bool = false) {
        self.bytes = bytes
        self.start = range.lowerBound
        self.end = range.upperBound
        self.isInput = isInput
        self.isWhole = isWhole
        self.position = range.lowerBound
    }

    var count: Int { end - start }
    var remaining: Int { max(0, end - position) }
    var isAtEnd: Bool { position >= end && bitsLeft == 0 }

    /// Throws unless the given number of bytes follows.
    func require(_ count: Int) throws(KaitaiError) {
        guard count > remaining else { return }
        var error = KaitaiError(
            code: .endOfStream,
            what: "requested \(count) bytes, but only \(remaining) bytes available")
        error.isIncomplete = isWhole
        let (needed, isOver) = (position - start).addingReportingOverflow(count)
        error.bytesNeeded = isWhole && !isOver ? needed : nil
        throw error
    }

    /// Takes the given number of bytes.
    mutating func consume(_ count: Int) throws(KaitaiError) -> Range<Int> {
        bitsLeft = 0
        guard count >= 0 else {
            throw KaitaiError(code: .negative, what: "the size is negative, \(count)")
        }
        try require(count)
        // A position beyond the end has no bytes, and none are requested here.
        let first = min(position, end)
        position = count == 0 ? position : position + count
        return first..<(first + count)
    }

    /// Moves to a position, counted from the beginning of the stream.
    mutating func seek(_ offset: Int128) throws(KaitaiError) {
        guard offset >= 0 else {
            throw KaitaiError(code: .negative, what: "the position is negative, \(offset)")
        }
        guard let offset = Int(exactly: offset), offset < Int.max / 2 else {
            throw KaitaiError(code: .overflow, what: "the position \(offset) does not fit")
        }
        bitsLeft = 0
        position = start + offset
    }

    /// Reads an unsigned number of up to 8 bytes.
    mutating func unsigned(width: Int, isLittle: Bool) throws(KaitaiError) -> UInt64 {
        bitsLeft = 0
        try require(width)
        var number: UInt64 = 0
        if isLittle {
            for index in stride(from: width - 1, through: 0, by: -1) {
                number = number << 8 | UInt64(bytes[position + index])
            }
        } else {
            for index in 0..<width { number = number << 8 | UInt64(bytes[position + index]) }
        }
        position += width
        return number
    }

    /// Reads up to 64 bits, from the top of each byte or from the bottom.
    mutating func bits(_ count: Int, isLittle: Bool) throws(KaitaiError) -> UInt64 {
        try require((max(0, count - bitsLeft) + 7) / 8)
        var number: UInt64 = 0
        var got = 0
        while got < count {
            if bitsLeft == 0 {
                position += 1
                bitsLeft = 8
            }
            let taken = min(bitsLeft, count - got)
            let byte = UInt64(bytes[position - 1])
            let mask = (UInt64(1) << UInt64(taken)) - 1
            if isLittle {
                number |= (byte >> UInt64(8 - bitsLeft) & mask) << UInt64(got)
            } else {
                number = number << UInt64(taken) | byte >> UInt64(bitsLeft - taken) & mask
            }
            bitsLeft -= taken
            got += taken
        }
        return number
    }

    /// Returns the index of a terminator from `first` on, searched in steps of its length.
    func index(of terminator: [UInt8], from first: Int, to last: Int) -> Int? {
        if terminator.count == 1 {
            return first <= last ? bytes[first..<last].firstIndex(of: terminator[0]) : nil
        }
        var place = first
        while place + terminator.count <= last {
            if bytes[place..<(place + terminator.count)].elementsEqual(terminator) { return place }
            place += terminator.count
        }
        return nil
    }
}
