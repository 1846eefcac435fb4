/// The window of a step's message and when it came, in seconds since the evidence's origin.
public struct StepTiming: Sendable, Codable, Hashable {
    /// The moment that the window counts from.
    public var since: Double
    /// The earliest moment, tolerance included; `nil` for any.
    public var earliest: Double?
    /// The latest moment, tolerance included; `nil` for a step without a window.
    public var latest: Double?
    /// When it came or was done; `nil` if it did not.
    public var actual: Double?

    /// Creates a timing.
    public init(
        since: Double, earliest: Double? = nil, latest: Double? = nil, actual: Double? = nil
    ) {
        self.since = since
        self.earliest = earliest
        self.latest = latest
        self.actual = actual
    }
}

/// The party that acts in a step, and the action, for diagrams.
public struct StepAct: Sendable, Codable, Hashable {
    /// What kind of step it is.
    public enum Kind: String, Sendable, Codable {
        /// A message comes.
        case expect
        /// A peer sends a message.
        case send
        /// A peer's action or a device control.
        case perform
        /// Time passes.
        case wait
    }

    /// What kind of step it is.
    public var kind: Kind
    /// The message's or the action's name; empty for a wait.
    public var name: String
    /// The party that sends or acts; `nil` for a wait.
    public var from: String?
    /// The party that receives; `nil` if the step does not specify it.
    public var to: String?

    /// Creates an act.
    public init(_ kind: Kind, name: String = "", from: String? = nil, to: String? = nil) {
        self.kind = kind
        self.name = name
        self.from = from
        self.to = to
    }
}
