import Results

/// The outcomes of the parts of a trace, of which there may be very many.
///
/// Those of the first parts are passed on one by one, and their details up to a smaller number. All
/// later ones are counted; the gravest of them stands for them.
struct OutcomeLedger: Sendable {
    /// How many parts have outcomes of their own.
    private let listedMax: Int
    /// How many outcomes keep what explains them.
    private static let explainedMax = 1_024
    private var count = 0
    private var rest: [Judge.Outcome?]

    /// Creates an empty ledger.
    init(listedMax: Int, caseCount: Int) {
        self.listedMax = listedMax
        rest = Array(repeating: nil, count: caseCount)
    }

    /// Takes the outcomes of a part, one for each case; returns those to be passed on.
    mutating func take(_ outcomes: [Judge.Outcome]) -> [Judge.Outcome] {
        guard !outcomes.isEmpty else { return [] }
        count += 1
        guard count > listedMax else {
            return count > Self.explainedMax ? outcomes.map(\.brief) : outcomes
        }
        for (index, outcome) in outcomes.enumerated() where rest.indices.contains(index) {
            var counts = rest[index]?.standsFor ?? [:]
            counts[outcome.judgement.verdict, default: 0] += 1
            let isGraver =
                rest[index].map { Self.gravity(outcome) < Self.gravity($0) } ?? true
            if isGraver { rest[index] = outcome.brief }
            rest[index]?.standsFor = counts
        }
        return []
    }

    private static func gravity(_ outcome: Judge.Outcome) -> Int {
        let order: [Verdict] = [.fail, .error, .inconclusive, .pass]
        return order.firstIndex(of: outcome.judgement.verdict) ?? order.count
    }

    /// One outcome for each case, which stands for those that were not passed on.
    var further: [Judge.Outcome] { rest.compactMap(\.self) }
}

extension Judge.Outcome {
    /// The outcome without what explains it.
    fileprivate var brief: Judge.Outcome {
        var outcome = self
        outcome.evidence = nil
        outcome.judgement.reason?.explanation = nil
        outcome.judgement.comments = [:]
        return outcome
    }
}
