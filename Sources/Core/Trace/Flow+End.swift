import TCPIP
import Wire

/// The ends of a connection and of its streams.
extension Flow {
    mutating func end(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let sequence = carrier.header.sequence + carrier.segmentLength
        if !streams[direction.rawValue].hasStarted {
            streams[direction.rawValue].reassembly.start(at: sequence)
        }
        if streams[direction.rawValue].hasFin {
            if carrier.segmentLength == 0 { output.statistics.retransmissions += 1 }
            emit(.retransmission, carrier, direction, into: &output)
            return
        }
        pause(direction, into: &output)
        emit(.fin, carrier, direction, into: &output)
        let offset = streams[direction.rawValue].reassembly.offset(of: sequence) ?? 0
        streams[direction.rawValue].hasFin = true
        isClosed = isClosed || streams[direction.opposite.rawValue].hasFin
        if streams[direction.rawValue].reassembly.next >= UInt64(max(offset, 0)) {
            end(direction, by: carrier.frame, into: &output)
        } else {
            streams[direction.rawValue].pendingFin = (UInt64(offset), carrier.frame)
        }
    }

    /// Ends a stream if all bytes before its FIN have arrived.
    mutating func endIfComplete(
        _ direction: Direction, into output: inout TraceOutput
    ) {
        guard let fin = streams[direction.rawValue].pendingFin,
            streams[direction.rawValue].reassembly.next >= fin.offset
        else { return }
        streams[direction.rawValue].pendingFin = nil
        end(direction, by: fin.frame, into: &output)
    }

    /// Returns how the sender of a stream ends it, now that it does.
    func ending(_ direction: Direction) -> StreamEnd {
        streams[direction.opposite.rawValue].hasFin ? .abandoned : .closed
    }

    /// Ends a stream after its last byte.
    private mutating func end(
        _ direction: Direction, by frame: Int, into output: inout TraceOutput
    ) {
        guard streams[direction.rawValue].decoding != .ended else { return }
        streams[direction.rawValue].reassembly.passSequenceNumber()
        endStream(direction, ending(direction), by: frame, into: &output)
    }
}
