import Suites
import Trace

/// A connection that was handed over to the matcher and of which only a few messages have come since,
/// such as those that end it: it waits until more come, or until time has decided its cases.
///
/// A part with its matchers is several times as large, and most connections of a capture in which none
/// is a pass wait for time.
struct ParkedConnection: Sendable {
    /// How many messages are kept before a part is made.
    private static let messagesMax = 4

    let handover: Handover
    let attempt: TraceMessage
    /// The first thing that was not captured of it.
    private(set) var loss: UnseenSpan?
    private var later: [TraceMessage] = []

    init(_ handover: Handover, after attempt: TraceMessage, loss: UnseenSpan?) {
        (self.handover, self.attempt, self.loss) = (handover, attempt, loss)
    }

    /// In how much time every case is decided at the latest if no message comes any more.
    var patience: Duration { handover.patience }

    /// Its messages that are kept whole.
    var messages: [TraceMessage] { [attempt] + later }

    /// Keeps a message; returns whether there was room for it.
    mutating func take(_ message: TraceMessage) -> Bool {
        guard later.count < Self.messagesMax else { return false }
        later.append(message)
        return true
    }

    /// Takes note of what was not captured of it.
    mutating func note(_ span: UnseenSpan) {
        if loss.map({ span.since < $0.since }) ?? true { loss = span }
    }

    /// Gives cases all that is known of it.
    func tell(_ set: inout CaseSet) {
        _ = set.take(attempt)
        set.resume(handover.marks, after: attempt)
        for message in later { _ = set.take(message) }
    }
}
