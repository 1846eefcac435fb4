/// Bytes that do not decode: what, where, and what was needed.
public struct DecodeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Code: String, Sendable, Hashable {
        /// The bytes end before the unit does.
        case truncated
        /// A length, count or offset contradicts what surrounds it.
        case badLength
        /// A field holds a value that the specification does not define.
        case badValue
        /// A checksum does not agree.
        case badChecksum
        /// Text is not valid in its encoding.
        case badText
        /// A limit of ours was reached; the limit is named in the text.
        case limit
    }

    /// What kind of fault it is.
    public let code: Code
    /// The unit and field that was being read, outermost first: `sdl.first_frame.total_size`.
    public let unit: String
    /// Offset of the fault in bytes from the start of the unit that was given to the decoder.
    public var offset: Int
    /// What was needed and what was there, as a phrase.
    public let detail: String

    /// Makes an error.
    public init(_ code: Code, in unit: String, at offset: Int, _ detail: String) {
        self.code = code
        self.unit = unit
        self.offset = offset
        self.detail = detail
    }

    /// `unit at byte N: detail`.
    public var description: String { "\(unit) at byte \(offset): \(detail)" }
}
