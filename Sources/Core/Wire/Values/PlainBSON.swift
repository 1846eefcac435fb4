extension RawSpan {
    /// Whether the bytes are certainly a flat BSON document of simple elements.
    ///
    /// These are strings in ASCII, numbers of 32 and 64 bits, and Booleans. It is `false` if only
    /// `BSONDocument` can decide. Nearly all control frames have such a document; no `BSONDocument`
    /// is created for it.
    public var isPlainBSON: Bool { walksPlainBSON { _, _, _ in } }

    /// Returns the integer of a member of a plain BSON document; `nil` if it has no such number.
    ///
    /// If several members have the same name, the first one counts, as in `Value`. The bytes must
    /// be a plain document.
    public func plainBSONInteger(_ name: StaticString) -> Int64? {
        var found: Int64?
        var isMet = false
        _ = walksPlainBSON { type, nameRange, value in
            guard !isMet, isName(nameRange, name) else { return }
            isMet = true
            switch type {
            case 0x10: found = Int64(length(at: value))
            case 0x12:
                found = Int64(
                    littleEndian: unsafeLoadUnaligned(fromByteOffset: value, as: Int64.self))
            default: break
            }
        }
        return found
    }

    /// Visits the members of a plain document, and returns whether the bytes are one.
    ///
    /// Each visit gets the member's type, the range of its name and the offset of its value. The
    /// visits end where the document is not plain.
    @inline(__always)
    private func walksPlainBSON(_ visit: (UInt8, Range<Int>, Int) -> Void) -> Bool {
        let count = byteCount
        guard count >= 5, length(at: 0) == count, byte(at: count - 1) == 0 else { return false }
        var place = 4
        while place < count - 1 {
            let type = byte(at: place)
            let name = place + 1
            guard let value = behindName(name) else { return false }
            switch type {
            case 0x02:
                guard value + 4 <= count else { return false }
                let length = length(at: value)
                let end = value + 4 + length
                guard length >= 1, end <= count - 1, byte(at: end - 1) == 0,
                    isText(value + 4..<end - 1)
                else { return false }
                place = end
            case 0x08:
                guard byte(at: value) <= 1 else { return false }
                place = value + 1
            case 0x10: place = value + 4
            case 0x12: place = value + 8
            default: return false
            }
            guard place <= count - 1 else { return false }
            visit(type, name..<value - 1, value)
        }
        return place == count - 1
    }

    /// Returns the offset of the value after a name in ASCII.
    ///
    /// The result is `nil` if the name is not ASCII or not ended.
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

    private func isName(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { expected in
            range.allSatisfy { byte(at: $0) == expected[$0 - range.lowerBound] }
        }
    }

    private func byte(at place: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: place, as: UInt8.self)
    }

    private func length(at place: Int) -> Int {
        Int(Int32(littleEndian: unsafeLoadUnaligned(fromByteOffset: place, as: Int32.self)))
    }
}
