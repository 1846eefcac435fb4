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

    /// Bytes that others of the same number replace wherever they are.
    public struct Replacement: Sendable, Hashable {
        /// The bytes that are looked for; at least one.
        public var bytes: [UInt8]
        /// The bytes that are put in their place.
        public var replacement: [UInt8]
    }

    /// The numbers for header fields.
    public var header: [HeaderValue] = []
    /// The bytes that replace others.
    public var overwritings: [Overwriting] = []
    /// The replacements of bytes, each of which the message must contain.
    public var replacements: [Replacement] = []
    /// The number of bytes that are kept, or, if it is negative, the number of bytes that are cut
    /// off at the end.
    public var truncation: Int?
    /// The bytes that are appended.
    public var appended: [UInt8] = []
    /// The offset at which the message, as changed so far, is put in once more.
    ///
    /// It is counted from the end if it is negative; with 0 the message is sent twice.
    public var repetition: Int?

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
        for piece in replacements where !piece.replaceAll(in: &bytes) { return nil }
        if let truncation {
            let length = truncation < 0 ? bytes.count + truncation : truncation
            guard (0...bytes.count).contains(length) else { return nil }
            bytes.removeSubrange(length...)
        }
        bytes += appended
        if let repetition {
            let start = repetition < 0 ? bytes.count + repetition : repetition
            guard (0...bytes.count).contains(start) else { return nil }
            bytes.insert(contentsOf: bytes, at: start)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

extension Corruption.Replacement {
    /// Replaces the bytes wherever they are; returns whether they are anywhere.
    fileprivate func replaceAll(in message: inout [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count == replacement.count else { return false }
        var (found, start) = (false, 0)
        while start + bytes.count <= message.count {
            let place = start..<start + bytes.count
            guard message[place].elementsEqual(bytes) else {
                start += 1
                continue
            }
            message.replaceSubrange(place, with: replacement)
            (found, start) = (true, place.upperBound)
        }
        return found
    }
}

extension Step {
    /// What it changes in the bytes of its message; `nil` if it sends them as they are.
    public var changes: Corruption? { corruption.flatMap { $0.isEmpty ? nil : $0 } }
}
