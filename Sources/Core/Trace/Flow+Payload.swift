import TCPIP
import Wire

// Payload: decoded at once if it is next in order, kept up to a limit if it is ahead.
extension Flow {
    /// Decodes payload at once if it is next in order, and keeps it if it is ahead.
    mutating func takePayload(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        compare(payload, carrier, direction, into: &output)
        let conflicts = output.statistics.conflicts
        let from = streams[direction.rawValue].reassembly.accept(
            payload, carrier: carrier, counting: &output.statistics)
        if output.statistics.conflicts > conflicts {
            record(
                .conflictingBytes, direction,
                since: Timestamp(nanoseconds: streams[direction.rawValue].seenUntil),
                frame: carrier.frame, into: &output)
        }
        if let from {
            let bytes = payload.extracting(droppingFirst: from)
            let offset = streams[direction.rawValue].reassembly.next - UInt64(bytes.byteCount)
            deliver(bytes, at: offset, carrier, direction, into: &output)
        }
        if isAwaiting || streams[direction.rawValue].reassembly.isWaiting {
            deliverReady(direction, into: &output)
            keepToLimit(carrier, direction, into: &output)
        }
        if streams[direction.rawValue].pendingFin != nil {
            endIfComplete(direction, into: &output)
        }
    }

    mutating func keepToLimit(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        while exceedsLimit(direction, &output),
            let hole = streams[direction.rawValue].reassembly.firstWaiting?.offset
        {
            giveUp(upTo: hole, .limit, carrier, direction, into: &output)
        }
    }

    mutating func exceedsLimit(
        _ direction: Direction, _ output: inout TraceOutput
    ) -> Bool {
        let waitingBytes = streams[direction.rawValue].reassembly.waitingBytes
        return waitingBytes > min(output.options.waitingBytesMax, Reassembly.waitingBytesMax)
            || streams[direction.rawValue].reassembly.waitingCount
                > output.options.waitingSegmentsMax
            || (waitingBytes > 0
                && (output.waitingBytes + self.waitingBytes > output.options.waitingBytesTotalMax
                    || output.waitingSegments + waitingSegments
                        > output.options.waitingSegmentsTotalMax))
    }
}
