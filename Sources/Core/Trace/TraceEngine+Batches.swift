import Capture
import TCPIP
import Wire

/// What was read of a packet of a batch ahead of its processing.
struct ParsedPacket {
    /// How a packet is to be processed.
    enum Kind {
        /// It must be parsed layer by layer.
        case other
        /// Its connection belongs to another share.
        case foreign
        /// It is an `EthernetSegment`.
        case segment
    }

    var kind = Kind.other
    var flags = TCPFlags()
    var direction = Direction.fromFirst
    /// The slot that its connection probably has; negative if there is no candidate.
    var slot: Int32 = -1
    var ends = FlowKey.IPv4Ends()
    var sequence = TCPSequence(0)
    var acknowledgement = TCPSequence(0)
    /// The offset in the frame at which its payload begins.
    var start: Int32 = 0
    /// The offset in the frame at which its payload ends.
    var end: Int32 = 0

    /// Whether it is an event of its connection, which the flow must process.
    @inline(__always)
    var isEvent: Bool { !flags.isDisjoint(with: [.syn, .fin, .rst]) }
}

extension TraceEngine {
    /// Processes all packets of a series.
    ///
    /// - Parameters:
    ///   - series: The captures.
    ///   - messages: The list to which messages are appended.
    ///   - deliver: Called when there are messages; it removes them.
    /// - Throws: What opening a file throws that has vanished meanwhile.
    public mutating func consume(
        _ series: CaptureSeries, into messages: inout [TraceMessage],
        _ deliver: (inout [TraceMessage]) -> Void
    ) throws(CaptureError) {
        try series.forEach(
            batches: { batch in
                consume(batch, into: &messages)
                if !messages.isEmpty { deliver(&messages) }
            },
            packets: { packet in
                consume(packet, into: &messages)
                if !messages.isEmpty { deliver(&messages) }
            })
    }

    /// Processes the packets of a batch, and appends the messages that they complete.
    public mutating func consume(
        _ batch: borrowing PacketBatch, into messages: inout [TraceMessage]
    ) {
        guard batch.linkType == .ethernet, output.options.dissected.isEmpty else {
            for index in 0..<batch.count { consume(batch.packet(index), into: &messages) }
            return
        }
        for place in batch.places.indices {
            output.recordTime(
                batch.places[place].timestamp, of: batch.interface, frame: batch.firstIndex + place)
        }
        var first = 0
        while first < batch.count {
            let count = min(anticipated.count, batch.count - first)
            limitMemory()
            anticipate(batch, first, count)
            var place = 0
            while place < count {
                let due = nextDue
                place = flows.takeRun(
                    of: anticipated.span, from: place, count, batch, first, until: due,
                    into: &output)
                guard place < count else { break }
                let timestamp = batch.places[first + place].timestamp
                pass(to: timestamp)
                // The run may have been interrupted by something that was due, and not by the
                // packet.
                if timestamp > due, nextDue >= timestamp { continue }
                if anticipated[place].kind != .foreign {
                    consumeCounted(batch.packet(first + place))
                }
                place += 1
            }
            first += count
        }
        output.screening.notify()
        flush(into: &messages)
    }

    /// Parses the packets of a batch and looks up their connections ahead of their processing.
    ///
    /// Connections are scattered in memory, and a processor that gets to a packet waits for its
    /// connection. So all of them are looked up first, because the processor can wait for many at a
    /// time.
    private mutating func anticipate(
        _ batch: borrowing PacketBatch, _ first: Int, _ count: Int
    ) {
        let seed = FlowKey.seed
        var bytes = 0
        for place in 0..<count {
            let frame = batch.frame(first + place)
            bytes += frame.byteCount
            anticipated[place].slot = -1
            guard let segment = EthernetSegment(frame) else {
                anticipated[place].kind = .other
                continue
            }
            let (ends, direction) = FlowKey.IPv4Ends.make(segment, seed: seed)
            guard output.options.shard.holds(hashCode: ends.hashCode) else {
                anticipated[place].kind = .foreign
                continue
            }
            flows.prefetch(ends)
            let start = segment.segment.lowerBound + segment.header.length
            anticipated[place] = ParsedPacket(
                kind: .segment, flags: segment.header.flags, direction: direction, ends: ends,
                sequence: segment.header.sequence,
                acknowledgement: segment.header.acknowledgement,
                start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: segment.segment.upperBound))
        }
        output.statistics.packets += count
        output.statistics.bytes += bytes
        // In rounds, because each step determines where the next one reads.
        for place in 0..<count where anticipated[place].kind == .segment {
            let slot = flows.probableSlot(of: anticipated[place].ends)
            anticipated[place].slot = slot
            flows.prefetch(slot)
            if anticipated[place].isEvent { flows.prefetchFlow(Int(slot)) }
        }
        if output.screening.wantsAll || output.screening.onlyCounts { return }
        flows.prefetchGathered(anticipated.span.extracting(0..<count))
        for place in 0..<count { anticipatedSlots[place] = anticipated[place].slot }
        output.screening.prefetch(anticipatedSlots.span.extracting(0..<count))
    }
}
