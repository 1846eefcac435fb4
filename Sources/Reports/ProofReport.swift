import Verdicts

/// What became of one mutant in `conform prove`.
public struct MutantProof: Sendable, Hashable, Codable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// A case that claims it failed, and cited the requirement.
        case killed
        /// No case failed.
        case survived
        /// Cases failed, but none that claims it, or for another requirement.
        case wrongCase = "wrong case"
        /// A case failed that the mutant does not break.
        case collateral
        /// It could not be judged.
        case inconclusive
    }

    /// The mutant's name; `nil` for the unmutated device, which must pass.
    public var mutant: String?
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The cases that failed, those that claim it first.
    public var killers: [String]
    /// How it ended; for the unmutated device `survived` is the good end.
    public var outcome: Outcome

    /// Makes a row.
    public init(
        mutant: String?, requirements: [String], killers: [String], outcome: Outcome
    ) {
        self.mutant = mutant
        self.requirements = requirements
        self.killers = killers
        self.outcome = outcome
    }

    /// Whether the suite has proved itself on this device.
    public var isProof: Bool { outcome == (mutant == nil ? .survived : .killed) }
}

/// What `conform prove` shows: mutant x requirement x killing case x result.
public enum ProofReport {
    /// The table and the sum.
    public static func lines(_ proofs: [MutantProof], style: Style = .plain) -> [String] {
        let head = ["mutant", "requirement", "killed by", "result"]
        let rows = proofs.map(cells)
        let widths = head.indices.map { column in
            ([head] + rows).map { Columns.width(of: $0[column]) }.max() ?? 0
        }
        var lines = [line(head, widths)]
        for (proof, row) in zip(proofs, rows) {
            let text = line(row, widths)
            lines.append(proof.isProof ? text : style.paint(text, .red))
        }
        let mutants = proofs.filter { $0.mutant != nil }
        let killed = mutants.count(where: \.isProof)
        let base = proofs.filter { $0.mutant == nil }
        let unmutated =
            base.isEmpty
            ? "was not run" : base.allSatisfy(\.isProof) ? "passes" : "does not pass"
        return lines + ["\(killed) of \(mutants.count) killed; the unmutated device \(unmutated)"]
    }

    /// Whether every mutant was killed by the case that claims it and the unmutated device passes.
    public static func isProved(_ proofs: [MutantProof]) -> Bool {
        proofs.contains { $0.mutant == nil } && proofs.contains { $0.mutant != nil }
            && proofs.allSatisfy(\.isProof)
    }

    private static func cells(_ proof: MutantProof) -> [String] {
        let more = proof.killers.count > 1 ? " (+\(proof.killers.count - 1))" : ""
        let killer = proof.killers.first.map { $0 + more } ?? "-"
        let requirements = proof.requirements.joined(separator: ", ")
        let result = proof.mutant == nil && proof.isProof ? "passes" : proof.outcome.rawValue
        return [
            proof.mutant ?? "(none)", requirements.isEmpty ? "-" : requirements, killer, result,
        ].map(PlainText.line)
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).dropLast().map { Columns.padded($0, to: $1) }
        return (padded + cells.suffix(1)).joined(separator: "  ")
    }
}
