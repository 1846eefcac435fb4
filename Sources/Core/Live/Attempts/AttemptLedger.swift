import Judge
import Results

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
        var firstPass: Int?
        /// Executions that do not count, because the machine was too busy to judge them.
        var late: [CaseResult] = []
        var isClosed = false

        /// Whether an execution has started and not ended.
        var isOpen: Bool { results.count + late.count < started }

        /// Keeps the steps and the evidence of the first pass only.
        ///
        /// Only the first pass can represent its case; thousands of others would fill the memory.
        mutating func trim(pass number: Int) {
            guard let first = firstPass else {
                firstPass = number
                return
            }
            firstPass = min(first, number)
            results[max(first, number)]?.steps = []
            results[max(first, number)]?.evidence = nil
            results[max(first, number)]?.ignored = [:]
        }

        /// The results in the order of their executions.
        var ordered: [CaseResult] { results.sorted { $0.key < $1.key }.map(\.value) }
    }

    private let policy: AttemptPolicy
    private let lateRetries: Int
    private let order: [Int]
    private var records: [Record]

    /// Opens a ledger for the given number of cases, whose executions begin in a given order.
    ///
    /// By default this is the order of the plan. An inconclusive execution with a late harness
    /// shows only that the machine was too busy; at most `lateRetries` of them are put aside for
    /// each case and replaced by others.
    init(policy: AttemptPolicy, lateRetries: Int = 0, cases: Int, order: [Int]? = nil) {
        self.order = order ?? Array(0..<cases)
        self.policy = policy
        self.lateRetries = lateRetries
        records = Array(repeating: Record(), count: cases)
    }

    /// Returns the executions to start next, those of one case together.
    ///
    /// There is none for a case that has its result or has an execution that has not ended.
    mutating func nextRound() -> [Turn] {
        order.flatMap { place -> [Turn] in
            guard !records[place].isClosed, !records[place].isOpen else { return [] }
            let count = policy.wanted(after: records[place].ordered.map(\.verdict))
            let first = records[place].started + 1
            records[place].started += count
            return (first..<first + count).map { Turn(place: place, number: $0) }
        }
    }

    /// Records the result of an execution; returns the case's result if it was the last execution.
    mutating func consume(_ result: CaseResult, of turn: Turn) -> CaseResult? {
        if isLate(result), records[turn.place].late.count < lateRetries {
            records[turn.place].late.append(result)
            return nil
        }
        records[turn.place].results[turn.number] = result
        if result.verdict == .pass { records[turn.place].trim(pass: turn.number) }
        let record = records[turn.place]
        guard !record.isOpen,
            policy.wanted(after: record.ordered.map(\.verdict)) == 0
        else { return nil }
        records[turn.place].isClosed = true
        return folded(record)
    }

    /// Returns results from the executions so far, for cases whose last execution never ended.
    mutating func close() -> [CaseResult] {
        records.indices.compactMap { place in
            guard !records[place].isClosed else { return nil }
            records[place].isClosed = true
            return folded(records[place]) ?? records[place].late.last
        }
    }

    private func isLate(_ result: CaseResult) -> Bool {
        result.verdict == .inconclusive && result.reason?.code == .lateHarness
    }

    private func folded(_ record: Record) -> CaseResult? {
        guard var result = policy.folded(record.ordered) else { return nil }
        if !record.late.isEmpty {
            result.remarks.append(
                "executed again, because the machine was too busy: "
                    + record.late.compactMap(\.reason?.summary).joined(separator: "; "))
        }
        return result
    }
}
