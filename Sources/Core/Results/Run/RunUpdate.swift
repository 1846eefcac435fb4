/// An event in a run, reported with the result so far.
public enum RunUpdate: Sendable {
    /// A case goes to a worker.
    case started(CaseReference)
    /// A case has ended or was skipped.
    case ended(CaseResult)
    /// All cases have ended, and the failures of some drawn runs are made shorter.
    case shrinking(Int, atMost: Duration)
    /// The failure of a drawn run that has ended was made shorter.
    case shrunk(CaseResult)
    /// Nothing new; reported about once a second while cases run.
    case waiting
}
