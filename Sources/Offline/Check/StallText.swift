import Trace
import Wire

/// The short form of stalls in a capture's metadata: there may be many, and a comment of pcapng
/// holds 65,535 bytes.
///
/// `12 16 5394032 device 4103`: it is the twelfth of all events, counted from 0, stands behind frame
/// 16, 5394032 ns after the start of the case, and the device was held up for 4103 µs.
enum StallText {
    /// The events that are no stalls, and the texts of those that are.
    static func taken(
        out events: [CaseMetadata.Event], since start: Timestamp
    ) -> (others: [CaseMetadata.Event], stalls: [String]?) {
        var (others, stalls): ([CaseMetadata.Event], [String]) = ([], [])
        for (index, event) in events.enumerated() {
            if let stall = stall(event) {
                let offset = event.time.nanoseconds - start.nanoseconds
                let length = Int64(stall.length / .microseconds(1))
                stalls.append("\(index) \(event.afterFrame) \(offset) \(stall.party) \(length)")
            } else {
                others.append(event)
            }
        }
        return (others, stalls.isEmpty ? nil : stalls)
    }

    /// All events in their order.
    ///
    /// - Throws: `DecodeError` for a text that is no stall.
    static func put(
        _ stalls: [String], into others: [CaseMetadata.Event], since start: Timestamp
    ) throws(DecodeError) -> [CaseMetadata.Event] {
        var events = others
        for text in stalls {
            let parts = text.split(separator: " ")
            guard parts.count == 5, let index = Int(parts[0]), (0...events.count).contains(index),
                let frame = Int(parts[1]), let offset = Int64(parts[2]),
                let length = Int64(parts[4])
            else {
                throw DecodeError(.badValue, in: "stalls", at: 0, "\"\(text)\" is no stall")
            }
            let event = DeviceEvent.stall(of: String(parts[3]), length: .microseconds(length))
            let (time, overflows) = start.nanoseconds.addingReportingOverflow(offset)
            events.insert(
                CaseMetadata.Event(
                    name: event.name, fields: event.fields.jsonText(),
                    time: Timestamp(nanoseconds: overflows ? start.nanoseconds : time),
                    afterFrame: frame), at: index)
        }
        return events
    }

    /// The stall that an event is; `nil` for any other.
    private static func stall(
        _ event: CaseMetadata.Event
    ) -> (party: String, length: Duration)? {
        guard event.name == DeviceEvent.stalled else { return nil }
        let bytes = Array(event.fields.utf8)
        guard let fields = try? Value(json: bytes.span.bytes),
            let stall = DeviceEvent(name: event.name, fields: fields).stall,
            !stall.party.contains(" ")
        else { return nil }
        return stall
    }
}
