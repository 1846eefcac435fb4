/// A parameter of a suite with the value that a run used.
public struct RunParameter: Sendable, Hashable, Codable {
    /// The source of a value.
    public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        case fallback = "default"
        case device = "device profile"
        case capture
        case commandLine = "command line"
    }

    /// The suite's id.
    public var suite: String
    /// The parameter's name.
    public var name: String
    /// Its value, as a suite would write it.
    public var value: String
    /// The source of the value.
    public var origin: Origin

    /// Creates a parameter.
    public init(suite: String, name: String, value: String, origin: Origin) {
        self.suite = suite
        self.name = name
        self.value = value
        self.origin = origin
    }
}
