import SuiteLanguage
import Trace

/// A connection that was handed over to the matcher, but has got only a few messages since.
///
/// Such messages are for example those that end it. It waits until more messages come, or until
/// time has decided its cases. A part with its matchers is several times as large, and if none of a
/// capture's connections is a pass, most of them wait for time.
struct ParkedConnection: Sendable {
    /// The largest number of messages that are kept before a part is created.
    private static let messagesMax = 4

    let handover: Handover
    let attempt: TraceMessage
    /// The first part of it that was not captured.
    private(set) var loss: UnseenSpan?
    private var later: [TraceMessage] = []

    init(_ handover: Handover, after attempt: TraceMessage, loss: UnseenSpan?) {
        (self.handover, self.attempt, self.loss) = (handover, attempt, loss)
    }

    /// The longest time in which every case is decided if no further message comes.
    var patience: Duration { handover.patience }

    /// Its messages that are kept with their content.
    var messages: [TraceMessage] { [attempt] + later }

    /// Keeps a message; returns whether there was room for it.
    mutating func consume(_ message: TraceMessage) -> Bool {
        guard later.count < Self.messagesMax else { return false }
        later.append(message)
        return true
    }

    /// Records a part of it that was not captured.
    mutating func record(_ span: UnseenSpan) {
        if loss.map({ span.since < $0.since }) ?? true { loss = span }
    }

    /// Passes everything that is known of it to cases.
    func notify(_ set: inout CaseSet) {
        _ = set.consume(attempt)
        set.resume(handover.marks, after: attempt)
        for message in later { _ = set.consume(message) }
    }
}
