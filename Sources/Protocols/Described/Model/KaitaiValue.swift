/// A value that a description has read or computed.
public enum KaitaiValue: Sendable, Hashable {
    /// The value of an absent field: its `if` is false, or no case of its switch fits.
    case none
    case bool(Bool)
    /// An integer of the language; both `u8` and `s8` results fit.
    case integer(Int128)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    case array([KaitaiValue])
    /// A value of an enumeration, as its number; the number need not have a name.
    case enumerator(Int128, of: EnumerationID)
    /// An object of the reading that created it.
    case object(ObjectID)
    /// A stream of the reading that created it.
    case stream(StreamID)
}

/// The index of an enumeration in its description.
public struct EnumerationID: Sendable, Hashable {
    let index: Int
}

/// The index of an object in its reading.
public struct ObjectID: Sendable, Hashable {
    let index: Int
}

/// The index of a stream in its reading.
public struct StreamID: Sendable, Hashable {
    let index: Int
}

extension KaitaiValue {
    /// The kind of the value in words, with an article.
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

extension KaitaiValue {
    /// Returns numbers of 32 bits as the shortest decimals that have these bits.
    ///
    /// - Parameters:
    ///   - type: The type of the field; one that another field chooses is known by its size.
    ///   - byteCount: The size of the field; `nil` if that is not known.
    func rounded(as type: FieldType, byteCount: Int?) -> KaitaiValue {
        let count: Int
        switch self {
        case .float: count = 1
        case .array(let elements): count = elements.count
        default: return self
        }
        switch type {
        case .float(width: 4, _): break
        case .choice where byteCount == 4 * count: break
        default: return self
        }
        switch self {
        case .float(let number): return .float(Double("\(Float(number))") ?? number)
        case .array(let elements):
            return .array(elements.map { $0.rounded(as: type, byteCount: 4) })
        default: return self
        }
    }
}
