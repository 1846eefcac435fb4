/// One kind of mapping in an input file: what it is called and which keys it may have.
///
/// The readers take the keys that they accept from it, and the published JSON Schema is made of
/// it, so that neither can know a key that the other does not.
public struct MappingDescription: Sendable {
    /// The name of its definition in a schema: `case`, `step-expect`.
    public let name: String
    /// What messages call it: `case`, `step`.
    public let subject: String
    /// One sentence of what it says.
    public let summary: String
    /// Every key that it may have, in the order in which people write them.
    public let keys: [KeyDescription]
    /// Keys that a later version of the language will have; they are refused by name.
    public let laterKeys: [String]

    /// Keys of which at least one must be there; empty if that is not so.
    public let oneOf: [String]

    /// Makes a description; without a subject the name is it.
    public init(
        _ name: String, subject: String? = nil, summary: String, laterKeys: [String] = [],
        oneOf: [String] = [], keys: [KeyDescription]
    ) {
        self.name = name
        self.subject = subject ?? name
        self.summary = summary
        self.keys = keys
        self.laterKeys = laterKeys
        self.oneOf = oneOf
    }

    /// The names of its keys.
    public var keyNames: [String] { keys.map(\.name) }
}

/// One key that a mapping may have.
public struct KeyDescription: Sendable {
    /// The key.
    public let name: String
    /// One sentence of what it means.
    public let summary: String
    /// What its value looks like.
    public let form: ValueForm
    /// Whether the mapping is wrong without it.
    public let isRequired: Bool
    /// Whether variables may stand for its value.
    public let allowsVariables: Bool
    /// Keys that may not stand beside it.
    public let excludes: [String]
    /// What its value looks like where another key does not stand beside it; `nil` for `form`.
    public let stricter: (form: ValueForm, unless: String)?

    /// Makes a description of a key.
    public init(
        _ name: String, _ form: ValueForm, _ summary: String, isRequired: Bool = false,
        allowsVariables: Bool = true, excludes: [String] = [],
        stricter: (ValueForm, unless: String)? = nil
    ) {
        self.stricter = stricter.map { (form: $0.0, unless: $0.unless) }
        self.name = name
        self.summary = summary
        self.form = form
        self.isRequired = isRequired
        self.allowsVariables = allowsVariables
        self.excludes = excludes
    }
}

/// What the value of a key looks like.
public indirect enum ValueForm: Sendable {
    /// The version of the language: the number 1.
    case version
    /// Any text.
    case text
    /// Text that is a name of that form.
    case name(NameForm)
    /// One text, or a list of texts.
    case texts
    /// One of a few words.
    case word([String])
    case boolean
    case number
    /// An integer within a range.
    case integer(ClosedRange<Int64>)
    /// Text in which a regular expression is found.
    case matching(String)
    case null
    /// A length of time: `1.5s`.
    case duration
    /// How far off a time may be: `50ms 10%`.
    case tolerance
    /// Bytes as pairs of hexadecimal digits.
    case hexDigits
    /// Bytes: hexadecimal digits, or a mapping with a notation.
    case bytes
    /// Bytes: text, or a mapping with a notation.
    case bytesOfText
    /// Text, bytes in a notation, or a message by its fields.
    case bytesSent
    /// The name of a message, as that kind of place takes it.
    case message(MessageForm)
    /// What `where` says of a field: a value or a mapping of matchers.
    case condition
    /// The settings of a peer; with what it plays where the peer is declared.
    case peer(isDeclared: Bool)
    /// What `do` names.
    case action
    /// Any value.
    case value
    /// A mapping whose keys are those of the description.
    case mapping(MappingDescription)
    /// A mapping with names of its own, each with a value of that form.
    case named(NameForm, ValueForm)
    /// One step of a case, with any verb.
    case step
    /// A list of values of that form, and how many of them there may be.
    case list(ValueForm, atLeast: Int, atMost: Int? = nil)
    /// A value of any of these forms.
    case any([ValueForm])

    /// Names that stand in files.
    public enum NameForm: Sendable {
        /// Of suites, cases, steps and requirements.
        case plain
        /// Of variables.
        case variable
        /// Of peers.
        case peer
        /// Of peers, and `device`.
        case party
        /// Paths of fields.
        case field
        /// Of whatever the file likes.
        case any
    }

    /// Where the name of a message stands.
    public enum MessageForm: Sendable {
        /// A message that may be in a trace.
        case expected
        /// A message that a peer can send.
        case sent
        /// A message, or a name that ends in `.*`.
        case pattern
    }
}
