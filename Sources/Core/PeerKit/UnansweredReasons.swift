/// The reasons why a peer did not answer a device's messages, each reason once.
///
/// The reasons go into the trace, so that a report can distinguish the device's silence from the
/// peer's.
package struct UnansweredReasons: Sendable {
    /// The most reasons from one peer: more add nothing new, and a capture's metadata is bounded.
    package static let reasonsMax = 16

    private var known: Set<String> = []
    private var fresh: [String] = []

    /// Creates an empty list.
    package init() {}

    /// Records a reason: a clause whose subject is the peer.
    ///
    /// An example is `dropped a frame of version 5, because it speaks 1`.
    package mutating func record(_ reason: String) {
        guard known.count < Self.reasonsMax, known.insert(reason).inserted else { return }
        fresh.append(reason)
    }

    /// Returns the reasons since the last call.
    package mutating func take() -> [String] {
        defer { fresh = [] }
        return fresh
    }
}
