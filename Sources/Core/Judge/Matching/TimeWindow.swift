import SuiteLanguage
import Trace
import Wire

/// When a step's message may come, both ends included.
struct TimeWindow: Sendable {
    /// The position of a point in time relative to the window.
    enum Placement: Sendable, Hashable {
        /// Before the window, by this time relative to the bound that the suite states.
        case early(Duration)
        case inside
        /// After the window, by this time relative to the bound that the suite states.
        case late(Duration)
    }

    /// The moment that it counts from.
    let origin: Timestamp
    /// The first moment at which the message may come; `nil` for any.
    let earliest: Timestamp?
    /// The last moment at which the message may come.
    let latest: Timestamp
    private let statedEarliest: Timestamp
    private let statedLatest: Timestamp

    /// Creates the window of `step`; the tolerance widens it at both ends.
    init(of step: Step, origin: Timestamp) {
        self.origin = origin
        let last = step.at ?? step.within
        let first = step.at ?? step.after
        statedLatest = origin + last
        statedEarliest = origin + (first ?? .zero)
        latest = statedLatest + step.tolerance.bound(for: last)
        earliest = first.map { origin + ($0 - step.tolerance.bound(for: $0)) }
    }

    /// Returns this window with the end of another one.
    func ending(as other: TimeWindow) -> TimeWindow { TimeWindow(beginningOf: self, endOf: other) }

    private init(beginningOf one: TimeWindow, endOf other: TimeWindow) {
        origin = one.origin
        (earliest, statedEarliest) = (one.earliest, one.statedEarliest)
        (latest, statedLatest) = (other.latest, other.statedLatest)
    }

    /// Returns the position of `time`.
    func placement(of time: Timestamp) -> Placement {
        if let earliest, time < earliest { return .early(statedEarliest - time) }
        if time > latest { return .late(time - statedLatest) }
        return .inside
    }
}
