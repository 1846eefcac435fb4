/// A value that a description has read or computed.
public enum KaitaiValue: Sendable, Hashable {
    /// A field that is not there: its `if` is false, or no case of its switch fits.
    case none
    case bool(Bool)
    /// Any integer of the language; `u8` and `s8` results both fit.
    case integer(Int128)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    case array([KaitaiValue])
    /// A value of an enumeration, by its number; the number need not have a name.
    case enumerator(Int128, of: EnumerationID)
    /// An object of the reading that made it.
    case object(ObjectID)
    /// A stream of the reading that made it.
    case stream(StreamID)
}

/// Index of an enumeration in its description.
public struct EnumerationID: Sendable, Hashable {
    let index: Int
}

/// Index of an object in its reading.
public struct ObjectID: Sendable, Hashable {
    let index: Int
}

/// Index of a stream in its reading.
public struct StreamID: Sendable, Hashable {
    let index: Int
}

extension KaitaiValue {
    /// What it is, in words with an article.
    var kindInWords: String {
        switch self {
        case .none: "nothing"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .float: "a number"
        case .string: "text"
        case .bytes: "bytes"
        case .array: "an array"
        case .enumerator: "a value of an enumeration"
        case .object: "an object"
        case .stream: "a stream"
        }
    }
}
