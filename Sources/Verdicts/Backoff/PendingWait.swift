import Results
import Suites
import Trace
import Wire

/// A wait that may be next: its bounds with what is allowed beyond them.
struct PendingWait {
    let number: Int
    let bounds: WaitBounds
    /// What it counts from.
    let base: Timestamp
    /// The shortest that is allowed; below zero if the failure before is known from the client's own
    /// limit alone, which its timer may have reached early.
    let lower: Duration
    /// The longest that is allowed; `nil` if the wire does not show.
    let upper: Duration?
    /// Whether the bounds are not those of the schedule, because the attempt before took longer.
    let isWidened: Bool

    /// Adds to bounds what is allowed beyond them.
    ///
    /// - Parameters:
    ///   - number: Its number since the last reset.
    ///   - bounds: What the schedule says; `nil` if nobody knows, so that any wait is right.
    ///   - base: What it counts from.
    ///   - end: When the attempt before failed or fell; `nil` if it has not.
    ///   - isEndSeen: Whether that is seen on the wire.
    ///   - schedule: The schedule.
    init(
        number: Int, bounds known: WaitBounds?, base: Timestamp, end: Timestamp?, isEndSeen: Bool,
        of schedule: BackoffSchedule
    ) {
        let bounds = known ?? WaitBounds(exactly: .zero)
        let earliest = end.map { $0 - base } ?? .zero
        self.number = number
        self.bounds = bounds
        self.base = base
        isWidened = earliest > bounds.lower
        let shortest = max(bounds.lower, earliest)
        let longest = max(bounds.upper, earliest)
        let least = shortest - schedule.early.bound(for: shortest)
        lower = isEndSeen || end == nil ? max(.zero, least) : least
        let isOpen = known == nil || end == nil && schedule.origin == .attemptFailure
        upper = isOpen ? nil : longest + schedule.lateness(after: longest)
    }

    func admits(_ measured: Duration) -> Bool {
        measured >= lower && upper.map { measured <= $0 } ?? true
    }

    func admits(_ time: Timestamp) -> Bool { admits(time - base) }

    /// By how much an attempt at that time misses it.
    func miss(_ time: Timestamp) -> Duration {
        let measured = time - base
        return measured < lower ? lower - measured : max(.zero, measured - (upper ?? measured))
    }

    /// The wait as reports show it, ended by an attempt or not.
    func interval(
        _ index: Int, endedAt time: Timestamp?, frame: Int?, broken: [BackoffSchedule.Rule] = []
    ) -> ScheduledInterval {
        let measured = time.map { $0 - base }
        var interval = ScheduledInterval(
            index: index, wait: number, lower: TimeText.number(lower),
            upper: upper.map(TimeText.number), measured: measured.map(TimeText.number),
            frame: frame, isKept: measured.map(admits) ?? false)
        interval.broken = broken.isEmpty ? nil : broken.map(\.rawValue)
        return interval
    }
}
