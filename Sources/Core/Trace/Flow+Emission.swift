import Bluetooth
import TCPIP
import Wire

/// The messages of a connection, as they are added to the trace.
///
/// A method that only reads its flow would get a copy of it. These are called for every segment.
extension Flow {
    mutating func emitUnits(
        _ direction: Direction, endedBy frame: Int? = nil, into output: inout TraceOutput
    ) {
        defer { output.nextNumber += output.screening.takePassedOver() }
        guard !output.units.isEmpty else { return }
        for unit in output.units {
            output.nextNumber += unit.passedOverBefore
            let range = unit.ranges.first.flatMap { first in
                unit.ranges.last.map { first.lowerBound..<max(first.lowerBound, $0.upperBound) }
            }
            let frames =
                range == nil
                ? frame.map { [$0] } ?? [] : streams[direction.rawValue].frames(of: unit.ranges)
            if !output.screening.wantsAll {
                setScreenPosition(frames.last ?? 0, direction, in: &output)
                output.screening.record(unit.content)
            }
            if let why = unit.content.concealment {
                record(
                    .concealed(why), direction,
                    since: Timestamp(nanoseconds: streams[direction.rawValue].seenUntil),
                    frame: frames.last, into: &output)
            }
            let arrival = range.flatMap { streams[direction.rawValue].arrival(of: $0) }
            append(
                unit.content, frames: frames, direction, range: range, arrival: arrival,
                into: &output)
            if let party = unit.party { name(party, in: &output) }
        }
        output.units.removeAll(keepingCapacity: true)
    }

    /// Adds a message about a segment, with the time at which it was captured if that is earlier.
    mutating func emit(
        _ kind: TCPEvent.Kind, _ carrier: CarryingSegment, _ direction: Direction,
        arrival: Arrival? = nil, into output: inout TraceOutput
    ) {
        if passesOver(kind, carrier, direction, into: &output) { return }
        let event = event(kind, carrier, direction)
        if !output.screening.wantsAll { output.screening.record(event) }
        append(event, frames: [carrier.frame], direction, arrival: arrival, into: &output)
    }

    /// Sets the place of the trace for which the screen is queried.
    mutating func setScreenPosition(
        _ frame: Int, _ direction: Direction, in output: inout TraceOutput
    ) {
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: frame)
    }

    /// Returns whether an event is not wanted.
    private mutating func passesOver(
        _ kind: TCPEvent.Kind, byteCount: Int = 0, _ carrier: CarryingSegment?,
        _ direction: Direction,
        into output: inout TraceOutput
    ) -> Bool {
        guard !output.screening.wantsAll, let code = kind.code else { return false }
        setScreenPosition(carrier?.frame ?? 0, direction, in: &output)
        guard output.screening.passesOver(event: code, byteCount: byteCount) else { return false }
        output.nextNumber += output.screening.takePassedOver()
        return true
    }

    mutating func emitData(
        _ bytes: RawSpan, at offset: UInt64, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let count = bytes.byteCount
        output.statistics.undecodedBytes += count
        // Another program dissects them.
        if output.dissectedConnections.contains(key) { return }
        if passesOver(.data, byteCount: count, carrier, direction, into: &output) { return }
        append(
            event(
                .data, carrier, direction, count: count, bytes: [UInt8](copying: bytes)),
            frames: [carrier.frame], direction, range: offset..<(offset + UInt64(count)),
            arrival: Arrival(at: carrier.time), into: &output)
    }

    /// Adds a gap with the bytes' own sequence number, and the frame that revealed it, if one did.
    mutating func emitGap(
        _ count: Int, _ reason: TCPEvent.GapReason, _ carrier: CarryingSegment?,
        _ direction: Direction,
        into output: inout TraceOutput
    ) {
        if passesOver(.gap, carrier, direction, into: &output) { return }
        let header = TCPHeader(
            sourcePort: key.source(direction).port,
            destinationPort: key.destination(direction).port,
            sequence: streams[direction.rawValue].reassembly.nextSequence ?? TCPSequence(0),
            flags: [])
        let hole = CarryingSegment(frame: 0, header: header, segmentLength: 0, time: output.now)
        append(
            event(.gap, hole, direction, count: count, gapReason: reason),
            frames: carrier.map { [$0.frame] } ?? [], direction, into: &output)
    }

    private func event(
        _ kind: TCPEvent.Kind, _ carrier: CarryingSegment, _ direction: Direction, count: Int = 0,
        gapReason: TCPEvent.GapReason? = nil, bytes: [UInt8] = []
    ) -> TCPEvent {
        TCPEvent(
            kind, from: key.source(direction).address, to: key.destination(direction).address,
            header: carrier.header, segmentLength: carrier.segmentLength, stream: number,
            count: count, gapReason: gapReason, bytes: bytes)
    }

    mutating func append(
        _ content: any DissectedMessage, frames: [Int], _ direction: Direction,
        range: Range<UInt64>? = nil, arrival: Arrival? = nil,
        into output: inout TraceOutput
    ) {
        var message = TraceMessage(
            number: 0, time: output.now, frames: frames, flow: number,
            source: key.source(direction), destination: key.destination(direction),
            content: content)
        message.streamRange = range
        message.arrival = arrival
        output.append(message)
    }
}
