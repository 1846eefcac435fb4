/// The outcome of a run, as the exit code of the process; never a count.
public enum ExitStatus: Int32, Sendable, Hashable, Codable, CaseIterable {
    /// All planned cases are judged: passes, listed known failures, or not applicable.
    case conformant = 0
    /// At least one case failed, or an entry of the list of known failures is stale.
    ///
    /// A case that passed although it is listed counts as failed, and so does a flaky case under
    /// `--strict flaky`. A stale entry has expired or matches nothing.
    case notConformant = 1
    /// Usage, suite, profile or configuration is invalid; nothing was run.
    case invalid = 2
    /// At least one case is an error or inconclusive, or plan and results do not agree.
    case couldNotJudge = 3
    /// No case matched, all were skipped, or fewer than `--min` passed.
    ///
    /// Without a single pass a run is not conformant.
    case nothingExecuted = 4
    /// A report could not be written.
    case reportFailed = 5
    /// Interrupted from the keyboard (SIGINT).
    case interrupted = 130
    /// Terminated on request (SIGTERM).
    case terminated = 143

    /// Chooses the status in this order of precedence: signal, 2, 1, 3, 5, 4, 0.
    ///
    /// - Parameters:
    ///   - audit: The audit of the run.
    ///   - minimum: The fewest cases that must pass; less than one means one.
    ///   - interruption: The signal that ended the run early.
    ///   - invalid: Whether the input was rejected.
    ///   - reportFailed: Whether a report could not be written.
    ///   - strict: Whether a flaky case fails the run.
    ///   - staleEntries: How many entries of the list of known failures are failures themselves.
    public init(
        audit: Audit, minimum: Int = 1, interruption: Interruption? = nil, invalid: Bool = false,
        reportFailed: Bool = false, strict: Bool = false, staleEntries: Int = 0
    ) {
        let judged = audit.judged
        let brokenPlan = !audit.isConsistent || (audit.notRun > 0 && judged.total > 0)
        self =
            if let interruption {
                interruption.status
            } else if invalid {
                .invalid
            } else if judged.fail > 0 || (strict && judged.flaky > 0) || staleEntries > 0 {
                .notConformant
            } else if judged.error > 0 || judged.inconclusive > 0 || brokenPlan {
                .couldNotJudge
            } else if reportFailed {
                .reportFailed
            } else if judged.passed < max(1, minimum) || audit.planned == 0 {
                .nothingExecuted
            } else {
                .conformant
            }
    }

    /// The outcome in a few words, for the headings of reports.
    public var word: String {
        switch self {
        case .conformant: "conformant"
        case .notConformant: "not conformant"
        case .invalid: "invalid input"
        case .couldNotJudge: "could not judge"
        case .nothingExecuted: "nothing executed"
        case .reportFailed: "report not written"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }
}

/// A signal that ends a run early.
public enum Interruption: String, Sendable, Hashable, Codable, CaseIterable {
    /// SIGINT.
    case interrupt
    /// SIGTERM, or another signal that asks a program to end.
    case terminate

    /// The resulting exit status, 128 plus the signal's number.
    public var status: ExitStatus {
        switch self {
        case .interrupt: .interrupted
        case .terminate: .terminated
        }
    }

    /// What happened, as a clause.
    var phrase: String {
        switch self {
        case .interrupt: "the run was interrupted"
        case .terminate: "the run was asked to end"
        }
    }
}
