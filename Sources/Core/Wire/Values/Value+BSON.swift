import CBSON

extension Value {
    /// Reads one BSON document that must fill `bytes` exactly; throws the errors of `BSONDocument`.
    public init(bson: RawSpan) throws(DecodeError) {
        self = try BSONDocument(bson).value
    }

    /// This object as a BSON document.
    ///
    /// Anything but an object gives the empty document. Integers are written as int32 if they fit.
    public var bson: [UInt8] { bson(integerTypes: [:]) }

    /// Returns this object as a BSON document, with given integer widths at the top level.
    ///
    /// - Parameter integerTypes: `int32` or `int64` by member name. Other members are written as
    ///   int32 if the number fits. A number that does not fit int32 is written as int64 in any
    ///   case.
    public func bson(integerTypes: [String: BSONDocument.ElementType]) -> [UInt8] {
        let writer = BSONWriter()
        for member in objectValue ?? [] {
            let isWide = integerTypes[member.name] == .int64
            writer.append(member.value, under: member.name, isWide: isWide, depth: 1)
        }
        return writer.bytes
    }
}

/// A libbson document under construction.
private final class BSONWriter {
    private let document: OpaquePointer? = bson_new()

    deinit {
        bson_destroy(document)
    }

    /// The document so far.
    var bytes: [UInt8] {
        guard let document, let start = bson_get_data(document) else { return [] }
        // The length of a document is its first four bytes, least significant first.
        let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return [UInt8](UnsafeBufferPointer(start: start, count: Int(UInt32(littleEndian: length))))
    }

    /// Appends one element; what nests deeper than the reader accepts is written as null.
    func append(_ value: Value, under key: String, isWide: Bool, depth: Int) {
        switch value {
        case .null:
            bson_append_null(document, key, -1)
        case .bool(let flag):
            bson_append_bool(document, key, -1, flag)
        case .integer(let number):
            if !isWide, let narrow = Int32(exactly: number) {
                bson_append_int32(document, key, -1, narrow)
            } else {
                bson_append_int64(document, key, -1, number)
            }
        case .double(let number):
            bson_append_double(document, key, -1, number)
        case .string(let text):
            bson_append_utf8(document, key, -1, text, Int32(text.utf8.count))
        case .bytes(let bytes):
            bson_append_binary(
                document, key, -1, BSON_SUBTYPE_BINARY, bytes, UInt32(bytes.count))
        case .array(let elements):
            let items = elements.enumerated().map { Value.Member(String($0.offset), $0.element) }
            appendNested(items, under: key, depth: depth, using: bson_append_array)
        case .object(let members):
            appendNested(members, under: key, depth: depth, using: bson_append_document)
        }
    }

    private func appendNested(
        _ members: [Value.Member], under key: String, depth: Int,
        using append: (OpaquePointer?, UnsafePointer<CChar>?, Int32, OpaquePointer?) -> Bool
    ) {
        guard depth < BSONDocument.maximumDepth else {
            bson_append_null(document, key, -1)
            return
        }
        let nested = BSONWriter()
        for member in members {
            nested.append(member.value, under: member.name, isWide: false, depth: depth + 1)
        }
        _ = append(document, key, -1, nested.document)
    }
}
