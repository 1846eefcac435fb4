import Protocols

/// The connections that are being followed: an open-addressing table of slots that are used again.
///
/// Memory is bounded by the greatest number of connections that were open at the same time.
struct FlowTable: Sendable {
    /// A place of the table: part of the key's hash, and the slot; -1 where it is empty.
    private struct Entry {
        var tag: UInt32 = 0
        var slot: Int32 = -1
    }

    private var entries = [Entry](repeating: Entry(), count: 64)
    private var slots: [Flow] = []
    private var free: [Int32] = []

    /// How many connections are being followed.
    var count: Int { slots.count - free.count }

    /// The connection in a slot that is in use.
    subscript(slot: Int) -> Flow {
        _read { yield slots[slot] }
        _modify { yield &slots[slot] }
    }

    /// Gives a segment to the connection in a slot.
    @inline(__always)
    mutating func take(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction, _ slot: Int,
        into output: inout TraceOutput
    ) -> Flow.Change {
        slots[slot].take(payload, carrier, direction, into: &output)
    }

    /// Whether there is a connection in a slot.
    func isUsed(_ slot: Int) -> Bool { slots[slot].isFollowed }

    /// The slot of a connection; `nil` if it is not followed.
    func slot(of key: FlowKey) -> Int? {
        let mask = entries.count - 1
        let tag = UInt32(truncatingIfNeeded: key.hashCode >> 32)
        var place = Int(truncatingIfNeeded: key.hashCode) & mask
        while true {
            let entry = entries[place]
            if entry.slot < 0 { return nil }
            if entry.tag == tag, slots[Int(entry.slot)].key == key { return Int(entry.slot) }
            place = (place + 1) & mask
        }
    }

    /// The slot that the next new connection gets.
    var nextSlot: Int { free.last.map(Int.init) ?? slots.count }

    /// Adds a connection that is not followed yet, in `nextSlot`.
    mutating func insert(_ flow: Flow) {
        let slot = nextSlot
        if free.popLast() != nil { slots[slot] = flow } else { slots.append(flow) }
        if count * 2 > entries.count { grow() }
        place(flow.key, Int32(truncatingIfNeeded: slot))
    }

    /// Forgets the connection in a slot.
    mutating func remove(slot: Int) {
        let key = slots[slot].key
        let mask = entries.count - 1
        var hole = Int(truncatingIfNeeded: key.hashCode) & mask
        while entries[hole].slot != slot { hole = (hole + 1) & mask }
        // What was moved on by collisions moves back, so that no search stops too early.
        var next = (hole + 1) & mask
        while entries[next].slot >= 0 {
            let other = slots[Int(entries[next].slot)].key
            let home = Int(truncatingIfNeeded: other.hashCode) & mask
            if (next - home) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole] = Entry()
        slots[slot].vacate()
        free.append(Int32(truncatingIfNeeded: slot))
    }

    /// The slots in use, in no certain order.
    var usedSlots: [Int] { entries.compactMap { $0.slot < 0 ? nil : Int($0.slot) } }

    private mutating func grow() {
        let used = usedSlots
        entries = [Entry](repeating: Entry(), count: entries.count * 2)
        for slot in used { place(slots[slot].key, Int32(truncatingIfNeeded: slot)) }
    }

    private mutating func place(_ key: FlowKey, _ slot: Int32) {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: key.hashCode) & mask
        while entries[place].slot >= 0 { place = (place + 1) & mask }
        entries[place] = Entry(tag: UInt32(truncatingIfNeeded: key.hashCode >> 32), slot: slot)
    }
}
