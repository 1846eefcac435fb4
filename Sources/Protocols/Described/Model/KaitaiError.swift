/// The reason why bytes do not conform to a description.
public struct KaitaiError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        case endOfStream
        case notEqual
        case lessThan
        case greaterThan
        case notAnyOf
        case notInEnum
        case expression
        case undecidedEndianness
        case conversion
        case index
        case null
        case division
        case overflow
        case encoding
        case compression
        case negative
        case cycle
        case limit
        case unsupported
        case type
    }

    /// The kind of error.
    public var code: Code
    /// The error as a phrase.
    public var what: String
    /// The path of fields from the top object to the one that failed, such as `header.length`.
    public var path: [String] = []
    /// The offset in the input where the field begins, if its stream is part of the input.
    public var offset: Int?
    /// Whether more bytes at the end of the input could change the outcome.
    public var isIncomplete = false
    /// The least number of bytes that the input needs, if `isIncomplete`.
    public var bytesNeeded: Int?

    /// The error in the form `path: what`.
    public var description: String {
        path.isEmpty ? what : "\(path.joined(separator: ".")): \(what)"
    }
}
