import Capture
import TCPIP
import Wire

/// The connections that are being followed: an open-addressing table of reusable slots.
///
/// Memory is bounded by the greatest number of connections that were open at the same time.
struct FlowTable: Sendable {
    /// A place of the table: the key's tag, at which the search for it begins, and the slot.
    ///
    /// The slot is -1 if the place is empty.
    private struct Entry {
        var tag: UInt32 = 0
        var slot: Int32 = -1
    }

    private var entries = [Entry](repeating: Entry(), count: 64)
    private var slots = SlotList<Flow>()
    /// The hot state of the connections, by slot.
    private var hotConnections: [HotConnection] = []
    private var free: [Int32] = []

    /// The number of connections that are being followed.
    var count: Int { slots.count - free.count }

    /// The connection in a slot that is in use, for modification.
    subscript(slot: Int) -> Flow {
        _read { yield slots[slot] }
        _modify {
            if hotConnections[slot].isInFastPath { hotConnections[slot].end(&slots[slot]) }
            yield &slots[slot]
        }
    }

    /// Returns when the last segment of the connection in a slot was captured.
    func lastActivity(of slot: Int) -> Timestamp { hotConnections[slot].lastActivity }

    /// Returns about how many bytes the connection in a slot takes.
    ///
    /// Messages are kept as they are on the wire and in parts, in arrays with room for more.
    func weight(of slot: Int) -> Int {
        let isSmall = slots[slot].decoder == nil || hotConnections[slot].isReadByHeaders
        return (isSmall ? 512 : 2_560) + hotConnections[slot].gatheredCount * 2
            + slots[slot].pendingWeight
    }

    /// Passes a segment to the connection in a slot.
    mutating func consume(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction, _ slot: Int,
        into output: inout TraceOutput
    ) -> Flow.Change {
        guard payload.byteCount == carrier.segmentLength else {
            return takeApart(payload, carrier, direction, slot, into: &output)
        }
        let packet = ParsedPacket(
            flags: carrier.header.flags, direction: direction, sequence: carrier.header.sequence,
            acknowledgement: carrier.header.acknowledgement)
        switch hotConnections[slot].consume(
            payload, packet, frame: carrier.frame, slot: slot, into: &output)
        {
        case .taken: return .none
        case .carried(let offset, let pending):
            Self.remember(
                payload.byteCount, at: offset, pending, packet, frame: carrier.frame,
                &hotConnections[slot], &slots[slot], into: &output)
            return .none
        case .decoder(let from, let offset):
            Self.decode(
                payload, from: from, at: offset, packet, frame: carrier.frame, slot,
                &hotConnections[slot], &slots[slot], into: &output)
            return .none
        case .flow: return takeApart(payload, carrier, direction, slot, into: &output)
        }
    }

    /// Processes packets of a batch one after the other, while each continues a connection that
    /// runs evenly.
    ///
    /// - Parameters:
    ///   - anticipated: What was read of the packets.
    ///   - start: The place in it of the first packet to process.
    ///   - end: The place after the last one.
    ///   - batch: The packets.
    ///   - first: The index in the batch of the packet at place 0.
    ///   - due: A packet that was captured later than this is not processed.
    ///   - output: The output for messages and counts.
    /// - Returns: The place of the first packet that was not processed.
    mutating func takeRun(
        of anticipated: Span<ParsedPacket>, from start: Int,
        _ end: Int, _ batch: borrowing PacketBatch, _ first: Int, until due: Int64,
        into output: inout TraceOutput
    ) -> Int {
        Self.takeRun(
            of: anticipated, from: start, end, batch, first, until: due, &hotConnections, &slots,
            into: &output)
    }

    private static func takeRun(
        of anticipated: Span<ParsedPacket>, from start: Int,
        _ end: Int, _ batch: borrowing PacketBatch, _ first: Int, until due: Int64,
        _ all: inout [HotConnection], _ flows: inout SlotList<Flow>, into output: inout TraceOutput
    ) -> Int {
        // One span for all of them, because each access to an array checks that it is uniquely
        // referenced.
        var hotConnections = all.mutableSpan
        var place = start
        while place < end {
            let packet = anticipated[place]
            let slot = Int(packet.slot)
            let index = first + place
            let lies = batch.places[index]
            guard packet.kind == .segment, slot >= 0, slot < hotConnections.count,
                lies.timestamp <= due, hotConnections[slot].isOf(packet.ends)
            else { return place }
            if output.options.verifiesChecksums {
                let frame = batch.frame(index)
                guard let segment = EthernetSegment(frame),
                    InternetChecksum.isValid(segment, in: frame)
                else { return place }
            }
            output.now = Timestamp(nanoseconds: lies.timestamp)
            let payload = batch.bytes.extracting(
                lies.start + Int(packet.start)..<lies.start + Int(packet.end))
            let frame = batch.firstIndex + index
            switch hotConnections[slot].consume(
                payload, packet, frame: frame, slot: slot, into: &output)
            {
            case .taken: break
            case .carried(let offset, let pending):
                remember(
                    payload.byteCount, at: offset, pending, packet, frame: frame,
                    &hotConnections[slot], &flows[slot], into: &output)
            case .decoder(let from, let offset):
                decode(
                    payload, from: from, at: offset, packet, frame: frame, slot,
                    &hotConnections[slot], &flows[slot], into: &output)
            case .flow: return place
            }
            output.statistics.segments += 1
            place += 1
        }
        return place
    }

    /// Passes the bytes of a segment from a place on to the decoder of its connection.
    private static func decode(
        _ payload: RawSpan, from: Int, at offset: UInt64, _ packet: ParsedPacket,
        frame: Int, _ slot: Int, _ hot: inout HotConnection, _ flow: inout Flow,
        into output: inout TraceOutput
    ) {
        let direction = packet.direction
        let isConcluded = !hot.decode(
            payload, from: from, at: offset, frame: frame, direction, slot: slot,
            by: &flow.decoder, into: &output)
        if isConcluded {
            output.nextNumber += output.screening.takePassedOver()
            return
        }
        let count = payload.byteCount
        flow.conclude(
            offset..<offset + UInt64(count),
            carrier(of: packet, count, frame, flow.key, at: output.now), direction, into: &output)
        hot.remember(&flow, direction)
    }

    /// Records the carrier of bytes of an incomplete message, and drops carriers of other bytes.
    private static func remember(
        _ count: Int, at offset: UInt64, _ pending: UInt64, _ packet: ParsedPacket,
        frame: Int, _ hot: inout HotConnection, _ flow: inout Flow, into output: inout TraceOutput
    ) {
        let own = packet.direction.rawValue
        let end = offset + UInt64(count)
        if pending < end {
            let carrier = carrier(of: packet, count, frame, flow.key, at: output.now)
            output.statistics.forgottenFrames += flow.streams[own].remember(offset..<end, carrier)
        }
        flow.streams[own].forget(before: pending)
        hot.remember(&flow, packet.direction)
    }

    private static func carrier(
        of packet: ParsedPacket, _ count: Int, _ frame: Int, _ key: FlowKey,
        at time: Timestamp
    ) -> CarryingSegment {
        let header = TCPHeader(
            sourcePort: key.source(packet.direction).port,
            destinationPort: key.destination(packet.direction).port,
            sequence: packet.sequence, acknowledgement: packet.acknowledgement,
            flags: packet.flags)
        return CarryingSegment(frame: frame, header: header, segmentLength: count, time: time)
    }

    /// Returns where the search for a tag begins; the table's size is a power of two.
    @inline(__always)
    private func home(of tag: UInt32) -> Int { Int(tag) & (entries.count - 1) }

    // MARK: - Plain segments

    /// Returns the slot that a connection between those ends probably has.
    ///
    /// The result is negative if there is no candidate.
    ///
    /// `HotConnection.isOf` verifies it.
    @inline(__always)
    func probableSlot(of ends: FlowKey.IPv4Ends) -> Int32 {
        let mask = entries.count - 1
        var place = home(of: ends.tag)
        let tag = ends.tag
        while entries[place].tag != tag, entries[place].slot >= 0 { place = (place + 1) & mask }
        return entries[place].slot
    }

    /// Prefetches the entry that identifies the connection of a segment.
    @inline(__always)
    func prefetch(_ ends: FlowKey.IPv4Ends) {
        entries.prefetch(home(of: ends.tag))
    }

    /// Prefetches what a segment of a connection will need first.
    @inline(__always)
    func prefetch(_ slot: Int32) { hotConnections.prefetch(Int(slot)) }

    /// Prefetches a connection's `Flow`, which a segment that only continues a stream does not
    /// need.
    @inline(__always)
    func prefetchFlow(_ slot: Int) { slots.prefetch(slot) }

    /// Prefetches the whole state of a connection.
    func prefetchAll(_ slot: Int) {
        hotConnections.prefetch(slot)
        slots.prefetch(slot)
    }

    /// Prefetches the table entry of the connection in a slot.
    func prefetchEntry(of slot: Int) {
        entries.prefetch(home(of: slots[slot].key.tag))
    }

    /// Prefetches the gathered bytes of the streams of these packets.
    @inline(__always)
    mutating func prefetchGathered(_ packets: Span<ParsedPacket>) {
        var hotConnections = hotConnections.mutableSpan
        for place in packets.indices where packets[place].slot >= 0 {
            hotConnections[Int(packets[place].slot)].prefetchGathered(packets[place].direction)
        }
    }

    /// Passes a segment to the flow in a slot.
    private mutating func takeApart(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction, _ slot: Int,
        into output: inout TraceOutput
    ) -> Flow.Change {
        let former = hotConnections[slot].lastActivity
        let change = self[slot].consume(payload, carrier, direction, into: &output)
        if case .isSuperseded = change { return change }
        if output.now < former {
            slots[slot].record(
                .clock, direction, since: output.now.oneTickEarlier, frame: carrier.frame,
                into: &output)
        }
        hotConnections[slot].lastActivity = max(former, output.now)
        if output.watches.isEmpty {
            hotConnections[slot].begin(&slots[slot], asking: output.headerReader)
        }
        return change
    }

    /// Returns all streams to their flows.
    mutating func endHotConnections() {
        for slot in hotConnections.indices where hotConnections[slot].isInFastPath {
            hotConnections[slot].end(&slots[slot])
        }
    }

    /// Returns whether nothing sent before a given time can still turn out to be missing in a
    /// connection.
    mutating func isSeen(until time: Timestamp, slot: Int) -> Bool {
        if hotConnections[slot].isInFastPath { return hotConnections[slot].isSeen(until: time) }
        return slots[slot].isSeen(until: time)
    }

    /// Returns whether there is a connection in a slot.
    func isUsed(_ slot: Int) -> Bool { slots[slot].isFollowed }

    /// Returns the slot of a connection; `nil` if it is not followed.
    func slot(of key: FlowKey) -> Int? {
        let mask = entries.count - 1
        var place = home(of: key.tag)
        while true {
            let entry = entries[place]
            if entry.slot < 0 { return nil }
            if entry.tag == key.tag, isSlot(Int(entry.slot), of: key) { return Int(entry.slot) }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func isSlot(_ slot: Int, of key: FlowKey) -> Bool {
        // Field by field, because a method that reads a hot connection would get a copy of it.
        guard hotConnections[slot].isIPv4, key.isIPv4 else { return slots[slot].key == key }
        return hotConnections[slot].addresses == key.ipv4Addresses
            && hotConnections[slot].ports == key.portPair
    }

    /// The slot that the next new connection gets.
    var nextSlot: Int { free.last.map(Int.init) ?? slots.count }

    /// Adds a connection that is not followed yet, in `nextSlot`.
    mutating func insert(_ flow: consuming Flow, at time: Timestamp) {
        let slot = nextSlot
        let hot = HotConnection(of: flow, at: time)
        let tag = flow.key.tag
        if free.popLast() != nil {
            slots[slot] = flow
            hotConnections[slot] = hot
        } else {
            slots.append(flow)
            if hotConnections.count == hotConnections.capacity {
                // Memory that nobody has written to costs nothing, but copying does.
                hotConnections.reserveCapacity(max(64, hotConnections.count * 8))
            }
            hotConnections.append(hot)
        }
        if count * 4 > entries.count { grow() }
        place(Entry(tag: tag, slot: Int32(truncatingIfNeeded: slot)))
    }

    /// Removes the connection in a slot.
    mutating func remove(slot: Int) {
        let mask = entries.count - 1
        var hole = home(of: slots[slot].key.tag)
        while entries[hole].slot != slot { hole = (hole + 1) & mask }
        // Entries that were displaced by collisions move back, so that no search stops too early.
        var next = (hole + 1) & mask
        while entries[next].slot >= 0 {
            if (next - home(of: entries[next].tag)) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole] = Entry()
        slots[slot].vacate()
        hotConnections[slot].vacate()
        free.append(Int32(truncatingIfNeeded: slot))
    }

    /// The slots in use, ascending.
    var usedSlots: [Int] { (0..<slots.count).filter(isUsed) }

    /// The slots in use, those of older connections first.
    var slotsByNumber: [Int] {
        var used = usedSlots
        // They are in this order unless slots were reused.
        let isSorted = zip(used, used.dropFirst()).allSatisfy {
            slots[$0].number < slots[$1].number
        }
        if !isSorted { used.sort { slots[$0].number < slots[$1].number } }
        return used
    }

    private mutating func grow() {
        var former = [Entry](repeating: Entry(), count: entries.count * 2)
        swap(&former, &entries)
        for entry in former where entry.slot >= 0 { place(entry) }
    }

    private mutating func place(_ entry: Entry) {
        let mask = entries.count - 1
        var place = home(of: entry.tag)
        while entries[place].slot >= 0 { place = (place + 1) & mask }
        entries[place] = entry
    }
}
