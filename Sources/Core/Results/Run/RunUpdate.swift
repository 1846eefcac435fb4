/// An event in a run, reported with the result so far.
public enum RunUpdate: Sendable {
    /// A case goes to a worker.
    case started(CaseReference)
    /// A case has ended or was skipped.
    case ended(CaseResult)
    /// Nothing new; reported about once a second while cases run.
    case waiting
}
