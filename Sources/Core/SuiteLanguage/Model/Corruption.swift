import Wire

/// Changes to the bytes of a message before it is sent; several changes are made in this order.
public struct Corruption: Sendable, Hashable {
    /// A number for a field of the first frame's header; no other field is adapted to it.
    public struct HeaderValue: Sendable, Hashable {
        /// The field.
        public var field: FrameField
        /// The number.
        public var number: Int64
    }

    /// Bytes that replace others.
    public struct Overwriting: Sendable, Hashable {
        /// The offset of the first byte, counted from 0, or from the end if it is negative.
        public var offset: Int
        /// The bytes.
        public var bytes: [UInt8]
    }

    /// The numbers for header fields.
    public var header: [HeaderValue] = []
    /// The bytes that replace others.
    public var overwritings: [Overwriting] = []
    /// The number of bytes that are kept, or, if it is negative, the number of bytes that are cut
    /// off at the end.
    public var truncation: Int?
    /// The bytes that are appended.
    public var appended: [UInt8] = []

    /// Whether it changes no byte: the message is shown by its bytes alone.
    public var isEmpty: Bool { self == Corruption() }

    /// Returns the changed bytes; `nil` if the message is too short for the changes, or if nothing
    /// would be left.
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

extension Step {
    /// What it changes in the bytes of its message; `nil` if it sends them as they are.
    public var changes: Corruption? { corruption.flatMap { $0.isEmpty ? nil : $0 } }
}
