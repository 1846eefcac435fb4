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
    /// By slot.
    private var fronts: [FlowFront] = []
    private var free: [Int32] = []

    /// How many connections are being followed.
    var count: Int { slots.count - free.count }

    /// The connection in a slot that is in use, to be changed.
    subscript(slot: Int) -> Flow {
        _read { yield slots[slot] }
        _modify {
            if fronts[slot].runsEvenly { fronts[slot].end(&slots[slot]) }
            yield &slots[slot]
        }
    }

    /// When the last segment of the connection in a slot was captured.
    func lastActivity(of slot: Int) -> Timestamp { fronts[slot].lastActivity }

    /// Gives a segment to the connection in a slot.
    @inline(__always)
    mutating func take(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction, _ slot: Int,
        into output: inout TraceOutput
    ) -> Flow.Change {
        let count = payload.byteCount
        switch fronts[slot].take(carrier.header, count: count, direction, at: output.now) {
        case .taken:
            output.statistics.streamBytes += count
            return .none
        case .decoder(let offset):
            output.statistics.streamBytes += count
            let isConcluded = !fronts[slot].decode(
                payload, at: offset, frame: carrier.frame, direction, slot: slot, into: &output)
            if isConcluded {
                output.nextNumber += output.screening.takePassedOver()
            } else {
                slots[slot].conclude(
                    offset..<offset + UInt64(count), carrier, direction, into: &output)
                fronts[slot].remember(&slots[slot], direction)
            }
            return .none
        case .flow:
            return takeApart(payload, carrier, direction, slot, into: &output)
        }
    }

    // MARK: - Plain segments

    /// Twice the slot that a connection between those ends probably has, and 1 for its second
    /// direction; negative if none comes into question.
    ///
    /// `slot(of:hint:)` makes sure of it.
    @inline(__always)
    func probableSlot(of ends: FlowKey.IPv4Ends, _ direction: Direction) -> Int32 {
        let entry = entries[Int(truncatingIfNeeded: ends.hashCode) & (entries.count - 1)]
        guard entry.tag == UInt32(truncatingIfNeeded: ends.hashCode >> 32) else { return -1 }
        return entry.slot << 1 | (direction == .fromFirst ? 0 : 1)
    }

    /// Reads what a segment of a connection will need first, so that the processor fetches it while
    /// it reads the same of others.
    ///
    /// - Parameter slot: As `probableSlot` gave it.
    @inline(__always)
    func touch(_ slot: Int32) -> Int {
        let slot = Int(slot >> 1)
        return Int(truncatingIfNeeded: fronts[slot].first.next) &+ fronts[slot].number
    }

    /// Reads what a segment will need of its connection's decoder.
    @inline(__always)
    mutating func touchDecoder(_ slot: Int32) -> Int {
        fronts[Int(slot >> 1)].touchDecoder(slot & 1 == 0 ? .fromFirst : .fromSecond)
    }

    /// The slot of a connection that is followed.
    @inline(__always)
    func slot(of ends: FlowKey.IPv4Ends, hint: Int32) -> Int? {
        if hint >= 0, isSlot(Int(hint), of: ends) { return Int(hint) }
        return slot(of: FlowKey(ends))
    }

    @inline(__always)
    private func isSlot(_ slot: Int, of ends: FlowKey.IPv4Ends) -> Bool {
        fronts[slot].addresses == ends.addresses && fronts[slot].ports == ends.ports
            && fronts[slot].isIPv4
    }

    /// Gives a segment to the flow in a slot.
    private mutating func takeApart(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction, _ slot: Int,
        into output: inout TraceOutput
    ) -> Flow.Change {
        let change = self[slot].take(payload, carrier, direction, into: &output)
        if case .isSuperseded = change { return change }
        fronts[slot].lastActivity = output.now
        if output.watches.isEmpty { fronts[slot].begin(&slots[slot]) }
        return change
    }

    /// Leaves all streams to their flows.
    mutating func endFronts() {
        for slot in fronts.indices where fronts[slot].runsEvenly { fronts[slot].end(&slots[slot]) }
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
            if entry.tag == tag, isSlot(Int(entry.slot), of: key) { return Int(entry.slot) }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func isSlot(_ slot: Int, of key: FlowKey) -> Bool {
        // Field by field: a method that reads a front would be given a copy of it.
        guard fronts[slot].isIPv4, key.isIPv4 else { return slots[slot].key == key }
        return fronts[slot].addresses == key.ipv4Addresses && fronts[slot].ports == key.portPair
    }

    /// The slot that the next new connection gets.
    var nextSlot: Int { free.last.map(Int.init) ?? slots.count }

    /// Adds a connection that is not followed yet, in `nextSlot`.
    mutating func insert(_ flow: Flow, at time: Timestamp) {
        let slot = nextSlot
        let front = FlowFront(of: flow, at: time)
        if free.popLast() != nil {
            slots[slot] = flow
            fronts[slot] = front
        } else {
            slots.append(flow)
            fronts.append(front)
        }
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
        fronts[slot].vacate()
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
