import Results

/// How far a verdict on a device reaches, in words.
enum CoverageText {
    /// `to the 58 requirements that were judged; 15 were not (9 not applicable, 6 without a case)`.
    static func scope(_ coverage: Coverage) -> String {
        let judged = coverage.concluded
        let scope =
            judged == 1
            ? "to the requirement that was judged"
            : "to the \(judged) requirements that were judged"
        let left = coverage.rows.filter { $0.concluded == 0 }
        guard !left.isEmpty else { return scope }
        let were = left.count == 1 ? "was" : "were"
        return "\(scope); \(left.count) \(were) not (\(reasons(left).joined(separator: ", ")))"
    }

    /// Why no case came to a conclusion on requirements, with their number.
    private static func reasons(_ rows: [Coverage.Row]) -> [String] {
        let words = rows.map { row in
            switch row.verdict {
            case _ where row.cases.isEmpty: "without a case in this run"
            case .skipped: "not applicable"
            case .error: "stopped by an error"
            case .inconclusive: "inconclusive"
            default: "not run, or failed before"
            }
        }
        let order = [
            "stopped by an error", "inconclusive", "not run, or failed before", "not applicable",
            "without a case in this run",
        ]
        return order.compactMap { word in
            let count = words.count { $0 == word }
            return count > 0 ? "\(count) \(word)" : nil
        }
    }
}
