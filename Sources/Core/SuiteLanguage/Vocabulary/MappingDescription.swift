/// A kind of mapping in an input file: its name and the keys that it may have.
///
/// The readers use it to decide which keys they accept, and the published JSON Schema is generated
/// from it. So neither can have a key that the other lacks.
public struct MappingDescription: Sendable {
    /// The name of its definition in a schema: `case`, `step-expect`.
    public let name: String
    /// The name in diagnostics: `case`, `step`.
    public let subject: String
    /// A sentence that describes the mapping.
    public let summary: String
    /// All keys that it may have, in the order in which people write them.
    public let keys: [KeyDescription]
    /// Keys that a later version of the language will have, each with what to write until then; they
    /// are refused by name.
    public let laterKeys: KeyValuePairs<String, String>
    /// Such a mapping on one line; `nil` for one that is made of the keys.
    let example: String?

    /// Keys of which at least one must be present; empty if there is no such demand.
    public let oneOf: [String]

    /// Creates a description; the default of the subject is the name.
    public init(
        _ name: String, subject: String? = nil, summary: String,
        laterKeys: KeyValuePairs<String, String> = [:], oneOf: [String] = [],
        example: String? = nil, keys: [KeyDescription]
    ) {
        self.name = name
        self.subject = subject ?? name
        self.summary = summary
        self.keys = keys
        self.laterKeys = laterKeys
        self.example = example
        self.oneOf = oneOf
    }

    /// The names of its keys.
    public var keyNames: [String] { keys.map(\.name) }
}

/// One key that a mapping may have.
public struct KeyDescription: Sendable {
    /// The key.
    public let name: String
    /// A sentence that describes the key.
    public let summary: String
    /// The form of its value.
    public let form: ValueForm
    /// Whether the mapping is invalid without it.
    public let isRequired: Bool
    /// Whether variables can replace its value.
    public let allowsVariables: Bool
    /// Keys that are not allowed together with it.
    public let excludes: [String]
    /// The form of its value if another key is absent; `nil` for `form`.
    public let stricter: (form: ValueForm, unless: String)?

    /// Creates a description of a key.
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

/// The form of the value of a key.
public indirect enum ValueForm: Sendable {
    /// The version of the language: the number 1.
    case version
    /// Any text.
    case text
    /// Text that is a name of the given form.
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
    /// The permitted deviation of a time: `50ms 10%`.
    case tolerance
    /// Bytes as pairs of hexadecimal digits.
    case hexDigits
    /// Bytes: hexadecimal digits, or a mapping with a notation.
    case bytes
    /// Bytes: text, or a mapping with a notation.
    case bytesOfText
    /// Text, bytes in a notation, or a message that is given by its fields.
    case bytesSent
    /// The name of a message, in the form that the place allows.
    case message(MessageForm)
    /// The condition of `where` on a field: a value or a mapping of matchers.
    case condition
    /// The settings of a peer; with its kind where the peer is declared.
    case peer(isDeclared: Bool)
    /// The value of `do`.
    case action
    /// Any value.
    case value
    /// A mapping whose keys are those of the description.
    case mapping(MappingDescription)
    /// A mapping with free names, each with a value of that form.
    case named(NameForm, ValueForm)
    /// One step of a case, with any verb.
    case step
    /// A list of values of that form, with limits on their number.
    case list(ValueForm, atLeast: Int, atMost: Int? = nil)
    /// A value of any of these forms.
    case any([ValueForm])

    /// Forms of names in files.
    public enum NameForm: Sendable {
        /// Names of suites, cases, steps and requirements.
        case plain
        /// Names of variables.
        case variable
        /// Names of peers.
        case peer
        /// Names of peers, and `device`.
        case party
        /// Paths of fields.
        case field
        /// Any names.
        case any
    }

    /// Forms of the names of messages.
    public enum MessageForm: Sendable {
        /// A message that may be in a trace.
        case expected
        /// A message that a peer can send.
        case sent
        /// A message, or a name that ends in `.*`.
        case pattern
    }
}
