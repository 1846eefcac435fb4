/// Why a peer did not answer what a device sent, each reason once: what is said of it goes into the
/// trace, so that a report can tell the device's silence from the peer's.
struct UnansweredReasons: Sendable {
    /// Most reasons that one peer gives: more say nothing new, and a capture's metadata is bounded.
    static let reasonsMax = 16

    private var known: Set<String> = []
    private var fresh: [String] = []

    /// Notes a reason, a clause whose subject is the peer: `dropped a frame of version 5, because it
    /// speaks 1`.
    mutating func note(_ reason: String) {
        guard known.count < Self.reasonsMax, known.insert(reason).inserted else { return }
        fresh.append(reason)
    }

    /// The reasons since they were taken last.
    mutating func take() -> [String] {
        defer { fresh = [] }
        return fresh
    }
}
