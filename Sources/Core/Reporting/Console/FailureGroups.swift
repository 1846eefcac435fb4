import Results
import SuiteLanguage

/// The cases that need attention, grouped by what failed.
///
/// Cases with the same verdict and kind of reason at the same step or rule are one failure.
struct FailureGroups {
    /// The cases of each failure: those that fail before errors, and then in the order of the plan.
    let groups: [[CaseResult]]

    private struct Failure: Hashable {
        let verdict: Verdict
        let code: ReasonCode?
        let position: SourcePosition?
        /// The sentence, where no step or rule is known.
        let sentence: String?

        init(_ result: CaseResult) {
            verdict = result.verdict
            code = result.reason?.code
            position = result.reason?.explanation?.position
            sentence = position == nil ? CaseExplanation.sentence(result) : nil
        }
    }

    /// Creates the groups of those results that need attention.
    init(_ results: [CaseResult]) {
        var groups: [[CaseResult]] = []
        var places: [Failure: Int] = [:]
        for result in results where result.verdict.isAlarming {
            let failure = Failure(result)
            if let place = places[failure] {
                groups[place].append(result)
            } else {
                places[failure] = groups.count
                groups.append([result])
            }
        }
        let order: [Verdict] = [.fail, .error, .inconclusive, .flaky]
        self.groups =
            order.flatMap { verdict in groups.filter { $0[0].verdict == verdict } }
            + groups.filter { !order.contains($0[0].verdict) }
    }
}
