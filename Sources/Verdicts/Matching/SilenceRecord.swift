import Trace
import Wire

/// Why peers did not answer the device, as the trace tells.
struct SilenceRecord: Sendable {
    /// Most silences that a sentence names: the last ones before what was missing.
    private static let namedMax = 2

    private var all: [(time: Timestamp, text: String)] = []

    /// Takes note of a message if a peer tells by it why it is silent; returns whether it does.
    mutating func note(_ message: TraceMessage) -> Bool {
        guard message.source == nil, let text = (message.content as? DeviceEvent)?.silence else {
            return false
        }
        all.append((message.time, text))
        return true
    }

    /// What peers said of their silence up to a moment: `; the peer hu dropped …`.
    func text(until time: Timestamp) -> String {
        let named = all.filter { $0.time <= time }.suffix(Self.namedMax)
        return named.map { "; the peer \($0.text)" }.joined()
    }
}
