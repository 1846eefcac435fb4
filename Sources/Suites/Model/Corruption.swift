import Wire

/// What is done to the bytes of a message before they go out; in this order, if there are several.
public struct Corruption: Sendable, Hashable {
    /// A number that is put into a field of the first frame's header, and nothing else follows it.
    public struct HeaderValue: Sendable, Hashable {
        /// The field.
        public var field: FrameField
        /// The number.
        public var number: Int64
    }

    /// Bytes that are put over others.
    public struct Overwriting: Sendable, Hashable {
        /// The place of the first, counted from 0, or from the end if it is negative.
        public var offset: Int
        /// The bytes.
        public var bytes: [UInt8]
    }

    /// Numbers put into the header.
    public var header: [HeaderValue] = []
    /// Bytes put over others.
    public var overwritings: [Overwriting] = []
    /// How many bytes are left, or, if it is negative, how many are left out at the end.
    public var truncation: Int?
    /// Bytes put behind the others.
    public var appended: [UInt8] = []

    /// The bytes with all of that done to them; `nil` if the message is too short for it, or
    /// nothing would be left.
    public func applied(to message: [UInt8]) -> [UInt8]? {
        var bytes = message
        for value in header where !value.field.write(value.number, into: &bytes) { return nil }
        for piece in overwritings {
            let start = piece.offset < 0 ? bytes.count + piece.offset : piece.offset
            guard start >= 0, start + piece.bytes.count <= bytes.count else { return nil }
            bytes.replaceSubrange(start..<start + piece.bytes.count, with: piece.bytes)
        }
        if let truncation {
            let length = truncation < 0 ? bytes.count + truncation : truncation
            guard (0...bytes.count).contains(length) else { return nil }
            bytes.removeSubrange(length...)
        }
        bytes += appended
        return bytes.isEmpty ? nil : bytes
    }
}
