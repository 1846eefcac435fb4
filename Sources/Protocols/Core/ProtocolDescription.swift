/// What a protocol offers to suites: its messages and fields, with their sources.
///
/// The one description serves decode, `where`, lint, documentation and the schema.
public struct ProtocolDescription: Sendable {
    /// The first component of its message names, such as `sdl`.
    public let name: String
    /// What a person calls it.
    public let title: String
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
        name: String, title: String, messages: [MessageDescription], fields: [FieldDescription],
        correlation: [FieldPath] = [], frameFields: [FrameField] = [],
        session: FieldPath? = nil
    ) {
        self.session = session
        self.frameFields = frameFields
        self.name = name
        self.title = title
        self.messages = messages
        self.fields = fields
        self.correlation = correlation
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

        init(
            name: String, response: String?, refusal: String?, senders: [String],
            makeSummary: @escaping @Sendable () -> String,
            makeSpecification: @escaping @Sendable () -> String,
            makeFields: @escaping @Sendable () -> [FieldDescription]
        ) {
            self.name = name
            self.response = response
            self.refusal = refusal
            self.senders = senders
            self.makeSummary = makeSummary
            self.makeSpecification = makeSpecification
            self.makeFields = makeFields
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

    /// Makes a description.
    public init(
        name: String, summary: @autoclosure @escaping @Sendable () -> String,
        specification: @autoclosure @escaping @Sendable () -> String,
        fields: @autoclosure @escaping @Sendable () -> [FieldDescription] = [],
        response: String? = nil, refusal: String? = nil, senders: [String] = []
    ) {
        content = Content(
            name: name, response: response, refusal: refusal, senders: senders,
            makeSummary: summary, makeSpecification: specification, makeFields: fields)
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

    /// What values it takes; made when asked for, because few of all fields are looked at.
    public var type: FieldType { makeType() }

    /// Makes a description.
    public init(
        _ path: String, _ type: @autoclosure @escaping @Sendable () -> FieldType,
        isMandatory: Bool = false
    ) {
        self.path = path
        self.isMandatory = isMandatory
        makeType = type
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
