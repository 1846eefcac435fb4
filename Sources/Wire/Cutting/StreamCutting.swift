/// How a byte stream in which no protocol is looked for is cut into messages.
public enum StreamCutting: Sendable, Hashable {
    /// Each message ends with these bytes.
    case until([UInt8])
    /// Each message says its length.
    case length(LengthField)
    /// Each message has so many bytes.
    case fixed(Int)
    /// A message ends when nothing has come for so long.
    case idle(Duration)
    /// A description says what messages are.
    indirect case described(DescribedStream)

    /// Where a message says how long it is.
    public struct LengthField: Sendable, Hashable {
        /// The order of the field's bytes.
        public enum Endian: String, Sendable, Hashable, CaseIterable {
            /// The highest comes first.
            case big
            /// The lowest comes first.
            case little
        }

        /// Where the field begins, counted from the first byte of the message.
        public let offset: Int
        /// How many bytes it has, 1 to 8.
        public let size: Int
        /// The order of its bytes.
        public let endian: Endian
        /// What is added to its value to have the number of bytes that follow it.
        public let plus: Int

        /// Makes a description.
        public init(offset: Int, size: Int, endian: Endian = .big, plus: Int = 0) {
            self.offset = offset
            self.size = size
            self.endian = endian
            self.plus = plus
        }

        /// How many bytes of a message must be there to know its length.
        var end: Int { offset + size }

        /// The length of the whole message; `nil` if it would end before the field does, or is
        /// beyond 63 bits.
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

    /// The most bytes of one message; a longer one is `stream.malformed`, so that a stream without an
    /// end of a message does not fill the memory.
    public static let messageBytesMax = 1 << 20

    /// How long nothing must have come for a message to end; `nil` if time does not matter.
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

    /// The protocol of the streams that are cut so; it is set by the port, never recognised.
    public var streamProtocol: StreamProtocol { streamProtocol { _, _ in false } }

    /// The protocol of the streams that are cut so, which the first bytes tell.
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

    /// The bytes, the end of the message included.
    public let bytes: [UInt8]
    /// How many of the last bytes only end the message.
    private let endCount: Int
    /// Why the bytes are no message; `nil` if they are one.
    private let error: String?
    /// What a description makes of them.
    private let described: DescribedFields?
    /// The first component of the name, if it is not that of a stream.
    private let family: String?

    /// A message.
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

    /// Bytes that are no message, for this reason.
    init(malformed bytes: [UInt8], _ error: String, of family: String? = nil) {
        self.bytes = bytes
        endCount = 0
        described = nil
        self.family = family
        self.error = error
    }

    /// What a description makes of one whole message.
    ///
    /// - Parameters:
    ///   - bytes: All of its bytes.
    ///   - endCount: How many of the last bytes only end it.
    ///   - description: The description.
    ///   - dissection: What it makes of the bytes after the first `prefix` ones.
    ///   - prefix: How many bytes come before what is described.
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

    /// `stream.message` or `stream.malformed`, or the names that a protocol of its own has.
    public var name: String {
        guard error == nil else { return "\(family ?? Self.protocolName).malformed" }
        return described?.name ?? Self.messageName
    }

    /// Always empty: nothing is known of what the bytes mean.
    public var anomalies: [Anomaly] { [] }

    /// `data`, `text` of a message in UTF-8, and `fields` of one that is described; `error` of bytes
    /// that are not a message.
    public var fields: Value {
        if family != nil { return ownFields }
        var members = [Value.Member("data", .bytes(bytes))]
        if let described { members.append(Value.Member("fields", described.value)) }
        if let text { members.append(Value.Member("text", .string(text))) }
        if let error { members.append(Value.Member("error", .string(error))) }
        return .object(members)
    }

    /// The value at one path.
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

    /// The described fields, and the bytes unless a field has their name.
    private var ownFields: Value {
        var members = described?.value.objectValue ?? []
        if !members.contains(where: { $0.name == "data" }) {
            members.append(Value.Member("data", .bytes(bytes)))
        }
        if let error { members.append(Value.Member("error", .string(error))) }
        return .object(members)
    }

    /// Where the described fields are.
    public var fieldPlaces: [String: Range<Int>] {
        (described?.places ?? []).reduce(into: [:]) { $0[$1.path] = $1.range }
    }

    /// The text without the bytes that end the message.
    private var text: String? {
        error == nil ? String(validating: bytes.dropLast(endCount), as: UTF8.self) : nil
    }

    /// What suites may name.
    public static let description = ProtocolDescription(
        name: protocolName, firstCode: 48, title: "Messages that a suite cuts out of a stream",
        messages: [
            MessageDescription(
                name: messageName, summary: "A message, as `stream` of the peer says.",
                specification: "Suite language: `stream`",
                fields: [
                    FieldDescription("text", .string(maxLength: nil)),
                    FieldDescription("fields", .any),
                ]),
            MessageDescription(
                name: "stream.malformed", summary: "Bytes that are no whole message.",
                specification: "Suite language: `stream`",
                fields: [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ],
        fields: [FieldDescription("data", .bytes, isMandatory: true)])
}
