import Wire

/// The packet faults of an impaired link under a protocol that repairs losses.
///
/// Chance decides for each packet, the same way in each run with the same seed.
struct PacketFaults: Sendable {
    /// How a packet is sent.
    enum Copy: Sendable, Hashable {
        /// After everything that was sent before it.
        case inOrder
        /// So late that other packets overtake it.
        case late
    }

    /// The names of the actions: a percentage of packets is lost, sent twice, or overtaken.
    static let actions = ["lose", "repeat", "reorder"]

    /// The delay of a packet that others must overtake, in nanoseconds.
    static let lateness: Int64 = 30_000_000

    private var percentages: [String: Int] = [:]
    private var random: SplitMix64

    /// Creates packet faults that affect no packet yet.
    init(seed: UInt64) { random = SplitMix64(state: 0x1A92_0000_0000_0001 &+ seed) }

    /// Sets the percentage of packets that a fault affects.
    mutating func set(_ action: String, _ percent: Int) { percentages[action] = percent }

    /// Ends all faults.
    mutating func end() { percentages = [:] }

    /// Decides for the next packet how often it is sent, and how.
    mutating func copies() -> [Copy] {
        guard percentages.values.contains(where: { $0 > 0 }) else { return [.inOrder] }
        if happens("lose") { return [] }
        let first = happens("reorder") ? Copy.late : .inOrder
        return happens("repeat") ? [first, .inOrder] : [first]
    }

    private mutating func happens(_ action: String) -> Bool {
        random.next() % 100 < UInt64(percentages[action] ?? 0)
    }
}
