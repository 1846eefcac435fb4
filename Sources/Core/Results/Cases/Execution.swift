/// One execution of a case that was executed more than once.
public struct Execution: Sendable, Codable, Hashable {
    /// The verdict of this execution alone.
    public var verdict: Verdict
    /// The reason why it is not a pass, in one sentence; `nil` for a pass.
    public var summary: String?
    /// How long it took, in seconds.
    public var seconds: Double
    /// Its capture, relative to the report folder; `nil` if there is none.
    public var capture: String?
    /// The SHA-256 of the capture in hexadecimal; `nil` if there is none.
    public var captureDigest: String?
    /// The device's output, relative to the report folder; `nil` if there is none.
    public var log: String?

    /// Creates an execution from its result.
    public init(_ result: CaseResult) {
        verdict = result.verdict
        summary = result.reason?.summary
        seconds = result.seconds
        capture = result.capture
        captureDigest = result.captureDigest
        log = result.log
    }
}
