extension PeerAction {
    /// The action of the line after which a message of the peer may end in its middle.
    public static let cutting = "cut"

    /// Faults of the network between any peer that listens and the device.
    ///
    /// They leave no trace of their own.
    public static let line: [PeerAction] = [
        action("refuse", "Stops listening: new attempts are refused, connections stay."),
        action("kill", "Stops listening and resets every connection."),
        action("listen", "Listens again, and ends every other fault of the line."),
        action(
            "downFor", "Stops listening and resets every connection; listens again after a time.",
            .duration),
        action(
            "turnAway", "Accepts connections and ends each at once.",
            .enumeration(name: "end", values: ["close", "reset"])),
        action("blackHole", "Lets nothing of the device through, and answers nothing."),
        action("halfOpen", "Forgets every connection without a word to the device."),
        action("stall", "Stops reading and writing."),
        action("resume", "Reads and writes again."),
        action(
            "delay", "Sends everything so much later from now on; 0s ends that.", .duration),
        action(
            "throttle", "Sends at most so many bytes a second from now on; 0 ends that.",
            .integer(0...1_000_000_000)),
        action(
            "split", "Sends in pieces of so many bytes from now on; 0 ends that.",
            .integer(0...1_000_000)),
        action(
            cutting, "Resets the connection on which so many more bytes have been sent.",
            .integer(0...1_000_000_000)),
    ]

    /// Faults of a network that carries packets, for a peer whose link mends them.
    public static let packets: [PeerAction] = [
        action("lose", "Loses so many packets of a hundred from now on; 0 ends that.", share),
        action("repeat", "Sends so many packets of a hundred twice; 0 ends that.", share),
        action(
            "reorder", "Lets others overtake so many packets of a hundred; 0 ends that.", share),
    ]

    private static let share = FieldType.integer(0...100)

    /// Faults of the network between a peer that calls the device and the device.
    public static let callerLine = line.filter {
        ["stall", "resume", "delay", "throttle", "split", "cut"].contains($0.name)
    }

    private static func action(
        _ name: String, _ summary: String, _ argument: FieldType? = nil
    ) -> PeerAction {
        PeerAction(name: name, summary: summary, argument: argument, evidence: nil)
    }
}
