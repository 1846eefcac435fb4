import Verdicts

/// The executions of a run's cases, gathered until each case has its one result.
struct AttemptLedger {
    /// One execution of one case.
    struct Turn: Hashable, Sendable {
        /// The case, by its place in the plan.
        let place: Int
        /// Which execution of the case it is, counted from 1.
        let number: Int
    }

    private struct Record {
        var started = 0
        var results: [Int: CaseResult] = [:]
        var isClosed = false

        /// Whether an execution has started and not ended.
        var isOpen: Bool { results.count < started }

        /// The results in the order of their executions.
        var ordered: [CaseResult] { results.sorted { $0.key < $1.key }.map(\.value) }
    }

    private let policy: AttemptPolicy
    private var records: [Record]

    /// Opens a ledger for so many cases.
    init(policy: AttemptPolicy, cases: Int) {
        self.policy = policy
        records = Array(repeating: Record(), count: cases)
    }

    /// The executions to start next, those of one case together; none for a case whose result has
    /// come or of which an execution has not ended.
    mutating func nextRound() -> [Turn] {
        records.indices.flatMap { place -> [Turn] in
            guard !records[place].isClosed, !records[place].isOpen else { return [] }
            let count = policy.wanted(after: records[place].ordered.map(\.verdict))
            let first = records[place].started + 1
            records[place].started += count
            return (first..<first + count).map { Turn(place: place, number: $0) }
        }
    }

    /// Takes the result of an execution; returns the case's result if it was its last one.
    mutating func take(_ result: CaseResult, of turn: Turn) -> CaseResult? {
        var kept = result
        if result.verdict == .pass, turn.number > 1 {
            // Only the first pass can speak for its case; thousands of others would fill the memory.
            (kept.steps, kept.ignored) = ([], [:])
        }
        records[turn.place].results[turn.number] = kept
        let record = records[turn.place]
        guard !record.isOpen,
            policy.wanted(after: record.ordered.map(\.verdict)) == 0
        else { return nil }
        records[turn.place].isClosed = true
        return policy.folded(record.ordered)
    }

    /// What the executions so far come to, for the cases whose last one never ended.
    mutating func close() -> [CaseResult] {
        records.indices.compactMap { place in
            guard !records[place].isClosed else { return nil }
            records[place].isClosed = true
            return policy.folded(records[place].ordered)
        }
    }
}
