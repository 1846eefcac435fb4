import CSimdJSON

/// Limits of the JSON reader.
public enum JSONLimits {
    /// How deep arrays and objects may nest; no message of the known protocols nests more than
    /// ten levels, and values of this depth can still be released on a small stack.
    public static let maximumDepth = 128
}

extension Value {
    /// Parses one JSON document (RFC 8259, UTF-8), keeping the order and duplicates of members.
    ///
    /// Integers that fit 64 signed bits become `integer`; larger ones up to 64 unsigned bits become
    /// `double`. Throws `badText` for text that is not JSON and `limit` for too deep a nesting.
    public init(json: RawSpan) throws(DecodeError) {
        let builder = JSONBuilder()
        let context = Unmanaged.passUnretained(builder).toOpaque()
        let code = json.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return cjson_parse("", 0, context, visit)
            }
            return withExtendedLifetime(builder) {
                cjson_parse(start, bytes.count, context, visit)
            }
        }
        guard code == 0 else {
            throw DecodeError(.badText, in: "json", at: 0, String(cString: cjson_error_text(code)))
        }
        guard let document = builder.document else {
            throw DecodeError(
                .limit, in: "json", at: 0,
                "nested deeper than JSONLimits.maximumDepth (\(JSONLimits.maximumDepth))")
        }
        self = document
    }

    /// The part of a JSON document that member names lead to, without making a value of the rest;
    /// `nil` if there is none.
    ///
    /// It is what `Value(json:)` and then the path would give. Throws as `Value(json:)` does.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - names: The names from the outermost on, none of them a number.
    static func part(of json: RawSpan, at names: [String]) throws(DecodeError) -> Value? {
        var pointer = ""
        for name in names {
            pointer += "/"
            for character in name {
                switch character {
                case "~": pointer += "~0"
                case "/": pointer += "~1"
                default: pointer.append(character)
                }
            }
        }
        let builder = JSONBuilder()
        let context = Unmanaged.passUnretained(builder).toOpaque()
        let code = json.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return cjson_parse("", 0, context, visit)
            }
            return withExtendedLifetime(builder) {
                pointer.withCString {
                    cjson_parse_at(start, bytes.count, $0, pointer.utf8.count, context, visit)
                }
            }
        }
        guard code == 0 else {
            throw DecodeError(.badText, in: "json", at: 0, String(cString: cjson_error_text(code)))
        }
        return builder.document
    }

    /// The part of a JSON object that names lead to, as `part(of:at:)` finds it; `nil` if there is none
    /// or the bytes are no JSON.
    static func member(of json: RawSpan, at names: [String]) -> Value? {
        do throws(DecodeError) {
            return try part(of: json, at: names)
        } catch {
            return nil
        }
    }

    /// Parses one JSON document from text.
    public init(json text: String) throws(DecodeError) {
        let bytes = [UInt8](text.utf8)
        try self.init(json: bytes.span.bytes)
    }
}

extension RawSpan {
    /// Whether the bytes are surely one JSON object (RFC 8259).
    ///
    /// `false` for what only `Value(json:)` can tell. All of it is parsed, nothing is made of it.
    public var isJSONObject: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return false
            }
            return cjson_is_object(start, bytes.count) != 0
        }
    }
}

/// Hands a step of the parser to the builder; 0 stops the walk.
private func visit(
    context: UnsafeMutableRawPointer?, event: UnsafePointer<cjson_event>?
) -> Int32 {
    guard let context, let event else { return 0 }
    let builder = Unmanaged<JSONBuilder>.fromOpaque(context).takeUnretainedValue()
    return builder.take(event.pointee) ? 1 : 0
}

/// Builds a value from the steps of a document.
private final class JSONBuilder {
    /// An array or object that is still open: where its elements start among the values.
    private struct Open {
        let isObject: Bool
        let start: Int
    }

    private var open: [Open] = []
    /// Finished values whose array or object is still open, and at the end the document.
    private var values: [Value] = []
    /// The member names of the open objects.
    private var names: [String] = []

    /// The finished document; `nil` if the walk was stopped.
    var document: Value? { open.isEmpty ? values.first : nil }

    /// Takes one step; `false` if a limit is exceeded.
    func take(_ event: cjson_event) -> Bool {
        switch event.kind {
        case CJSON_NULL: values.append(.null)
        case CJSON_TRUE: values.append(.bool(true))
        case CJSON_FALSE: values.append(.bool(false))
        case CJSON_INT64: values.append(.integer(event.integer))
        case CJSON_UINT64: values.append(.double(Double(event.unsigned_integer)))
        case CJSON_DOUBLE: values.append(.double(event.number))
        case CJSON_STRING: values.append(.string(text(of: event)))
        case CJSON_KEY: names.append(text(of: event))
        case CJSON_BEGIN_ARRAY: return begin(isObject: false)
        case CJSON_BEGIN_OBJECT: return begin(isObject: true)
        default: end()
        }
        return true
    }

    private func text(of event: cjson_event) -> String {
        guard let start = event.text else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: event.length)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func begin(isObject: Bool) -> Bool {
        guard open.count < JSONLimits.maximumDepth else { return false }
        open.append(Open(isObject: isObject, start: values.count))
        return true
    }

    private func end() {
        guard let container = open.popLast() else { return }
        let elements = Array(values[container.start...])
        values.removeSubrange(container.start...)
        if container.isObject {
            let members = zip(names.suffix(elements.count), elements).map(Value.Member.init)
            names.removeLast(elements.count)
            values.append(.object(members))
        } else {
            values.append(.array(elements))
        }
    }
}
