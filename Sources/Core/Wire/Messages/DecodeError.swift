/// Bytes that do not decode: what, where, and what was needed.
public struct DecodeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Sendable, Hashable {
        /// The bytes end before the unit does.
        case truncated
        /// A length, count or offset contradicts its surroundings.
        case badLength
        /// A field holds a value that the specification does not define.
        case badValue
        /// A checksum does not match.
        case badChecksum
        /// Text is not valid in its encoding.
        case badText
        /// One of the harness's own limits was reached; the text names it.
        case limit
    }

    /// The kind of fault.
    public let code: Code
    /// The unit and field that was being read, outermost first: `sdl.first_frame.total_size`.
    public let unit: String
    /// Offset of the fault in bytes from the start of the unit that was given to the decoder.
    public var offset: Int
    /// What was needed and what was available, as a phrase.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, in unit: String, at offset: Int, _ detail: String) {
        self.code = code
        self.unit = unit
        self.offset = offset
        self.detail = detail
    }

    /// `unit at byte N: detail`.
    public var description: String { "\(unit) at byte \(offset): \(detail)" }
}
