extension DeviceEvent {
    /// The name of the event that a peer could not do what a step of a drawn run demands.
    ///
    /// It had no connection, or no session, with the device.
    public static let skipped = "peer.skipped"

    /// Returns the event for a step, by its number.
    public static func skip(of peer: String, step: Int) -> DeviceEvent {
        DeviceEvent(
            name: skipped, fields: ["peer": .string(peer), "step": .integer(Int64(step))])
    }

    /// The number of the step, if it is such an event.
    public var skippedStep: Int? {
        guard name == Self.skipped else { return nil }
        return fields["step"]?.integerValue.flatMap { Int(exactly: $0) }
    }
}
