import SuiteLanguage
import Trace
import Wire

/// The latest messages that a `never` rule with `moreThan` counts.
struct Crowd: Sendable, Hashable {
    /// Too many messages in a time.
    struct Excess: Sendable, Hashable {
        /// What is allowed.
        let rate: MessageRate
        /// When the first of the messages came that are too many together.
        let since: Timestamp
        /// How long after that the last of them came.
        let span: Duration

        /// By how much they are too close together.
        var shortfall: Duration { rate.within - span }
    }

    private let rate: MessageRate
    /// When the latest messages came, one more than are allowed.
    private var times: [Timestamp] = []
    /// The number of the last of them.
    private var last: Int?

    init(_ rate: MessageRate) { self.rate = rate }

    /// Counts a message.
    mutating func append(_ message: PlacedMessage) {
        if times.count > rate.count { times.removeFirst() }
        times.append(message.time)
        last = message.message.number
    }

    /// Returns how a message exceeds the rate; `nil` if it does not, or is not the last counted.
    func excess(by message: PlacedMessage) -> Excess? {
        guard last == message.message.number, times.count > rate.count, let first = times.first,
            message.time - first < rate.within
        else { return nil }
        return Excess(rate: rate, since: first, span: max(.zero, message.time - first))
    }
}
