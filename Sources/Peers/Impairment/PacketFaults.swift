import Wire

/// What a line does to the packets of a link that mends it: chance decides for each packet, the same
/// in each run with the same seed.
struct PacketFaults: Sendable {
    /// How a packet goes out.
    enum Copy: Sendable, Hashable {
        /// Behind what was sent before it.
        case inOrder
        /// So much later that others overtake it.
        case late
    }

    /// The names of the actions: so many packets of a hundred are lost, sent twice, or overtaken.
    static let actions = ["lose", "repeat", "reorder"]

    /// How late a packet is that others are to overtake, in nanoseconds.
    static let lateness: Int64 = 30_000_000

    private var percentages: [String: Int] = [:]
    private var random: SplitMix64

    /// Spoils nothing yet.
    init(seed: UInt64) { random = SplitMix64(state: 0x1A92_0000_0000_0001 &+ seed) }

    /// Sets how many packets of a hundred meet with a fault.
    mutating func set(_ action: String, _ percent: Int) { percentages[action] = percent }

    /// Spoils nothing any more.
    mutating func end() { percentages = [:] }

    /// What becomes of the next packet: how often it goes out, and how.
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
