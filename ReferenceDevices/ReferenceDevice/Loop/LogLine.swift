import Wire

/// One line of a device's log: an event as a JSON object.
public struct LogLine<Event>: Sendable, Hashable
where Event: RawRepresentable & Sendable & Hashable, Event.RawValue == String {
    /// The event.
    public let event: Event
    /// The fields of the event.
    public let fields: [Value.Member]

    /// Creates a line.
    public init(_ event: Event, _ fields: [Value.Member] = []) {
        self.event = event
        self.fields = fields
    }

    /// The line as it is written: the event's name as `event`, then its fields.
    public var value: Value {
        .object([Value.Member("event", .string(event.rawValue))] + fields)
    }
}
