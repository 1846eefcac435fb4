import Results
import Trace
import Wire

/// The judgement of the matcher on one case.
public struct Judgement: Sendable, Hashable {
    /// The verdict: `pass`, `inconclusive`, `fail` or `error`.
    public var verdict: Verdict
    /// The reason why it is not a pass; `nil` for a pass.
    public var reason: Reason?
    /// The requirements that the case judges, each with its own verdict.
    public var checks: [CheckResult]
    /// The steps of preamble and body, in order.
    public var steps: [StepResult]
    /// How many messages were ignored or allowed, by name.
    public var ignored: [String: Int]
    /// The comments for packets: frame number to remarks.
    ///
    /// An example of a remark is `step 2: expect: sdl.StartService (suite.yaml:12)`.
    public var comments: [Int: [String]]
    /// How many messages a step took.
    public var takenCount: Int
    /// Expected next to actual, by numbers.
    public var rows: [EvidenceRow] = []
    /// When it was decided: packets that were lost only afterwards do not matter.
    public var decidedAt = Timestamp.distantPast
    /// The measurements of the case.
    public var measurements: [Measurement] = []
    /// Violations of specifications by messages of its parties; empty if no evidence is kept.
    public var violations: [ProtocolViolation] = []

    /// The results of the rules that were exercised.
    public var rules: [RuleResult] = []
}

extension Judgement {
    /// Creates a judgement that contains only the verdict and its reason.
    init(verdict: Verdict, reason: Reason?, takenCount: Int, decidedAt: Timestamp) {
        self.init(
            verdict: verdict, reason: reason, checks: [], steps: [], ignored: [:], comments: [:],
            takenCount: takenCount)
        self.decidedAt = decidedAt
    }
}
