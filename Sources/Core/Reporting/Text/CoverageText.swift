import Results

/// The scope of a verdict on a device, in words.
enum CoverageText {
    /// Returns, for example,
    /// `to the 58 requirements that were judged; 15 were not (9 not applicable, 6 inconclusive)`.
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

    /// Returns the reasons why no case came to a conclusion on the requirements, with counts.
    private static func reasons(_ rows: [Coverage.Row]) -> [String] {
        let words = rows.map { row in
            switch row.verdict {
            case _ where row.cases.isEmpty: "without a case in this run"
            case .skipped: "not applicable"
            case .error: "stopped by an error"
            case .inconclusive: "inconclusive"
            default: "not run, or failed earlier"
            }
        }
        let order = [
            "stopped by an error", "inconclusive", "not run, or failed earlier", "not applicable",
            "without a case in this run",
        ]
        return order.compactMap { word in
            let count = words.count { $0 == word }
            return count > 0 ? "\(count) \(word)" : nil
        }
    }
}
