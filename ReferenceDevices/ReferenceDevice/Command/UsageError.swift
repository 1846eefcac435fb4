/// An invalid command line.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ problem: String) {
        description = "\(problem); see conform-device --help"
    }
}
