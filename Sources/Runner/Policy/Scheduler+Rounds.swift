import Verdicts

extension Scheduler {
    /// Runs executions round after round, until there is none to start; the next round is asked for
    /// when all executions of the last one have ended.
    ///
    /// - Parameter listener: Told each start, without a result, and each end; answers whether to go
    ///   on.
    func run(
        rounds: () -> [AttemptLedger.Turn], job: (AttemptLedger.Turn) -> Job,
        listener: (AttemptLedger.Turn, CaseResult?) throws -> Bool
    ) throws -> Outcome {
        while true {
            let turns = rounds()
            guard !turns.isEmpty else { return .completed }
            let outcome = try run(turns.map(job)) { event in
                switch event {
                case .started(let index): try listener(turns[index], nil)
                case .finished(let index, let result): try listener(turns[index], result)
                }
            }
            guard outcome == .completed else { return outcome }
        }
    }
}
