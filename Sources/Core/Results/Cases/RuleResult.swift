import SuiteLanguage

/// How a rule was exercised in a case, and with which result.
public struct RuleResult: Sendable, Codable, Hashable {
    /// The rule's id.
    public var rule: String
    /// The requirements that it judges.
    public var checks: [String]
    /// Its verdict: `pass`, `inconclusive`, `fail` or `error`.
    public var verdict: Verdict
    /// How many of its instances have a result.
    public var exercised: Int
    /// How many of them failed.
    public var failed: Int
    /// How many instances ended before everything was done that they demand.
    public var open: Int

    /// Creates a result.
    public init(
        rule: String, checks: [String], verdict: Verdict, exercised: Int, failed: Int, open: Int
    ) {
        self.rule = rule
        self.checks = checks
        self.verdict = verdict
        self.exercised = exercised
        self.failed = failed
        self.open = open
    }
}
