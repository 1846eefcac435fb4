import Results

/// The output of `conform prove`: mutant x requirement x killing case x result.
public enum ProofReport {
    /// Returns the table and the totals.
    public static func lines(_ proofs: [MutantProof], style: Style = .plain) -> [String] {
        let head = ["mutant", "requirement", "killed by", "result"]
        let rows = proofs.map(cells)
        let widths = head.indices.map { column in
            ([head] + rows).map { Columns.width(of: $0[column]) }.max() ?? 0
        }
        var lines = [style.paint(line(head, widths), .bold)]
        for (proof, row) in zip(proofs, rows) {
            let text = line(row, widths)
            lines.append(proof.isProof ? text : style.paint(text, .red))
        }
        let mutants = proofs.filter { $0.mutant != nil }
        let killed = mutants.count(where: \.isProof)
        let base = proofs.first { $0.mutant == nil }
        let unmutated =
            switch base?.outcome {
            case .survived: "passes"
            case .notRun, nil: "was not completely judged"
            default: "does not pass"
            }
        return lines + ["\(killed) of \(mutants.count) killed; the unmutated device \(unmutated)"]
    }

    /// Returns a line about mutants that were omitted; empty if there are none.
    public static func hidden(_ mutants: [Mutant]) -> [String] {
        guard !mutants.isEmpty else { return [] }
        let names = mutants.map(\.name).joined(separator: ", ")
        return ["omitted, because they have no visible effect on this carrier: \(names)"]
    }

    /// Returns the line of a mutant whose cases have all ended, with the number of devices that are
    /// done.
    public static func line(
        _ proof: MutantProof, done: Int, total: Int, style: Style = .plain
    ) -> String {
        let cells = cells(proof)
        let killer = proof.killers.isEmpty ? "" : " by \(cells[2])"
        let text = "\(done) of \(total) devices: \(cells[0]): \(cells[3])\(killer)"
        return proof.isProof ? text : style.paint(text, .red)
    }

    private static func cells(_ proof: MutantProof) -> [String] {
        let more = proof.killers.count > 1 ? " (+\(proof.killers.count - 1))" : ""
        let requirements = proof.requirements.joined(separator: ", ")
        return [
            proof.mutant ?? "(none)", requirements.isEmpty ? "-" : requirements,
            proof.killers.first.map { $0 + more } ?? "-", result(proof),
        ].map(PlainText.line)
    }

    private static func result(_ proof: MutantProof) -> String {
        guard proof.mutant == nil else { return proof.outcome.rawValue }
        return switch proof.outcome {
        case .survived: "passes"
        case .inconclusive: "inconclusive"
        case .notRun: proof.outcome.rawValue
        case .killed, .wrongCase, .collateral: "does not pass"
        }
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).dropLast().map { Columns.padded($0, to: $1) }
        return (padded + cells.suffix(1)).joined(separator: "  ")
    }
}
