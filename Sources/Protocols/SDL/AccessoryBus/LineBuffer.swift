import ExternalAccessory

/// Splits bytes into lines that end with a line feed.
struct LineBuffer: Sendable {
    /// The error message for a line that is longer than the bus allows.
    static let tooLong =
        "a line is longer than \(ExternalAccessory.Limits.lineBytesMax) bytes"

    /// The bytes after the last line that was returned.
    private(set) var rest: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { rest += bytes }

    /// Returns the next whole line without its line feed, and removes it.
    ///
    /// Returns `nil` if there is none, or if it is longer than the bus allows.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end < Self.longest else {
            return nil
        }
        let line = rest[..<end]
        rest.removeSubrange(...end)
        return line
    }

    /// Whether the remaining bytes already exceed the longest line that the bus allows.
    var isTooLong: Bool {
        rest.count >= Self.longest
            && !rest.prefix(Self.longest).contains(UInt8(ascii: "\n"))
    }

    private static let longest = ExternalAccessory.Limits.lineBytesMax
}
