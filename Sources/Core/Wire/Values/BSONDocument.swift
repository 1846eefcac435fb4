import CBSON

/// A BSON document (bsonspec.org 1.1) with the element types that it had on the wire.
///
/// `Value` does not distinguish int32 from int64, but the SDL specification does. So the types of
/// the top level are kept alongside the values.
public struct BSONDocument: Sendable, Hashable {
    /// The maximum depth of nested documents and arrays.
    ///
    /// Control frames nest two levels, and libbson's own validation recurses without a limit.
    public static let maximumDepth = 32

    /// The type of an element, by its code on the wire.
    public enum ElementType: UInt8, Sendable, Hashable {
        case double = 0x01
        case string = 0x02
        case document = 0x03
        case array = 0x04
        case binary = 0x05
        case boolean = 0x08
        case null = 0x0A
        case int32 = 0x10
        case int64 = 0x12
    }

    /// The members in wire order, duplicates included.
    public let value: Value
    /// The element type of each member of `value`, in the same order.
    public let types: [ElementType]

    /// Reads one document that must fill `bytes` exactly.
    ///
    /// Throws `badLength` if lengths disagree, `badText` for a string that is not UTF-8, `badValue`
    /// for an element type that has no `ElementType`, and `limit` beyond `maximumDepth`.
    public init(_ bytes: RawSpan) throws(DecodeError) {
        let copy = [UInt8](copying: bytes)
        guard let document = bson_new_from_data(copy, copy.count) else {
            throw DecodeError(
                .badLength, in: "bson", at: 0,
                "the document's length and end do not fit its \(copy.count) byte(s)")
        }
        defer { bson_destroy(document) }
        var walk = BSONWalk()
        let cursor = BSONCursor()
        guard bson_iter_init(cursor.iterator, document) else {
            throw DecodeError(.badLength, in: "bson", at: 0, "not a document")
        }
        // The traversal comes first: it limits the depth to which validation then recurses.
        let members = walk.members(at: cursor, depth: 1)
        if let failure = walk.failure { throw failure }
        var fault = 0
        guard bson_validate(document, BSON_VALIDATE_NONE, &fault) else {
            throw DecodeError(
                .badLength, in: "bson", at: fault, "an element does not fit the document")
        }
        value = .object(members.map(\.member))
        types = members.map(\.type)
    }
}

/// Memory of one libbson iterator.
private final class BSONCursor {
    /// The alignment that libbson gives its iterator.
    private static let alignment = 128
    private let memory = UnsafeMutableRawPointer.allocate(
        byteCount: cbson_iter_size(), alignment: alignment)

    var iterator: OpaquePointer { OpaquePointer(memory) }

    deinit {
        memory.deallocate()
    }
}

/// Collects the elements of a document; libbson's iterator checks each length against the bytes.
private struct BSONWalk {
    typealias Element = (member: Value.Member, type: BSONDocument.ElementType)

    private(set) var failure: DecodeError?

    mutating func members(at cursor: BSONCursor, depth: Int) -> [Element] {
        var elements: [Element] = []
        while failure == nil, bson_iter_next(cursor.iterator) {
            guard let element = element(at: cursor, depth: depth) else { break }
            elements.append(element)
        }
        return elements
    }

    private mutating func element(at cursor: BSONCursor, depth: Int) -> Element? {
        let iterator = cursor.iterator
        guard let name = String(validatingCString: bson_iter_key(iterator)) else {
            fail(.badText, iterator, "a name is not UTF-8")
            return nil
        }
        let code = bson_iter_type(iterator).rawValue
        guard let type = BSONDocument.ElementType(rawValue: UInt8(truncatingIfNeeded: code)) else {
            fail(.badValue, iterator, "element type \(code) of '\(name)' is not used by SDL")
            return nil
        }
        return (Value.Member(name, value(of: type, at: cursor, depth: depth)), type)
    }

    private mutating func value(
        of type: BSONDocument.ElementType, at cursor: BSONCursor, depth: Int
    ) -> Value {
        let iterator = cursor.iterator
        switch type {
        case .double: return .double(bson_iter_double(iterator))
        case .boolean: return .bool(bson_iter_bool(iterator))
        case .null: return .null
        case .int32: return .integer(Int64(bson_iter_int32(iterator)))
        case .int64: return .integer(bson_iter_int64(iterator))
        case .string: return .string(text(at: iterator))
        case .binary: return .bytes(binary(at: iterator))
        case .document: return .object(nested(in: cursor, depth: depth).map(\.member))
        case .array: return .array(nested(in: cursor, depth: depth).map(\.member.value))
        }
    }

    private mutating func nested(in cursor: BSONCursor, depth: Int) -> [Element] {
        guard depth < BSONDocument.maximumDepth else {
            fail(.limit, cursor.iterator, "nested deeper than BSONDocument.maximumDepth")
            return []
        }
        let child = BSONCursor()
        guard bson_iter_recurse(cursor.iterator, child.iterator) else {
            fail(.badLength, cursor.iterator, "a nested document does not fit")
            return []
        }
        return members(at: child, depth: depth + 1)
    }

    private mutating func text(at iterator: OpaquePointer) -> String {
        var length: UInt32 = 0
        guard let start = bson_iter_utf8(iterator, &length) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            fail(.badText, iterator, "a string is not UTF-8")
            return ""
        }
        return text
    }

    private func binary(at iterator: OpaquePointer) -> [UInt8] {
        var length: UInt32 = 0
        var start: UnsafePointer<UInt8>?
        bson_iter_binary(iterator, nil, &length, &start)
        return [UInt8](UnsafeBufferPointer(start: start, count: Int(length)))
    }

    private mutating func fail(
        _ code: DecodeError.Code, _ iterator: OpaquePointer, _ detail: String
    ) {
        guard failure == nil else { return }
        failure = DecodeError(code, in: "bson", at: Int(bson_iter_offset(iterator)), detail)
    }
}
