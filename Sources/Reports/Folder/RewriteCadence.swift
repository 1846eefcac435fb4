/// Decides when reports are rewritten, so that writing never takes more than a twentieth of a run.
///
/// A report costs time in proportion to the cases so far; rewriting it after each of n cases would
/// take time in proportion to n squared. So the next rewriting is due when all of them, as long as
/// the last one took for it, are a twentieth of the time since the first. The journal loses nothing
/// in between.
struct RewriteCadence: Sendable {
    private var first: ContinuousClock.Instant?
    private var next: ContinuousClock.Instant?
    private var spent = Duration.zero

    /// Whether it is time to rewrite.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let next else { return true }
        return now >= next
    }

    /// Takes note of a rewriting.
    mutating func wrote(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        let first = first ?? start
        let length = start.duration(to: end)
        spent += length
        self.first = first
        next = first + (spent + length) * 20
    }
}
