/// What a protocol offers to suites: its messages and fields, with their sources.
///
/// The same description is used for decoding, `where`, lint, documentation and the schema.
public struct ProtocolDescription: Sendable {
    /// The first component of its message names, such as `sdl`.
    public let name: String
    /// The code of its first message; the others follow in their order.
    ///
    /// The codes of two protocols may not overlap, which the registry checks. They should be small,
    /// because the length of a table is determined by the greatest code. The value is not used for
    /// a protocol that is in no registry.
    public let firstCode: Int32
    /// The human-readable name.
    public let title: String
    /// Whether it carries other protocols.
    ///
    /// Its own messages are judged only where a case names them.
    public let isTransport: Bool
    /// Every message that can appear in a trace.
    public let messages: [MessageDescription]
    /// Header fields that every message of the protocol has.
    public let fields: [FieldDescription]
    /// The fields that a response shares with its request, as far as both have them.
    public let correlation: [FieldPath]
    /// The positions of the fields of a frame's header; empty if frames have no fixed header.
    public let frameFields: [FrameField]
    /// The first name of the fields that can be sent with a value of any type, as in JSON.
    ///
    /// It is `nil` if there are none; the other fields of such a protocol follow from the message.
    public let openFields: String?
    /// The field with the session number, if a connection may have several sessions.
    public let session: FieldPath?

    /// Creates a description.
    public init(
        name: String, firstCode: Int32 = 0, title: String, isTransport: Bool = false,
        messages: [MessageDescription], fields: [FieldDescription], correlation: [FieldPath] = [],
        frameFields: [FrameField] = [], session: FieldPath? = nil, openFields: String? = nil
    ) {
        self.session = session
        self.openFields = openFields
        self.frameFields = frameFields
        self.name = name
        self.firstCode = firstCode
        self.title = title
        self.isTransport = isTransport
        self.messages = messages
        self.fields = fields
        self.correlation = correlation
    }

    /// The codes of its messages, in their order.
    public var codes: [MessageCode] {
        messages.indices.map { MessageCode(index: firstCode + Int32(truncatingIfNeeded: $0)) }
    }
}

/// One kind of message; what only lint and documentation need is created on demand.
public struct MessageDescription: Sendable {
    /// In a box, because there are hundreds of them, which are sorted, joined and passed around.
    private final class Content: Sendable {
        let name: String
        let response: String?
        let refusal: String?
        let senders: [String]
        let isFragment: Bool
        let makeSummary: @Sendable () -> String
        let makeSpecification: @Sendable () -> String
        let makeFields: @Sendable () -> [FieldDescription]
        let makeSince: @Sendable () -> String?

        init(
            name: String, response: String?, refusal: String?, senders: [String],
            isFragment: Bool, makeSummary: @escaping @Sendable () -> String,
            makeSpecification: @escaping @Sendable () -> String,
            makeFields: @escaping @Sendable () -> [FieldDescription],
            makeSince: @escaping @Sendable () -> String?
        ) {
            self.name = name
            self.response = response
            self.refusal = refusal
            self.senders = senders
            self.isFragment = isFragment
            self.makeSummary = makeSummary
            self.makeSpecification = makeSpecification
            self.makeFields = makeFields
            self.makeSince = makeSince
        }
    }

    private let content: Content

    /// The full name, such as `sdl.Show.request`.
    public var name: String { content.name }
    /// The name of the message that answers it, if one does.
    public var response: String? { content.response }
    /// The name of the message that refuses it, if that is a different message from the response.
    public var refusal: String? { content.refusal }
    /// The kinds of parties that send it, such as `sdl.app`; empty if any may.
    public var senders: [String] { content.senders }
    /// Whether it is usually a part of a message, and shown as that message.
    public var isFragment: Bool { content.isFragment }
    /// A one-sentence description.
    public var summary: String { content.makeSummary() }
    /// The section that specifies it.
    public var specification: String { content.makeSpecification() }
    /// The fields that this message has in addition to the common ones.
    public var fields: [FieldDescription] { content.makeFields() }
    /// The version of the specification that introduced the message.
    ///
    /// It is `nil` if the version is not known.
    public var since: String? { content.makeSince() }

    /// Creates a description.
    public init(
        name: String, summary: @autoclosure @escaping @Sendable () -> String,
        specification: @autoclosure @escaping @Sendable () -> String,
        fields: @autoclosure @escaping @Sendable () -> [FieldDescription] = [],
        since: @autoclosure @escaping @Sendable () -> String? = nil,
        response: String? = nil, refusal: String? = nil, senders: [String] = [],
        isFragment: Bool = false
    ) {
        content = Content(
            name: name, response: response, refusal: refusal, senders: senders,
            isFragment: isFragment, makeSummary: summary, makeSpecification: specification,
            makeFields: fields, makeSince: since)
    }
}

/// One field of a message or of a structure.
public struct FieldDescription: Sendable {
    /// Its path from the message, such as `sdl.session_id` or `params.language`.
    ///
    /// Within a structure it is the bare name.
    public let path: String
    /// Whether the specification requires it.
    public let isMandatory: Bool
    /// Whether it says what its frame is or where it ends.
    ///
    /// A message that is sent with another value need not be read as that message.
    public let isFraming: Bool
    private let makeType: @Sendable () -> FieldType
    private let makeSince: @Sendable () -> String?

    /// The type of its values; created on demand, because few of all fields are examined.
    public var type: FieldType { makeType() }

    /// The version of the specification that introduced the field.
    ///
    /// It is `nil` if the field is as old as what contains it, or if the version is not known.
    public var since: String? { makeSince() }

    /// Creates a description.
    public init(
        _ path: String, _ type: @autoclosure @escaping @Sendable () -> FieldType,
        isMandatory: Bool = false, isFraming: Bool = false,
        since: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.path = path
        self.isMandatory = isMandatory
        self.isFraming = isFraming
        makeType = type
        makeSince = since
    }
}

/// The type of a field's values.
public indirect enum FieldType: Sendable {
    case boolean
    case integer(ClosedRange<Int64>?)
    case number
    /// Text, of at most `maxLength` characters if a limit is specified.
    case string(maxLength: Int?)
    case bytes
    /// A duration as suites write it: `300ms`, `1.5s`, `2m`.
    ///
    /// No message contains one; settings and actions of peers do.
    case duration
    /// One of a closed set of words.
    ///
    /// If `numbers` is given, any other number than these, which have words, is a value too.
    case enumeration(name: String, values: [String], numbers: Set<Int64>? = nil)
    /// An object with the named structure's fields.
    case structure(name: String, fields: [FieldDescription])
    case array(of: FieldType, count: ClosedRange<Int>?)
    /// Any value: a field that the specification leaves open.
    case any
}

extension FieldType {
    /// Returns the type that remains after following `components` into this type.
    package func descending(_ components: ArraySlice<FieldPath.Component>) -> FieldType? {
        guard let first = components.first else { return self }
        switch (self, first) {
        case (.any, _):
            return .any
        case (.array(let element, _), .index):
            return element.descending(components.dropFirst())
        case (.structure(_, let fields), .name(let name)):
            return fields.first { $0.path == name }?.type.descending(components.dropFirst())
        default:
            return nil
        }
    }
}

extension [FieldDescription] {
    /// Returns the type at a path among the fields; `nil` if there is no such field.
    public func fieldType(at path: FieldPath) -> FieldType? {
        let text = path.description
        for field in self where text.hasPrefix(field.path) {
            guard let prefix = FieldPath(field.path)?.components,
                path.components.starts(with: prefix)
            else { continue }
            if let type = field.type.descending(path.components.dropFirst(prefix.count)) {
                return type
            }
        }
        return nil
    }
}
