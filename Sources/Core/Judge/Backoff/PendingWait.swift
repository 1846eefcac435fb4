import Results
import SuiteLanguage
import Trace
import Wire

/// A possible next wait: its bounds with the tolerance.
struct PendingWait {
    let number: Int
    let bounds: WaitBounds
    /// The moment that it counts from.
    let base: Timestamp
    /// The shortest allowed time.
    ///
    /// It is negative if the previous failure is known only from the client's own timeout, because
    /// the client's timer may have reached that early.
    let lower: Duration
    /// The longest allowed time; `nil` if the traffic does not show it.
    let upper: Duration?
    /// Whether the bounds differ from the schedule's because the previous attempt took longer.
    let isWidened: Bool

    /// Adds the tolerance to bounds.
    ///
    /// - Parameters:
    ///   - number: Its number since the last reset.
    ///   - bounds: The bounds of the schedule; `nil` if they are not known, so that any wait is
    ///     allowed.
    ///   - base: The moment that it counts from.
    ///   - end: When the previous attempt failed or its connection closed; `nil` if it has not.
    ///   - isEndSeen: Whether the traffic shows that.
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

    /// Returns by how much an attempt at that time is outside the allowed times.
    func miss(_ time: Timestamp) -> Duration {
        let measured = time - base
        return measured < lower ? lower - measured : max(.zero, measured - (upper ?? measured))
    }

    /// Returns the wait for reports, ended by an attempt or not.
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
