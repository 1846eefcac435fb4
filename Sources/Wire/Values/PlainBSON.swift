extension RawSpan {
    /// Whether the bytes are surely one flat BSON document of strings in ASCII, numbers of 32 and 64
    /// bits, Booleans and nothing else; `false` for what only `BSONDocument` can tell.
    ///
    /// Nearly all control frames have such a document; none is made of it.
    public var isPlainBSON: Bool {
        let count = byteCount
        guard count >= 5, length(at: 0) == count, byte(at: count - 1) == 0 else { return false }
        var place = 4
        while place < count - 1 {
            let type = byte(at: place)
            guard let value = behindName(place + 1) else { return false }
            switch type {
            case 0x02:
                guard value + 4 <= count else { return false }
                let length = length(at: value)
                let end = value + 4 + length
                guard length >= 1, end <= count - 1, byte(at: end - 1) == 0,
                    isText(value + 4..<end - 1)
                else { return false }
                place = end
            case 0x08: place = value + 1
            case 0x10: place = value + 4
            case 0x12: place = value + 8
            default: return false
            }
        }
        return place == count - 1
    }

    /// Where the value begins behind a name in ASCII; `nil` if the bytes end before.
    private func behindName(_ start: Int) -> Int? {
        var place = start
        while place < byteCount - 1 {
            let next = byte(at: place)
            if next == 0 { return place + 1 }
            guard next < 0x80 else { return nil }
            place += 1
        }
        return nil
    }

    private func isText(_ range: Range<Int>) -> Bool {
        for place in range where byte(at: place) == 0 || byte(at: place) >= 0x80 { return false }
        return true
    }

    private func byte(at place: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: place, as: UInt8.self)
    }

    private func length(at place: Int) -> Int {
        Int(Int32(littleEndian: unsafeLoadUnaligned(fromByteOffset: place, as: Int32.self)))
    }
}
