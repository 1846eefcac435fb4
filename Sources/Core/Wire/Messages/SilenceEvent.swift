extension DeviceEvent {
    /// The name of the event that a peer did not answer something of the device, with the reason.
    ///
    /// It is in the trace after the packets that came before the peer reported it.
    public static let silent = "peer.silent"

    /// Returns the event for a peer that does not answer.
    ///
    /// - Parameter reason: A clause whose subject is the peer.
    public static func silence(of peer: String, because reason: String) -> DeviceEvent {
        DeviceEvent(
            name: silent, fields: ["peer": .string(peer), "reason": .string(reason)])
    }

    /// The peer and its reason, if it is such an event: `hu dropped a frame of version 5, …`.
    public var silence: String? {
        guard name == Self.silent, let peer = fields["peer"]?.stringValue,
            let reason = fields["reason"]?.stringValue
        else { return nil }
        return "\(peer) \(reason)"
    }
}
