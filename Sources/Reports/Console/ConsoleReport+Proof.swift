import Verdicts

/// One line of what `conform prove` shows: what became of one mutant.
public struct ProofRow: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The unmutated device passed everywhere.
        case passes
        /// The unmutated device did not pass somewhere.
        case doesNotPass = "does not pass"
        /// A case that claims to watch the broken rule failed, and no other.
        case killed
        /// No case failed.
        case survived
        /// A case failed, or was in error, that the mutant does not explain.
        case stray = "stray failure"

        /// Whether the suites have proved themselves on this device.
        public var isProof: Bool { self == .passes || self == .killed }
    }

    /// The mutant's name; `nil` for the unmutated device.
    public var mutant: String?
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The cases that killed it, or that should not have failed.
    public var cases: [String]
    /// How it ended.
    public var outcome: Outcome

    /// Makes a row.
    public init(mutant: String?, requirements: [String], cases: [String], outcome: Outcome) {
        self.mutant = mutant
        self.requirements = requirements
        self.cases = cases
        self.outcome = outcome
    }
}

extension ConsoleReport {
    /// The table mutant x requirement x case x result, and the sum.
    public static func proof(_ rows: [ProofRow], style: Style = .plain) -> String {
        let head = ["mutant", "requirement", "case", "result"]
        let cells = rows.map(cells)
        let widths = head.indices.map { column in
            ([head] + cells).map { Columns.width(of: $0[column]) }.max() ?? 0
        }
        var lines = [style.paint(line(head, widths), .bold)]
        for (row, cells) in zip(rows, cells) {
            let text = line(cells, widths)
            lines.append(row.outcome.isProof ? text : style.paint(text, .red))
        }
        let mutants = rows.filter { $0.mutant != nil }
        let killed = mutants.count(where: \.outcome.isProof)
        let unmutated = rows.first { $0.mutant == nil }?.outcome.rawValue ?? "was not run"
        let sum = "\(killed) of \(mutants.count) killed; the unmutated device \(unmutated)"
        return (lines + [sum]).joined(separator: "\n")
    }

    private static func cells(_ row: ProofRow) -> [String] {
        let more = row.cases.count > 1 ? " (+\(row.cases.count - 1))" : ""
        let requirements = row.requirements.joined(separator: ", ")
        return [
            row.mutant ?? "(none)", requirements.isEmpty ? "-" : requirements,
            row.cases.first.map { $0 + more } ?? "-", row.outcome.rawValue,
        ].map(PlainText.line)
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).dropLast().map { Columns.padded($0, to: $1) }
        return (padded + cells.suffix(1)).joined(separator: "  ")
    }
}
