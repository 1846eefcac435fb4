import Wire

/// One line of a device's log: what happened, as a JSON object.
public struct LogLine<Event>: Sendable, Hashable
where Event: RawRepresentable & Sendable & Hashable, Event.RawValue == String {
    /// What happened.
    public let event: Event
    /// What belongs to it.
    public let fields: [Value.Member]

    /// Makes a line.
    public init(_ event: Event, _ fields: [Value.Member] = []) {
        self.event = event
        self.fields = fields
    }

    /// The line as it is written: the event's name under `event`, then its fields.
    public var value: Value {
        .object([Value.Member("event", .string(event.rawValue))] + fields)
    }
}
