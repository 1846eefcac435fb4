/// A parameter of a suite with the value that a run used.
public struct RunParameter: Sendable, Hashable, Codable {
    /// What gave the value.
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
    /// What gave the value.
    public var origin: Origin

    /// Makes a parameter.
    public init(suite: String, name: String, value: String, origin: Origin) {
        self.suite = suite
        self.name = name
        self.value = value
        self.origin = origin
    }
}
