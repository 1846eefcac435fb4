/// Splits a stream of bytes into lines.
struct LineSplitter {
    /// The length in bytes at which a longer line is cut.
    static let longestLine = 64 << 10

    private var rest: [UInt8] = []

    /// Adds the next bytes and returns the lines that they complete, without line ends.
    mutating func consume(_ bytes: [UInt8]) -> [String] {
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

    /// Returns the last line if it has no line end, when no more bytes come.
    mutating func finish() -> String? { rest.isEmpty ? nil : flush() }

    private mutating func flush() -> String {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        defer { rest.removeAll(keepingCapacity: true) }
        return String(decoding: rest, as: UTF8.self)
    }
}
