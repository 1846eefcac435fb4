import TCPIP
import Wire

/// The ends of a connection and of its streams.
extension Flow {
    /// Ends a stream because of a FIN, once all bytes before it have arrived.
    mutating func end(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        if !streams[direction.rawValue].hasStarted {
            streams[direction.rawValue].reassembly.start(at: carrier.end)
        }
        if streams[direction.rawValue].hasFin {
            if carrier.segmentLength == 0 { output.statistics.retransmissions += 1 }
            emit(.retransmission, carrier, direction, into: &output)
            return
        }
        streams[direction.rawValue].hasFin = true
        isClosed = isClosed || streams[direction.opposite.rawValue].hasFin
        let offset = streams[direction.rawValue].reassembly.offset(of: carrier.end) ?? 0
        if streams[direction.rawValue].reassembly.next >= UInt64(max(offset, 0))
            || streams[direction.rawValue].decoding == .ended
        {
            end(direction, by: carrier, into: &output)
        } else {
            streams[direction.rawValue].pendingFin = carrier
        }
    }

    /// Ends a stream if all bytes before its FIN have arrived, or are given up.
    ///
    /// - Parameters:
    ///   - direction: The direction of the stream.
    ///   - time: The time since which messages are held, because the bytes were outstanding; `nil`
    ///     if none are held.
    ///   - output: The output for messages and counts.
    mutating func endIfComplete(
        _ direction: Direction, heldSince time: Timestamp? = nil, into output: inout TraceOutput
    ) {
        guard let fin = streams[direction.rawValue].pendingFin,
            let end = streams[direction.rawValue].pendingEnd,
            streams[direction.rawValue].reassembly.next >= end
        else { return }
        streams[direction.rawValue].pendingFin = nil
        let now = output.now
        if let time { output.now = max(time, fin.time) }
        self.end(direction, by: fin, arrival: Arrival(at: fin.time), into: &output)
        output.now = now
    }

    /// Gives up what is missing before the FIN of a stream, which shows that it was sent.
    mutating func giveUpBeforeFin(
        _ direction: Direction, _ reason: TCPEvent.GapReason, _ carrier: CarryingSegment?,
        into output: inout TraceOutput
    ) {
        let since = streams[direction.rawValue].awaited?.since
        if let awaited = streams[direction.rawValue].awaited {
            giveUp(upTo: awaited.end, .acknowledged, carrier, direction, into: &output)
        }
        if let end = streams[direction.rawValue].pendingEnd {
            giveUp(upTo: end, reason, carrier, direction, into: &output)
            endIfComplete(direction, heldSince: since, into: &output)
        }
    }

    /// Returns how the sender of a stream ends it, now that it does.
    func ending(_ direction: Direction) -> StreamEnd {
        streams[direction.opposite.rawValue].hasFin ? .abandoned : .closed
    }

    /// Ends a stream after its last byte.
    private mutating func end(
        _ direction: Direction, by fin: CarryingSegment, arrival: Arrival? = nil,
        into output: inout TraceOutput
    ) {
        pause(direction, into: &output)
        emit(.fin, fin, direction, arrival: arrival, into: &output)
        guard streams[direction.rawValue].decoding != .ended else { return }
        streams[direction.rawValue].reassembly.passSequenceNumber()
        endStream(direction, ending(direction), by: fin.frame, into: &output)
    }
}
