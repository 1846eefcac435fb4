import Verdicts

/// What became of one mutant in `conform prove`.
public struct MutantProof: Sendable, Hashable, Codable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// A case that claims it failed, and cited the requirement; no other requirement was cited.
        case killed
        /// No case failed.
        case survived
        /// Cases failed, but none that claims it.
        case wrongCase = "wrong case"
        /// A case failed for a requirement that the mutant does not break.
        case collateral
        /// It could not be judged.
        case inconclusive
        /// The proof was ended before all cases had ended on it.
        case notRun = "not run"
    }

    /// The mutant's name; `nil` for the unmutated device, which must pass.
    public var mutant: String?
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The cases that failed and cite a requirement that the mutant breaks.
    public var killers: [String]
    /// How it ended; for the unmutated device `survived` is the good end.
    public var outcome: Outcome
    /// The results that keep this row from being a proof.
    public var problems: [CaseResult]

    /// Makes a row.
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

    /// Whether the suite has proved itself on this device.
    public var isProof: Bool { outcome == (mutant == nil ? .survived : .killed) }
}

extension MutantProof {
    /// The row of a device on which not all cases ended; `nil` is the unmutated device.
    init(unfinished mutant: Mutant?) {
        self.init(
            mutant: mutant?.name, requirements: mutant?.requirements ?? [], killers: [],
            outcome: .notRun)
    }

    /// Weighs the results of all cases that were run on a mutant; `nil` is the unmutated device.
    ///
    /// A mutant may keep a case of another requirement from being judged (its preamble is not
    /// reached), and may fail one whose situation it says that it masks; no other.
    init(mutant: Mutant?, results: [CaseResult]) {
        let broken = Set(mutant?.requirements ?? [])
        func cites(_ result: CaseResult, within wanted: Set<String>) -> Bool {
            result.checks.contains { $0.verdict == .fail && wanted.contains($0.requirement) }
        }
        let failed = results.filter { $0.verdict == .fail }
        let killers = failed.filter { cites($0, within: broken) }
        let excused = broken.union(mutant?.masks ?? [])
        let strays = failed.filter { !cites($0, within: excused) }
        let unjudged = results.filter {
            $0.verdict == .error || mutant == nil && ![.pass, .fail, .known].contains($0.verdict)
        }
        let outcome: Outcome =
            if results.isEmpty || !unjudged.isEmpty {
                .inconclusive
            } else if mutant == nil {
                failed.isEmpty ? .survived : .wrongCase
            } else if killers.isEmpty {
                strays.isEmpty ? .survived : .wrongCase
            } else {
                strays.isEmpty ? .killed : .collateral
            }
        self.init(
            mutant: mutant?.name, requirements: mutant?.requirements ?? [],
            killers: killers.map { "\(CaseReference($0))" }, outcome: outcome,
            problems: outcome == .killed ? [] : strays + unjudged)
    }
}
