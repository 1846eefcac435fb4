import CWire

/// Limits of the JSON reader.
public enum JSONLimits {
    /// The maximum depth of nested arrays and objects.
    ///
    /// No message of the supported protocols nests more than ten levels, and values of this depth
    /// can still be released on a small stack.
    public static let maximumDepth = 128
}

extension Value {
    /// Parses one JSON document (RFC 8259, UTF-8), keeping the order and duplicates of members.
    ///
    /// Integers that fit 64 signed bits become `integer`; larger ones up to 64 unsigned bits become
    /// `double`. Throws `badText` at the first fault of text that is not JSON, and `limit` if the
    /// nesting is too deep.
    public init(json: RawSpan) throws(DecodeError) {
        self = try Self.parse(json).value
    }

    /// Parses one JSON document as `init(json:)` does, but whatever RFC 8259 allows.
    ///
    /// A number that neither 64 signed bits nor a `double` holds becomes the text of its digits, and
    /// half a surrogate pair in a string becomes the text of its escape.
    public init(anyJSON json: RawSpan) throws(DecodeError) {
        do throws(DecodeError) {
            let (value, isExact) = try Self.parse(json)
            self = value
            if isExact { return }
        } catch  where error.code == .limit {
            throw error
        } catch {}
        let reader = JSONFault(in: json, isAnyAccepted: true)
        guard reader.offset == nil else { throw DecodeError(reader, "not JSON") }
        self = try Self.parse(reader.held.span.bytes).value
    }

    /// Parses one JSON document; also returns whether no integer has become a `double`.
    private static func parse(
        _ json: RawSpan
    ) throws(DecodeError) -> (value: Value, isExact: Bool) {
        var builder = JSONBuilder()
        let code = builder.build { context in
            json.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                    return cjson_parse("", 0, context, visit)
                }
                return cjson_parse(start, bytes.count, context, visit)
            }
        }
        guard code == 0 else {
            throw DecodeError(notJSON: json, code)
        }
        guard let document = builder.document else {
            throw DecodeError(
                .limit, in: "json", at: 0,
                "nested deeper than JSONLimits.maximumDepth (\(JSONLimits.maximumDepth))")
        }
        return (document, builder.isExact)
    }

    /// Returns the part of a JSON document at a pointer, without creating a value of the rest.
    ///
    /// The result is what `Value(json:)` followed by the path would give, and `nil` if there is no
    /// such part. Throws as `Value(json:)` does.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - pointer: The position of the part.
    static func part(of json: RawSpan, at pointer: JSONPointer) throws(DecodeError) -> Value? {
        try part(of: json, at: pointer, cjson_parse_at)
    }

    /// Returns the part at a pointer, for a document that `RawSpan.isJSONObject` has accepted.
    ///
    /// The result is as for `part(of:at:)`; `nil` if there is no such part.
    package static func member(of json: RawSpan, at pointer: JSONPointer) -> Value? {
        do throws(DecodeError) {
            return try part(of: json, at: pointer, cjson_parse_in_object)
        } catch {
            return nil
        }
    }

    @inline(__always)
    private static func part(
        of json: RawSpan, at pointer: JSONPointer, _ parse: PartParser
    ) throws(DecodeError) -> Value? {
        var builder = JSONBuilder()
        let code = builder.build { context in
            json.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                    return cjson_parse("", 0, context, visit)
                }
                return pointer.text.withUnsafeBufferPointer {
                    parse(start, bytes.count, $0.baseAddress, $0.count, context, visit)
                }
            }
        }
        guard code == 0 else {
            throw DecodeError(notJSON: json, code)
        }
        return builder.document
    }

    /// The signature of `cjson_parse_at`.
    private typealias PartParser = (
        UnsafePointer<UInt8>?, Int, UnsafePointer<CChar>?, Int, UnsafeMutableRawPointer?,
        (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<cjson_event>?) -> Int32)?
    ) -> Int32

    /// Returns the part of a JSON object at a path of names.
    package static func member(of json: RawSpan, at names: [String]) -> Value? {
        member(of: json, at: JSONPointer(names))
    }

    /// Parses one JSON document from text.
    public init(json text: String) throws(DecodeError) {
        let bytes = [UInt8](text.utf8)
        try self.init(json: bytes.span.bytes)
    }
}

extension DecodeError {
    /// Creates the error for a code of the parser, at the text's first fault.
    fileprivate init(notJSON json: RawSpan, _ code: Int32) {
        self.init(JSONFault(in: json), String(cString: cjson_error_text(code)))
    }

    fileprivate init(_ fault: JSONFault, _ detail: String) {
        self.init(fault.isTooDeep ? .limit : .badText, in: "json", at: fault.offset ?? 0, detail)
    }
}

extension RawSpan {
    /// Whether the bytes are certainly one JSON object (RFC 8259).
    ///
    /// It is `false` if only `Value(json:)` can decide. All of the text is parsed, but no value is
    /// created.
    public var isJSONObject: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return false
            }
            return cjson_is_object(start, bytes.count) != 0
        }
    }
}

/// The position of a part of a JSON document, by the names of members (RFC 6901).
package struct JSONPointer: Sendable {
    /// The pointer in the parser's syntax.
    fileprivate let text: [CChar]

    /// Creates a pointer from names, the outermost first; none of them may be a number.
    package init(_ names: [String]) {
        var text: [CChar] = []
        func append(_ character: Character) {
            text += character.utf8.map(CChar.init(bitPattern:))
        }
        for name in names {
            append("/")
            for character in name {
                switch character {
                case "~": "~0".forEach(append)
                case "/": "~1".forEach(append)
                default: append(character)
                }
            }
        }
        self.text = text
    }
}

/// Passes an event of the parser to the builder; returns 0 to stop the parser.
private func visit(
    context: UnsafeMutableRawPointer?, event: UnsafePointer<cjson_event>?
) -> Int32 {
    guard let context, let event else { return 0 }
    return context.assumingMemoryBound(to: JSONBuilder.self).pointee.consume(event.pointee) ? 1 : 0
}

/// Builds a value from the parser's events.
private struct JSONBuilder {
    /// An array or object that is still open, and where its elements start among the values.
    private struct Open {
        let isObject: Bool
        let start: Int
    }

    private var open: [Open] = []
    /// Finished values whose array or object is still open.
    private var values: [Value] = []
    /// The member names of the open objects.
    private var names: [String] = []

    /// Whether no integer has become a `double`.
    private(set) var isExact = true
    /// The finished document; `nil` if there is none, or the parser was stopped.
    private(set) var document: Value?

    /// Passes itself to the parser, as the context of its events.
    mutating func build(_ parse: (UnsafeMutableRawPointer) -> Int32) -> Int32 {
        withUnsafeMutablePointer(to: &self) { parse(UnsafeMutableRawPointer($0)) }
    }

    /// Handles one event; returns `false` if a limit is exceeded.
    mutating func consume(_ event: cjson_event) -> Bool {
        if let scalar = Self.scalar(event) {
            if event.kind == CJSON_UINT64 { isExact = false }
            finish(scalar)
            return true
        }
        switch event.kind {
        case CJSON_KEY: names.append(Self.text(of: event))
        case CJSON_BEGIN_ARRAY: return begin(isObject: false)
        case CJSON_BEGIN_OBJECT: return begin(isObject: true)
        default: end()
        }
        return true
    }

    /// Returns the value of an event; `nil` for one that belongs to an array or object.
    static func scalar(_ event: cjson_event) -> Value? {
        switch event.kind {
        case CJSON_NULL: .null
        case CJSON_TRUE: .bool(true)
        case CJSON_FALSE: .bool(false)
        case CJSON_INT64: .integer(event.integer)
        case CJSON_UINT64: .double(Double(event.unsigned_integer))
        case CJSON_DOUBLE: .double(event.number)
        case CJSON_STRING: .string(text(of: event))
        default: nil
        }
    }

    private static func text(of event: cjson_event) -> String {
        guard let start = event.text else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: event.length)
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func finish(_ value: Value) {
        if open.isEmpty {
            document = value
        } else {
            values.append(value)
        }
    }

    private mutating func begin(isObject: Bool) -> Bool {
        guard open.count < JSONLimits.maximumDepth else { return false }
        open.append(Open(isObject: isObject, start: values.count))
        return true
    }

    private mutating func end() {
        guard let container = open.popLast() else { return }
        let elements = Array(values[container.start...])
        values.removeSubrange(container.start...)
        if container.isObject {
            let members = zip(names.suffix(elements.count), elements).map(Value.Member.init)
            names.removeLast(elements.count)
            finish(.object(members))
        } else {
            finish(.array(elements))
        }
    }
}
