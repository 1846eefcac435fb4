import Trace
import Wire

/// The reasons in the trace why peers did not answer the device.
struct SilenceRecord: Sendable {
    /// The largest number of silences in a sentence: the last ones before the missing message.
    private static let namedMax = 2

    private var all: [(time: Timestamp, text: String)] = []

    /// Records a message if it explains a peer's silence; returns whether it does.
    mutating func record(_ message: TraceMessage) -> Bool {
        guard message.source == nil, let text = (message.content as? DeviceEvent)?.silence else {
            return false
        }
        all.append((message.time, text))
        return true
    }

    /// Returns the reasons for peers' silence up to a moment: `; the peer hu dropped …`.
    func text(until time: Timestamp) -> String {
        let named = all.filter { $0.time <= time }.suffix(Self.namedMax)
        return named.map { "; the peer \($0.text)" }.joined()
    }
}
