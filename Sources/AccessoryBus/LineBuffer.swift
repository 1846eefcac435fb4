import ExternalAccessory

/// Cuts bytes into lines that end with a line feed.
struct LineBuffer: Sendable {
    /// What is said of a line that is longer than the bus allows.
    static let tooLong =
        "a line is longer than \(ExternalAccessory.Limits.lineBytesMax) bytes"

    /// What came after the last line that was taken.
    private(set) var rest: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { rest += bytes }

    /// Takes the next whole line, without its line feed; `nil` if there is none, or if it is longer
    /// than the bus allows.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end < Self.longest else {
            return nil
        }
        let line = rest[..<end]
        rest.removeSubrange(...end)
        return line
    }

    /// Whether what is left can never become a line.
    var isTooLong: Bool {
        rest.count >= Self.longest
            && !rest.prefix(Self.longest).contains(UInt8(ascii: "\n"))
    }

    private static let longest = ExternalAccessory.Limits.lineBytesMax
}
