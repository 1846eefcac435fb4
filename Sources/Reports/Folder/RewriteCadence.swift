/// Decides when reports are rewritten, so that writing never takes more than a twentieth of a run.
///
/// A report costs time in proportion to the cases so far; rewriting it after each of n cases would
/// take time in proportion to n squared. So the next rewriting waits nineteen times as long as the
/// last one took. For a small run that is a few milliseconds: every case. The journal loses nothing in
/// between.
struct RewriteCadence: Sendable {
    private var next: ContinuousClock.Instant?

    /// Whether it is time to rewrite.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let next else { return true }
        return now >= next
    }

    /// Takes note of a rewriting.
    mutating func wrote(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        next = end + start.duration(to: end) * 19
    }
}
