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

    /// Makes a description.
    public init(
        name: String, title: String, messages: [MessageDescription], fields: [FieldDescription],
        correlation: [FieldPath] = [], frameFields: [FrameField] = []
    ) {
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
    /// The full name, such as `sdl.Show.request`.
    public let name: String
    /// The name of the message that answers it, if one does.
    public let response: String?
    /// The name of a message that answers it by saying no, where that is another one.
    public let refusal: String?
    /// The kinds of parties that send it, such as `sdl.app`; empty if any may.
    public let senders: [String]
    private let makeSummary: @Sendable () -> String
    private let makeSpecification: @Sendable () -> String
    private let makeFields: @Sendable () -> [FieldDescription]

    /// One sentence of what it is.
    public var summary: String { makeSummary() }
    /// Where it is specified.
    public var specification: String { makeSpecification() }
    /// Fields that this message has beyond the common ones.
    public var fields: [FieldDescription] { makeFields() }

    /// Makes a description.
    public init(
        name: String, summary: @autoclosure @escaping @Sendable () -> String,
        specification: @autoclosure @escaping @Sendable () -> String,
        fields: @autoclosure @escaping @Sendable () -> [FieldDescription] = [],
        response: String? = nil, refusal: String? = nil, senders: [String] = []
    ) {
        self.name = name
        self.response = response
        self.refusal = refusal
        self.senders = senders
        makeSummary = summary
        makeSpecification = specification
        makeFields = fields
    }
}

/// One field of a message or of a structure.
public struct FieldDescription: Sendable {
    /// Its path from the message, such as `sdl.session_id` or `params.language`; within a
    /// structure the bare name.
    public let path: String
    /// What values it takes.
    public let type: FieldType
    /// Whether the specification demands it.
    public let isMandatory: Bool

    /// Makes a description.
    public init(_ path: String, _ type: FieldType, isMandatory: Bool = false) {
        self.path = path
        self.type = type
        self.isMandatory = isMandatory
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
