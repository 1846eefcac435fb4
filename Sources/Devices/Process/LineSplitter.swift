/// Cuts a stream of bytes into lines.
struct LineSplitter {
    /// A line longer than this is cut, in bytes.
    static let longestLine = 64 << 10

    private var rest: [UInt8] = []

    /// Takes the next bytes and returns the lines that they complete, without their ends.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(flush())
            } else {
                rest.append(byte)
                if rest.count == Self.longestLine { lines.append(flush()) }
            }
        }
        return lines
    }

    /// The last line, if it has no end; nothing comes after it.
    mutating func finish() -> String? { rest.isEmpty ? nil : flush() }

    private mutating func flush() -> String {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        defer { rest.removeAll(keepingCapacity: true) }
        return String(decoding: rest, as: UTF8.self)
    }
}
