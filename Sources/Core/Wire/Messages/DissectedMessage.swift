/// A decoded protocol unit: a name, and fields that are decoded on demand.
///
/// Every protocol's messages conform to it. The trace, the matcher and the reports use nothing else
/// of a protocol.
public protocol DissectedMessage: Sendable {
    /// The name as suites write it, such as `sdl.StartService` or `sdl.Show.request`.
    var name: String { get }

    /// All fields as one object, in wire order.
    ///
    /// Header fields are under the first component of their dotted Wireshark-like names (`sdl`,
    /// `rpc`), RPC parameters under `params`. A path such as `sdl.session_id` is
    /// `fields[FieldPath("sdl.session_id")]`.
    var fields: Value { get }

    /// Returns the value at one path, decoding only what it must; the default looks into `fields`.
    func field(_ path: FieldPath) -> Value?

    /// What is wrong with the unit on the wire, in plain words with the specification section.
    ///
    /// It is empty for a well-formed unit.
    var anomalies: [Anomaly] { get }

    /// The bytes of the unit as they were on the wire (for a multi-frame message: reassembled).
    var bytes: [UInt8] { get }

    /// The positions of fields in `bytes`, by the text of their paths; empty by default.
    var fieldPlaces: [String: Range<Int>] { get }

    /// A fault of the carrier for which neither end of a connection is responsible.
    ///
    /// The carrier reports it, for example as `the air broke the link`. It is `nil` for every other
    /// message, which is the default.
    var carrierFault: String? { get }

    /// The part that the decoder left out because of one of its limits.
    ///
    /// It is `nil`, the default, if the message is complete.
    var unread: Unread? { get }

    /// Whether another answer to the same request follows.
    ///
    /// It is `false`, the default, for every message that is not such an answer.
    var isInterim: Bool { get }

    /// Why messages that this one carries were not seen, as a clause about them.
    ///
    /// For example, `no key of the connection is known`. It is `nil`, the default, if the message
    /// hides nothing.
    var concealment: String? { get }
}

/// The part of a message that a decoder left out because of one of its limits.
///
/// Its content is unknown.
public struct Unread: Sendable, Hashable {
    /// The first components of the paths that are missing; empty if the whole message is missing.
    public let fields: Set<String>
    /// The limit, as a clause about the message: `the body has more than 16777216 bytes`.
    public let reason: String

    /// Creates a record of what is missing from a message, and why.
    public init(_ fields: Set<String> = [], because reason: String) {
        self.fields = fields
        self.reason = reason
    }
}

extension DissectedMessage {
    /// Returns the value at one path, found in `fields`.
    public func field(_ path: FieldPath) -> Value? { fields[path] }

    /// Returns the value at one path, including `violation`, which no protocol defines itself.
    public func value(at path: FieldPath) -> Value? {
        path == .violation ? violation.map(Value.string) : field(path)
    }

    /// The violations of its specification, with the sections.
    ///
    /// Several violations are joined by semicolons; it is `nil` if there are none.
    public var violation: String? {
        let violations = anomalies.filter { $0.severity == .violation }
        guard !violations.isEmpty else { return nil }
        return violations.map { "\($0.text) (\($0.specification))" }.joined(separator: "; ")
    }

    /// The default: no fault.
    public var carrierFault: String? { nil }

    /// The default: nothing was left out.
    public var unread: Unread? { nil }

    /// The default: it is not an answer before another one.
    public var isInterim: Bool { false }

    /// The default: nothing is hidden.
    public var concealment: String? { nil }

    /// The default: no positions are known.
    public var fieldPlaces: [String: Range<Int>] { [:] }

    /// The first component of the name, for grouping: `sdl` of `sdl.Show.request`.
    public var protocolName: String { String(name.prefix { $0 != "." }) }
}

/// Something in a decoded unit that the specification does not allow.
public struct Anomaly: Sendable, Hashable {
    /// The severity of the anomaly.
    public enum Severity: String, Sendable, Hashable {
        /// The specification contradicts itself or real implementations differ.
        case warning
        /// The specification forbids it.
        case violation
    }

    /// The severity of the anomaly.
    public let severity: Severity
    /// What is wrong, as a sentence without a full stop: `data size 9 in a First frame, expected 8`.
    public let text: String
    /// The section that contains the rule, such as `SDL protocol 3.3.1`.
    public let specification: String

    /// Creates an anomaly.
    public init(_ severity: Severity, _ text: String, specification: String) {
        self.severity = severity
        self.text = text
        self.specification = specification
    }
}
