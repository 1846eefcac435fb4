import Results
import Trace
import Wire

/// What the matcher says of one case.
public struct Judgement: Sendable, Hashable {
    /// The verdict: `pass`, `inconclusive`, `fail` or `error`.
    public var verdict: Verdict
    /// Why it is not a pass; `nil` for a pass.
    public var reason: Reason?
    /// The requirements that the case judges, each with its own verdict.
    public var checks: [CheckResult]
    /// The steps of preamble and body, in order.
    public var steps: [StepResult]
    /// How many messages were ignored or allowed, by name.
    public var ignored: [String: Int]
    /// What to write beside the packets: frame number to remarks, such as
    /// `step 2: expect: sdl.StartService (suite.yaml:12)`.
    public var comments: [Int: [String]]
    /// How many messages a step took.
    public var takenCount: Int
    /// Expected beside actual, by number.
    public var rows: [EvidenceRow]
    /// When it was decided: what was not captured only afterwards does not matter.
    public var decidedAt = Timestamp.distantPast
    /// What the case measured.
    public var measurements: [Measurement] = []
    /// What messages of its parties broke of their specifications; empty where nothing is kept for a
    /// report.
    public var violations: [ProtocolViolation] = []

    /// Makes a judgement.
    public init(
        verdict: Verdict, reason: Reason?, checks: [CheckResult], steps: [StepResult],
        ignored: [String: Int], comments: [Int: [String]], takenCount: Int,
        rows: [EvidenceRow] = []
    ) {
        self.verdict = verdict
        self.reason = reason
        self.checks = checks
        self.steps = steps
        self.ignored = ignored
        self.comments = comments
        self.takenCount = takenCount
        self.rows = rows
    }

    /// Makes one of which only the verdict and its reason are told.
    init(verdict: Verdict, reason: Reason?, takenCount: Int, decidedAt: Timestamp) {
        self.init(
            verdict: verdict, reason: reason, checks: [], steps: [], ignored: [:], comments: [:],
            takenCount: takenCount)
        self.decidedAt = decidedAt
    }
}
