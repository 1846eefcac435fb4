/// How a byte stream in which no protocol is looked for is cut into messages.
public enum StreamCutting: Sendable, Hashable {
    /// Each message ends with these bytes.
    case until([UInt8])
    /// Each message contains its length.
    case length(LengthField)
    /// Each message has this number of bytes.
    case fixed(Int)
    /// A message ends when nothing has arrived for this time.
    case idle(Duration)
    /// A description determines the messages.
    indirect case described(DescribedStream)

    /// The position of the length in a message.
    public struct LengthField: Sendable, Hashable {
        /// The byte order of the field.
        public enum Endian: String, Sendable, Hashable, CaseIterable {
            /// The most significant byte comes first.
            case big
            /// The least significant byte comes first.
            case little
        }

        /// The offset of the field from the first byte of the message.
        public let offset: Int
        /// The number of bytes of the field, 1 to 8.
        public let size: Int
        /// The byte order of the field.
        public let endian: Endian
        /// The amount to add to its value to get the number of bytes that follow it.
        public let plus: Int

        /// Creates a description of a length field.
        public init(offset: Int, size: Int, endian: Endian = .big, plus: Int = 0) {
            self.offset = offset
            self.size = size
            self.endian = endian
            self.plus = plus
        }

        /// The number of bytes of a message that are needed to know its length.
        var end: Int { offset + size }

        /// Returns the length of the whole message.
        ///
        /// It is `nil` if the message would end before the field does, or if the length exceeds 63
        /// bits.
        func length(of message: ArraySlice<UInt8>) -> Int? {
            let field = message.dropFirst(offset).prefix(size)
            let bytes = endian == .big ? Array(field) : field.reversed()
            let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let count = Int(exactly: value) else { return nil }
            let (rest, isTooFar) = count.addingReportingOverflow(plus)
            let (length, isTooLong) = rest.addingReportingOverflow(end)
            return isTooFar || isTooLong || length < end ? nil : length
        }
    }

    /// The maximum number of bytes of one message.
    ///
    /// A longer one is `stream.malformed`, so that a stream without an end of a message does not
    /// fill the memory.
    public static let messageBytesMax = 1 << 20

    /// The silence that ends a message; `nil` if time does not matter.
    public var idle: Duration? {
        switch self {
        case .idle(let duration): duration
        case .described(let stream): stream.cutting?.idle
        default: nil
        }
    }

    /// The first component of the names of messages.
    public var protocolName: String {
        if case .described(let stream) = self, let name = stream.description.protocolName {
            return name
        }
        return StreamUnit.protocolName
    }

    /// The protocol of streams that are cut this way; the port selects it, it is never recognised.
    public var streamProtocol: StreamProtocol { streamProtocol { _, _ in false } }

    /// Returns the protocol of streams that are cut this way and recognised by their first bytes.
    public func streamProtocol(
        recognises: @escaping @Sendable (RawSpan, Int) -> Bool?
    ) -> StreamProtocol {
        StreamProtocol(
            name: protocolName, idle: idle, recognises: recognises,
            makeConnectionDecoder: { _ in IndependentDirections { StreamCutter(self) } })
    }
}

/// A message that was cut out of a stream, or bytes of the stream that are not one.
public struct StreamUnit: DissectedMessage, Hashable {
    /// The first component of the names.
    public static let protocolName = "stream"
    /// The name of a message.
    public static let messageName = "stream.message"

    /// The bytes, including the end of the message.
    public let bytes: [UInt8]
    /// The number of last bytes that only terminate the message.
    private let endCount: Int
    /// Why the bytes are not a message; `nil` if they are one.
    private let error: String?
    /// The fields that a description decodes from them.
    private let described: DescribedFields?
    /// The first component of the name, if it is not `stream`.
    private let family: String?

    /// Creates a message.
    public init(
        _ bytes: [UInt8], endedBy endCount: Int = 0, described: DescribedFields? = nil,
        of family: String? = nil
    ) {
        self.bytes = bytes
        self.endCount = endCount
        self.described = described
        self.family = family
        error = nil
    }

    /// Creates a malformed message, with the reason.
    init(malformed bytes: [UInt8], _ error: String, of family: String? = nil) {
        self.bytes = bytes
        endCount = 0
        described = nil
        self.family = family
        self.error = error
    }

    /// Creates the unit for one whole message that a description has dissected.
    ///
    /// - Parameters:
    ///   - bytes: All of its bytes.
    ///   - endCount: The number of last bytes that only terminate it.
    ///   - description: The description.
    ///   - dissection: The description's result for the bytes after the first `prefix` ones.
    ///   - prefix: The number of bytes before the described part.
    package init(
        _ bytes: [UInt8], endedBy endCount: Int, by description: any StreamDescription,
        as dissection: StreamDissection, prefix: Int
    ) {
        let family = description.protocolName
        switch dissection {
        case .message(let fields, _):
            self.init(bytes, endedBy: endCount, described: fields.moved(by: prefix), of: family)
        case .incomplete(let count):
            self.init(
                malformed: bytes, "the message ends before its byte \(count + prefix)", of: family)
        case .refused(let error, _), .malformed(let error):
            self.init(malformed: bytes, error, of: family)
        }
    }

    /// `stream.message` or `stream.malformed`, or the names of a described protocol.
    public var name: String {
        guard error == nil else { return "\(family ?? Self.protocolName).malformed" }
        return described?.name ?? Self.messageName
    }

    /// Always empty: the meaning of the bytes is not known.
    public var anomalies: [Anomaly] { [] }

    /// The fields `data`, `text`, `fields` and `error`.
    ///
    /// A message has `text` if it is UTF-8, and `fields` if it is described; bytes that are not a
    /// message have `error`.
    public var fields: Value {
        if family != nil { return ownFields }
        var members = [Value.Member("data", .bytes(bytes))]
        if let described { members.append(Value.Member("fields", described.value)) }
        if let text { members.append(Value.Member("text", .string(text))) }
        if let error { members.append(Value.Member("error", .string(error))) }
        return .object(members)
    }

    /// Returns the value at one path.
    public func field(_ path: FieldPath) -> Value? {
        guard case .name(let name)? = path.components.first else { return nil }
        if family != nil, let value = described?.value[path] { return value }
        if family == nil, name == "fields" {
            return described?.value[FieldPath(components: Array(path.components.dropFirst()))]
        }
        guard path.components.count == 1 else { return nil }
        switch name {
        case "data": return .bytes(bytes)
        case "text": return family == nil ? text.map(Value.string) : nil
        case "error": return error.map(Value.string)
        default: return nil
        }
    }

    /// The described fields, and the bytes unless a field is already called `data`.
    private var ownFields: Value {
        var members = described?.value.objectValue ?? []
        if !members.contains(where: { $0.name == "data" }) {
            members.append(Value.Member("data", .bytes(bytes)))
        }
        if let error { members.append(Value.Member("error", .string(error))) }
        return .object(members)
    }

    /// The positions of the described fields.
    public var fieldPlaces: [String: Range<Int>] {
        (described?.places ?? []).reduce(into: [:]) { $0[$1.path] = $1.range }
    }

    /// The text without the bytes that terminate the message.
    private var text: String? {
        error == nil ? String(validating: bytes.dropLast(endCount), as: UTF8.self) : nil
    }

    /// The messages and fields that suites may name.
    public static let description = ProtocolDescription(
        name: protocolName, firstCode: 48, title: "Messages that a suite cuts out of a stream",
        messages: [
            MessageDescription(
                name: messageName, summary: "A message, as the peer's `stream` defines it.",
                specification: "Suite language: `stream`",
                fields: [
                    FieldDescription("text", .string(maxLength: nil)),
                    FieldDescription("fields", .any),
                ]),
            MessageDescription(
                name: "stream.malformed", summary: "Bytes that are not a whole message.",
                specification: "Suite language: `stream`",
                fields: [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ],
        fields: [FieldDescription("data", .bytes, isMandatory: true)])
}
