/// What a protocol offers to suites: its messages and fields, with their sources.
///
/// The one description serves decode, `where`, lint, documentation and the schema.
public struct ProtocolDescription: Sendable {
    /// The first component of its message names, such as `sdl`.
    public let name: String
    /// The code of its first message; the others follow in their order.
    ///
    /// The codes of two protocols may not overlap, which the registry checks, and are small, because
    /// tables are as long as the greatest code demands. It means nothing for a protocol that is in no
    /// registry.
    public let firstCode: Int32
    /// What a person calls it.
    public let title: String
    /// Whether it carries the messages of others: its own are judged only where a case names them.
    public let isTransport: Bool
    /// Every message that can appear in a trace.
    public let messages: [MessageDescription]
    /// Header fields that every message of the protocol has.
    public let fields: [FieldDescription]
    /// The fields that a response has in common with its request, as far as both have them.
    public let correlation: [FieldPath]
    /// Where the fields of a frame's header stand; empty if frames have no fixed header.
    public let frameFields: [FrameField]
    /// The field with the number of the session, if there may be several on one connection.
    public let session: FieldPath?

    /// Makes a description.
    public init(
        name: String, firstCode: Int32 = 0, title: String, isTransport: Bool = false,
        messages: [MessageDescription], fields: [FieldDescription], correlation: [FieldPath] = [],
        frameFields: [FrameField] = [], session: FieldPath? = nil
    ) {
        self.session = session
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

/// One kind of message; what lint and documentation alone want to know is made when asked for.
public struct MessageDescription: Sendable {
    /// In a box: there are hundreds of them, which are sorted, joined and handed about.
    private final class Content: Sendable {
        let name: String
        let response: String?
        let refusal: String?
        let senders: [String]
        let makeSummary: @Sendable () -> String
        let makeSpecification: @Sendable () -> String
        let makeFields: @Sendable () -> [FieldDescription]
        let makeSince: @Sendable () -> String?

        init(
            name: String, response: String?, refusal: String?, senders: [String],
            makeSummary: @escaping @Sendable () -> String,
            makeSpecification: @escaping @Sendable () -> String,
            makeFields: @escaping @Sendable () -> [FieldDescription],
            makeSince: @escaping @Sendable () -> String?
        ) {
            self.name = name
            self.response = response
            self.refusal = refusal
            self.senders = senders
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
    /// The name of a message that answers it by saying no, where that is another one.
    public var refusal: String? { content.refusal }
    /// The kinds of parties that send it, such as `sdl.app`; empty if any may.
    public var senders: [String] { content.senders }
    /// One sentence of what it is.
    public var summary: String { content.makeSummary() }
    /// Where it is specified.
    public var specification: String { content.makeSpecification() }
    /// Fields that this message has beyond the common ones.
    public var fields: [FieldDescription] { content.makeFields() }
    /// Since which version of its specification there is the message; `nil` where that is not said.
    public var since: String? { content.makeSince() }

    /// Makes a description.
    public init(
        name: String, summary: @autoclosure @escaping @Sendable () -> String,
        specification: @autoclosure @escaping @Sendable () -> String,
        fields: @autoclosure @escaping @Sendable () -> [FieldDescription] = [],
        since: @autoclosure @escaping @Sendable () -> String? = nil,
        response: String? = nil, refusal: String? = nil, senders: [String] = []
    ) {
        content = Content(
            name: name, response: response, refusal: refusal, senders: senders,
            makeSummary: summary, makeSpecification: specification, makeFields: fields,
            makeSince: since)
    }
}

/// One field of a message or of a structure.
public struct FieldDescription: Sendable {
    /// Its path from the message, such as `sdl.session_id` or `params.language`; within a
    /// structure the bare name.
    public let path: String
    /// Whether the specification demands it.
    public let isMandatory: Bool
    private let makeType: @Sendable () -> FieldType
    private let makeSince: @Sendable () -> String?

    /// What values it takes; made when asked for, because few of all fields are looked at.
    public var type: FieldType { makeType() }

    /// Since which version of its specification there is the field; `nil` where that is as old as what
    /// it is in, or not said.
    public var since: String? { makeSince() }

    /// Makes a description.
    public init(
        _ path: String, _ type: @autoclosure @escaping @Sendable () -> FieldType,
        isMandatory: Bool = false, since: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.path = path
        self.isMandatory = isMandatory
        makeType = type
        makeSince = since
    }
}

/// What values a field takes.
public indirect enum FieldType: Sendable {
    case boolean
    case integer(ClosedRange<Int64>?)
    case number
    /// Text of at most so many characters, if a limit is specified.
    case string(maxLength: Int?)
    case bytes
    /// A duration as suites write it: `300ms`, `1.5s`, `2m`.
    ///
    /// No message carries it; settings and actions of peers do.
    case duration
    /// One of a closed set of words.
    case enumeration(name: String, values: [String])
    /// An object with the named structure's fields.
    case structure(name: String, fields: [FieldDescription])
    case array(of: FieldType, count: ClosedRange<Int>?)
    /// Anything: a field that the specification leaves open.
    case any
}

extension FieldType {
    /// The type that remains after following `components` into this type.
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
    /// What a path denotes among the fields; `nil` if it denotes none.
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
