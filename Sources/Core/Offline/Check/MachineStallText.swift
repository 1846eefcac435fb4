import Trace
import Wire

/// The short form of stalls in a capture's metadata.
///
/// There may be many, and a comment of pcapng holds only 65,535 bytes. `12 16 5394032 device 4103`
/// means: number 12 of all events, counted from 0; after frame 16; 5394032 ns after the start of
/// the case; the device was delayed for 4103 µs.
enum MachineStallText {
    /// Separates the stalls from the other events, and returns the stalls as texts.
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

    /// Returns all events in their order.
    ///
    /// - Throws: `DecodeError` for a text that is not a stall.
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
                throw DecodeError(.badValue, in: "stalls", at: 0, "\"\(text)\" is not a stall")
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

    /// Returns the stall that an event describes; `nil` for any other event.
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
