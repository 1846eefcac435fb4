import Results
import Wire

/// The history of each case over several runs, in the order of time.
public struct RunHistory: Sendable {
    /// The history of one case.
    struct Row {
        let reference: CaseReference
        /// Its result in each run; `nil` if it was not planned.
        let results: [CaseResult?]
        /// The index of the run since which it has not passed; `nil` if it passed when last judged.
        let brokenSince: Int?
        /// The number of changes between pass and fail, and the number of possible changes.
        let changes: Int
        let chances: Int
        /// The number of runs in which it passed only on a repetition.
        let flaky: Int

        init(_ reference: CaseReference, _ results: [CaseResult?]) {
            self.reference = reference
            self.results = results
            // The runs with a conclusion, each with whether the case passed.
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
        /// Whether it passed in every run that planned it.
        var isSteady: Bool { results.allSatisfy { $0.map { $0.verdict == .pass } ?? true } }

        /// The changes: `broken since run 3; changed 1 of 3 times; flaky in 1 of 4 runs`.
        var remarks: [String] {
            [
                brokenSince.map { "broken since run \($0 + 1)" },
                changes > 0 ? "changed \(changes) of \(chances) times" : nil,
                flaky > 0
                    ? "flaky in \(flaky) of \(NumberText.count(chances + 1, "run"))" : nil,
            ].compactMap(\.self)
        }
    }

    /// The history of a measurement of a case.
    struct Series {
        let reference: CaseReference
        let name: String
        /// The values in seconds or messages; `nil` if nothing was measured.
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
    /// The measurements of the cases.
    let series: [Series]

    /// Creates the history of runs, sorted by time.
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
