/// Decides when reports are rewritten, so that writing never takes more than a twentieth of a run.
///
/// The time for a report is proportional to the number of cases so far. Rewriting it after each of
/// n cases would take time in proportion to n squared. So a rewrite is due when the time spent on
/// all rewrites, plus an estimate of this one, is at most a twentieth of the time since the first.
/// The estimate grows with the number of cases. If cases end faster than that, as in a check of
/// many captures, the reports are written at the end. The journal is complete in between.
struct RewriteCadence: Sendable {
    private var first: ContinuousClock.Instant?
    private var spent = Duration.zero
    /// How long a rewrite without cases takes.
    private var fixed = Duration.zero
    private var last = (length: Duration.zero, caseCount: 0)

    /// Returns whether a rewrite of reports with the given number of cases is due.
    func isDue(at now: ContinuousClock.Instant, caseCount: Int) -> Bool {
        guard let first else { return true }
        let growth = max(1, Double(caseCount) / Double(max(1, last.caseCount)))
        let estimate = fixed + max(.zero, last.length - fixed) * growth
        return (spent + estimate) * 20 <= first.duration(to: now)
    }

    /// Records a rewrite.
    mutating func wrote(
        from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, caseCount: Int
    ) {
        last = (start.duration(to: end), caseCount)
        if first == nil {
            first = start
            if caseCount == 0 { fixed = last.length }
        }
        spent += last.length
    }
}
