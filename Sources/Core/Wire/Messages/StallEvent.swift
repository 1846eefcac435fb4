extension DeviceEvent {
    /// The name of the event that the machine delayed a party or the harness.
    ///
    /// Either a party was ready and got no processor, or the harness was woken late. The event is
    /// in the trace after the packets that came before the delay was found.
    public static let stalled = "harness.stall"
    /// The party of a stall that is the harness itself.
    public static let harness = "harness"

    /// Returns the event for a stall of a party, or of the harness.
    public static func stall(of party: String, length: Duration) -> DeviceEvent {
        let microseconds = Int64(length / .microseconds(1))
        return DeviceEvent(
            name: stalled,
            fields: ["party": .string(party), "microseconds": .integer(microseconds)])
    }

    /// The party that was delayed, and the length of the delay, if it is a stall.
    public var stall: (party: String, length: Duration)? {
        guard name == Self.stalled, let party = fields["party"]?.stringValue,
            let length = fields["microseconds"]?.integerValue
        else { return nil }
        return (party, .microseconds(length))
    }
}
