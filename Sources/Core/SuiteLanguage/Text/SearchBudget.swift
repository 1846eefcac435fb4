import Glibc
import Synchronization

/// The processor time that searches for regular expressions may take together.
///
/// A search takes little time for each byte of its text. What it takes beyond that is subtracted
/// from the budget; when nothing is left, a search that would take longer reaches its limit.
package enum SearchBudget {
    private static let spent = Atomic<Int>(0)
    /// The nanoseconds that all searches together may take beyond what is sensible.
    private static let total = 2_000_000_000
    /// The nanoseconds that one search may take beyond what is sensible.
    private static let single = 250_000_000

    /// Begins a new budget: for the next capture.
    package static func renew() { spent.store(0, ordering: .relaxed) }

    static var isSpent: Bool { spent.load(ordering: .relaxed) >= total }

    static func charge(_ nanoseconds: Int) {
        spent.wrappingAdd(max(0, nanoseconds), ordering: .relaxed)
    }

    /// Returns the nanoseconds that a search of a text may sensibly take.
    static func share(of byteCount: Int) -> Int { 20_000 + 100 * byteCount }

    /// The nanoseconds that a search may take beyond its share.
    static var rest: Int { min(single, max(0, total - spent.load(ordering: .relaxed))) }
}

/// Watches the processor time of one search, at each place where it starts again.
struct SearchWatch {
    private let start = SearchWatch.now(CLOCK_THREAD_CPUTIME_ID)
    private let allowed: Int
    private var begun = 0

    /// How many places are tried before the time is looked at.
    private static let interval = 8

    init(allowed: Int) { self.allowed = allowed }

    /// The processor time of the search so far.
    var elapsed: Int { Self.now(CLOCK_THREAD_CPUTIME_ID) - start }

    /// Records that the search begins at a place; returns whether its time is up.
    mutating func isOver() -> Bool {
        begun += 1
        return begun % Self.interval == 0 && elapsed > allowed
    }

    /// Returns the time of a clock in nanoseconds.
    static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
