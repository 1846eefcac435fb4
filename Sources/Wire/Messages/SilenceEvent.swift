extension DeviceEvent {
    /// A peer did not answer something of the device, and says why.
    ///
    /// It stands in the trace after the packets that came before the peer said so.
    public static let silent = "peer.silent"

    /// The silence of a peer.
    ///
    /// - Parameter reason: A clause whose subject is the peer.
    public static func silence(of peer: String, because reason: String) -> DeviceEvent {
        DeviceEvent(
            name: silent, fields: ["peer": .string(peer), "reason": .string(reason)])
    }

    /// The peer and what it says, if it is a silence: `hu dropped a frame of version 5, …`.
    public var silence: String? {
        guard name == Self.silent, let peer = fields["peer"]?.stringValue,
            let reason = fields["reason"]?.stringValue
        else { return nil }
        return "\(peer) \(reason)"
    }
}
