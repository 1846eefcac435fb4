/// The result of one mutant in `conform prove`.
public struct MutantProof: Sendable, Hashable, Codable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// A case that claims its requirement failed and cited it; no other requirement was cited.
        case killed
        /// No case failed.
        case survived
        /// Cases failed, but none that claims its requirement.
        case wrongCase = "wrong case"
        /// A case failed for a requirement that the mutant does not break.
        case collateral
        /// It could not be judged.
        case inconclusive
        /// The proof ended before all of its cases had ended.
        case notRun = "not run"
    }

    /// The mutant's name; `nil` for the unmutated device, which must pass.
    public var mutant: String?
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The cases that failed and cite a requirement that the mutant breaks.
    public var killers: [String]
    /// How it ended; for the unmutated device, `survived` is the right outcome.
    public var outcome: Outcome
    /// The results that prevent this row from being a proof.
    public var problems: [CaseResult]

    /// Creates a row.
    public init(
        mutant: String?, requirements: [String], killers: [String], outcome: Outcome,
        problems: [CaseResult] = []
    ) {
        self.mutant = mutant
        self.requirements = requirements
        self.killers = killers
        self.outcome = outcome
        self.problems = problems
    }

    /// Whether this row is a proof for the suite.
    public var isProof: Bool { outcome == (mutant == nil ? .survived : .killed) }
}
