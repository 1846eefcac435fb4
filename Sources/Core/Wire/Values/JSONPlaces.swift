/// The positions of the values in a JSON text, by their paths.
///
/// It reads text that a JSON parser has accepted. In any other text it stops at the first fault and
/// keeps what it has found.
package struct JSONPlaces {
    /// The maximum depth of nested values.
    private static let depthMax = 32

    private let bytes: [UInt8]
    private let base: Int
    private var index = 0
    package private(set) var places: [String: Range<Int>] = [:]

    /// Finds the values of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The JSON text.
    ///   - path: The path of the whole value.
    ///   - base: The number that is added to each position.
    package init(_ bytes: [UInt8], path: String, base: Int) {
        self.bytes = bytes
        self.base = base
        _ = takeValue(path, depth: 0)
    }

    private mutating func takeValue(_ path: String, depth: Int) -> Bool {
        skipBlanks()
        guard depth < Self.depthMax, index < bytes.count else { return false }
        let start = index
        let isWhole =
            switch bytes[index] {
            case UInt8(ascii: "{"): takeObject(path, depth: depth)
            case UInt8(ascii: "["): takeArray(path, depth: depth)
            case UInt8(ascii: "\""): takeString() != nil
            default: takeWord()
            }
        if isWhole, places[path] == nil { places[path] = base + start..<base + index }
        return isWhole
    }

    private mutating func takeObject(_ path: String, depth: Int) -> Bool {
        index += 1
        if consume(UInt8(ascii: "}")) { return true }
        repeat {
            skipBlanks()
            guard let name = takeString(), consume(UInt8(ascii: ":")),
                takeValue("\(path).\(name)", depth: depth + 1)
            else { return false }
        } while consume(UInt8(ascii: ","))
        return consume(UInt8(ascii: "}"))
    }

    private mutating func takeArray(_ path: String, depth: Int) -> Bool {
        index += 1
        if consume(UInt8(ascii: "]")) { return true }
        var count = 0
        repeat {
            guard takeValue("\(path)[\(count)]", depth: depth + 1) else { return false }
            count += 1
        } while consume(UInt8(ascii: ","))
        return consume(UInt8(ascii: "]"))
    }

    /// Consumes a string; a name with escapes is returned as written.
    private mutating func takeString() -> String? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Consumes a number, `true`, `false` or `null`.
    private mutating func takeWord() -> Bool {
        let start = index
        while index < bytes.count, Self.isWordByte(bytes[index]) { index += 1 }
        return index > start
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "E"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }
}
