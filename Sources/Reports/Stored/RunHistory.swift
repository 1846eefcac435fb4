import Results
import Wire

/// Several runs in the order of time: what has become of each case.
public struct RunHistory: Sendable {
    /// One case over the runs.
    struct Row {
        let reference: CaseReference
        /// Its result in each run; `nil` where it was not planned.
        let results: [CaseResult?]
        /// The run since which it has not passed; `nil` if it passed when it was last judged.
        let brokenSince: Int?
        /// How many times its verdict changed between pass and fail, and of how many times it could.
        let changes: Int
        let chances: Int
        /// In how many runs it passed only on a repetition.
        let flaky: Int

        init(_ reference: CaseReference, _ results: [CaseResult?]) {
            self.reference = reference
            self.results = results
            // Whether it passed, of the runs that came to a conclusion.
            let judged = results.enumerated().compactMap { place, result -> (Int, Bool)? in
                switch result?.verdict {
                case .pass, .flaky: (place, true)
                case .fail, .known: (place, false)
                default: nil
                }
            }
            let lastPass = judged.lastIndex { $0.1 }
            brokenSince =
                judged.last?.1 == false ? judged[lastPass.map { $0 + 1 } ?? 0].0 : nil
            changes = zip(judged, judged.dropFirst()).count { $0.1 != $1.1 }
            chances = max(0, judged.count - 1)
            flaky = results.count { $0?.verdict == .flaky }
        }

        /// The words of `HTMLVerdict`.
        var words: [String?] { results.map { $0.map(HTMLVerdict.word) } }
        /// Whether it passed whenever it was planned.
        var isSteady: Bool { results.allSatisfy { $0.map { $0.verdict == .pass } ?? true } }

        /// What changes: `broken since run 3; changed 1 of 3 times; flaky in 1 of 4 runs`.
        var remarks: [String] {
            [
                brokenSince.map { "broken since run \($0 + 1)" },
                changes > 0 ? "changed \(changes) of \(chances) times" : nil,
                flaky > 0
                    ? "flaky in \(flaky) of \(NumberText.count(chances + 1, "run"))" : nil,
            ].compactMap(\.self)
        }
    }

    /// Something that a case measures, over the runs.
    struct Series {
        let reference: CaseReference
        let name: String
        /// Seconds, or messages; `nil` where nothing was measured.
        let values: [Double?]
        let isTime: Bool

        var range: (low: Double, high: Double) {
            let known = values.compactMap(\.self)
            return (known.min() ?? 0, known.max() ?? 0)
        }

        func text(_ value: Double?) -> String {
            guard let value else { return "-" }
            return isTime ? "\(NumberText.seconds(value)) s" : NumberText.fixed(value, digits: 0)
        }
    }

    /// The runs, the oldest first.
    let runs: [RunResult]
    /// The cases, in the order in which they were first planned.
    let rows: [Row]
    /// What the cases measure.
    let series: [Series]

    /// Puts runs in the order of time.
    public init(_ unordered: [RunResult]) {
        let runs = unordered.sorted { $0.header.started.time < $1.header.started.time }
        let results = runs.map { run in
            Dictionary(run.casesInPlanOrder.map { (CaseReference($0), $0) }) { $1 }
        }
        var seen: Set<CaseReference> = []
        let references = runs.flatMap { $0.casesInPlanOrder.map(CaseReference.init) }
            .filter { seen.insert($0).inserted }
        let rows = references.map { reference in Row(reference, results.map { $0[reference] }) }
        self.runs = runs
        self.rows = rows
        series = rows.flatMap { row -> [Series] in
            var names: [String] = []
            for measurement in row.results.flatMap({ $0?.measurements ?? [] })
            where !names.contains(measurement.name) { names.append(measurement.name) }
            return names.map { name in
                let found = row.results.map { $0?.measurements?.first { $0.name == name } }
                return Series(
                    reference: row.reference, name: name,
                    values: found.map { $0.flatMap { $0.seconds ?? $0.count.map(Double.init) } },
                    isTime: found.contains { $0?.seconds != nil })
            }
        }
    }
}
