extension PeerAction {
    /// The link impairment after which a message of the peer may end in its middle.
    public static let cutting = "cut"

    /// Link impairments between any listening peer and the device.
    ///
    /// They leave no trace of their own.
    public static let line: [PeerAction] = [
        action("refuse", "Stops listening: new attempts are refused, connections stay."),
        action("kill", "Stops listening and resets every connection."),
        action("listen", "Listens again, and ends every other link impairment."),
        action(
            "downFor", "Stops listening and resets every connection; listens again after a time.",
            .duration),
        action(
            "turnAway", "Accepts connections and ends each at once.",
            .enumeration(name: "end", values: ["close", "reset"])),
        action("blackHole", "Lets nothing of the device through, and answers nothing."),
        action("halfOpen", "Forgets every connection without notifying the device."),
        action("stall", "Stops reading and writing."),
        action("resume", "Reads and writes again."),
        action(
            "delay", "Delays everything that is sent from now on by this time; 0s ends that.",
            .duration),
        action(
            "throttle", "Sends at most this number of bytes a second from now on; 0 ends that.",
            .integer(0...1_000_000_000)),
        action(
            "split", "Sends in pieces of this number of bytes from now on; 0 ends that.",
            .integer(0...1_000_000)),
        action(
            cutting, "Resets the connection after this number of further bytes was sent on it.",
            .integer(0...1_000_000_000)),
    ]

    /// Impairments of a network that carries packets, for a peer whose link recovers from them.
    public static let packets: [PeerAction] = [
        action("lose", "Loses this percentage of packets from now on; 0 ends that.", share),
        action("repeat", "Sends this percentage of packets twice; 0 ends that.", share),
        action(
            "reorder", "Lets others overtake this percentage of packets; 0 ends that.", share),
    ]

    private static let share = FieldType.integer(0...100)

    /// Link impairments between the device and a peer that calls it.
    public static let callerLine = line.filter {
        ["stall", "resume", "delay", "throttle", "split", "cut"].contains($0.name)
    }

    private static func action(
        _ name: String, _ summary: String, _ argument: FieldType? = nil
    ) -> PeerAction {
        PeerAction(name: name, summary: summary, argument: argument, evidence: nil)
    }
}
