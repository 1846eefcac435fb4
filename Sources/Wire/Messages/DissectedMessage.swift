/// A protocol unit that has been decoded: a name, and fields that are decoded when asked for.
///
/// Every protocol's messages conform to it; the trace, the matcher and the reports know nothing
/// else of a protocol.
public protocol DissectedMessage: Sendable {
    /// The name as suites write it, such as `sdl.StartService` or `sdl.Show.request`.
    var name: String { get }

    /// All fields as one object, in wire order: header fields under their dotted Wireshark-like
    /// names' first components (`sdl`, `rpc`), RPC parameters under `params`.
    ///
    /// A path such as `sdl.session_id` is `fields[FieldPath("sdl.session_id")]`.
    var fields: Value { get }

    /// The value at one path. Decodes only what it must; the default looks into `fields`.
    func field(_ path: FieldPath) -> Value?

    /// What is wrong with the unit on the wire, in plain words with the specification section;
    /// empty for a well-formed one.
    var anomalies: [Anomaly] { get }

    /// The bytes of the unit as they stood on the wire (for a multi-frame message: reassembled).
    var bytes: [UInt8] { get }

    /// Where fields stand in `bytes`, by the text of their paths; the default knows of none.
    var fieldPlaces: [String: Range<Int>] { get }

    /// What the carrier did that neither end of a connection is answerable for, as it reports it,
    /// such as `the air broke the link`; `nil` for everything else, which is the default.
    var carrierFault: String? { get }

    /// What its decoder left out because of one of its limits; `nil` if that is nothing, the default.
    var unread: Unread? { get }
}

/// What a decoder left out of a message because of one of its limits, so that nobody can say what it is.
public struct Unread: Sendable, Hashable {
    /// The first components of the paths of what is missing; empty if that is the whole message.
    public let fields: Set<String>
    /// The limit, as what the message has: `the body has more than 16777216 bytes`.
    public let reason: String

    /// Says what is missing of a message, and why.
    public init(_ fields: Set<String> = [], because reason: String) {
        self.fields = fields
        self.reason = reason
    }
}

extension DissectedMessage {
    /// The value at one path, found in `fields`.
    public func field(_ path: FieldPath) -> Value? { fields[path] }

    /// The value at one path, `violation` among them, which no protocol has for itself.
    public func value(at path: FieldPath) -> Value? {
        path == .violation ? violation.map(Value.string) : field(path)
    }

    /// What it breaks of its specification, with the sections.
    ///
    /// Several violations are joined by semicolons; `nil` if there is none.
    public var violation: String? {
        let violations = anomalies.filter { $0.severity == .violation }
        guard !violations.isEmpty else { return nil }
        return violations.map { "\($0.text) (\($0.specification))" }.joined(separator: "; ")
    }

    /// None.
    public var carrierFault: String? { nil }

    /// Nothing.
    public var unread: Unread? { nil }

    /// None.
    public var fieldPlaces: [String: Range<Int>] { [:] }

    /// The name without what follows its last dot, for grouping: `sdl.Show` of `sdl.Show.request`.
    public var protocolName: String { String(name.prefix { $0 != "." }) }
}

/// Something in a decoded unit that the specification does not allow.
public struct Anomaly: Sendable, Hashable {
    /// How grave it is.
    public enum Severity: String, Sendable, Hashable {
        /// The specification contradicts itself or real implementations differ.
        case warning
        /// The specification forbids it.
        case violation
    }

    /// How grave it is.
    public let severity: Severity
    /// What is wrong, as a sentence without a full stop: `data size 9 in a First frame, expected 8`.
    public let text: String
    /// Where the rule stands, such as `SDL protocol 3.3.1`.
    public let specification: String

    /// Makes an anomaly.
    public init(_ severity: Severity, _ text: String, specification: String) {
        self.severity = severity
        self.text = text
        self.specification = specification
    }
}
