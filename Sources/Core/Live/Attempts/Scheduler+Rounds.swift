import Judge
import Results

extension Scheduler {
    /// Runs executions round after round, until there is none to start.
    ///
    /// The next round is requested when all executions of the last one have ended.
    ///
    /// - Parameters:
    ///   - rounds: Returns the executions of the next round.
    ///   - job: Makes the job of an execution.
    ///   - wants: Whether an execution is still wanted when its turn has come.
    ///   - waiting: Called repeatedly while executions run.
    ///   - listener: Called at each start, without a result, and at each end; returns whether to go
    ///     on.
    func run(
        rounds: () -> [AttemptLedger.Turn], job: (AttemptLedger.Turn) throws -> Job,
        selects: (AttemptLedger.Turn) -> Bool = { _ in true }, waiting: () throws -> Void,
        listener: (AttemptLedger.Turn, CaseResult?) throws -> Bool
    ) throws -> Outcome {
        while true {
            let turns = rounds()
            guard !turns.isEmpty else { return .completed }
            let outcome = try run(turns.map(job), selects: { selects(turns[$0]) }) { event in
                switch event {
                case .started(let index): return try listener(turns[index], nil)
                case .finished(let index, let result): return try listener(turns[index], result)
                case .waiting:
                    try waiting()
                    return true
                }
            }
            guard outcome == .completed else { return outcome }
        }
    }
}
