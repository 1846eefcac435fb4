import Capture
import Protocols

extension TraceEngine {
    /// Takes all packets of a series.
    ///
    /// - Parameters:
    ///   - series: The captures.
    ///   - messages: Where messages are added.
    ///   - take: Called when there are some; it takes them out.
    /// - Throws: What opening a file throws that has vanished meanwhile.
    public mutating func consume(
        _ series: CaptureSeries, into messages: inout [TraceMessage],
        _ take: (inout [TraceMessage]) -> Void
    ) throws(CaptureError) {
        var slots: [Int32] = []
        try series.forEach(
            batches: { batch in
                consume(batch, &slots, into: &messages)
                if !messages.isEmpty { take(&messages) }
            },
            packets: { packet in
                consume(packet, into: &messages)
                if !messages.isEmpty { take(&messages) }
            })
    }

    /// Takes the packets of a batch.
    ///
    /// - Parameters:
    ///   - batch: The packets.
    ///   - slots: Room for the slots of their connections, kept to spare an allocation.
    ///   - messages: Where messages are added.
    private mutating func consume(
        _ batch: borrowing PacketBatch, _ slots: inout [Int32],
        into messages: inout [TraceMessage]
    ) {
        guard batch.linkType == .ethernet else {
            for index in 0..<batch.count { consume(batch.packet(index), into: &messages) }
            return
        }
        anticipate(batch, &slots)
        for index in 0..<batch.count {
            let frame = batch.frame(index)
            guard let segment = EthernetSegment(frame) else {
                consume(batch.packet(index), into: &messages)
                continue
            }
            count(bytes: frame.byteCount, at: batch.places[index].timestamp)
            consume(segment, in: frame, index: batch.firstIndex + index, slot: slots[index] >> 1)
        }
        flush(into: &messages)
    }

    /// Takes a segment whose connection has been looked at before.
    @inline(__always)
    private mutating func consume(
        _ segment: EthernetSegment, in frame: RawSpan, index: Int, slot hint: Int32
    ) {
        let (ends, direction) = FlowKey.IPv4Ends.make(segment)
        guard output.options.shard.holds(hashCode: ends.hashCode),
            hasValidChecksum(segment, in: frame)
        else { return }
        output.statistics.segments += 1
        let start = segment.segment.lowerBound + segment.header.length
        let payload = frame.extracting(start..<segment.segment.upperBound)
        let carrier = Carrier(
            frame: index, header: segment.header, segmentLength: payload.byteCount)
        let slot = flows.slot(of: ends, hint: hint)
        if let slot, take(payload, carrier, direction, slot) { return }
        begin(payload, carrier, FlowKey(ends), direction, instead: slot)
    }

    /// Looks at the connections of the packets before their turn.
    ///
    /// Connections lie anywhere in memory, and a processor that comes to a packet waits for those
    /// of its connection. So all are looked at first: it can wait for many at a time.
    private mutating func anticipate(_ batch: borrowing PacketBatch, _ slots: inout [Int32]) {
        slots.removeAll(keepingCapacity: true)
        for index in 0..<batch.count {
            guard let (addresses, ports) = EthernetSegment.ends(of: batch.frame(index)) else {
                slots.append(-1)
                continue
            }
            let (ends, direction) = FlowKey.IPv4Ends.make(
                addresses, UInt16(truncatingIfNeeded: ports >> 16),
                UInt16(truncatingIfNeeded: ports))
            slots.append(flows.probableSlot(of: ends, direction))
        }
        // In rounds: what one reads says where the next one finds what it reads.
        for slot in slots where slot >= 0 { touched &+= flows.touch(slot) }
        for slot in slots where slot >= 0 {
            touched &+= flows.touchDecoder(slot)
            if !output.screening.wantsAll {
                touched &+= output.screening.screen.touch(slot: Int(slot >> 1))
            }
        }
    }
}
