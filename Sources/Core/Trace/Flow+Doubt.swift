import TCPIP
import Wire

// Bytes of which the capture does not show what the receiver made of them.
extension Flow {
    /// A connection attempt with data (RFC 7413, RFC 9293 3.4).
    struct Attempt {
        let bytes: [UInt8]
        let carrier: CarryingSegment
        let direction: Direction

        init(bytes: [UInt8], carrier: CarryingSegment, _ direction: Direction) {
            (self.bytes, self.carrier, self.direction) = (bytes, carrier, direction)
        }
    }

    /// Returns whether a segment with these flags accepts an attempt.
    func isAnswer(_ flags: TCPFlags) -> Bool { flags.contains([.syn, .ack]) }

    /// Processes the data of an attempt as far as the other side acknowledges it.
    ///
    /// A receiver that does not acknowledge it has discarded it, and the sender sends it again. If
    /// the acknowledgement was not captured, the next byte of the sender shows what happened.
    mutating func settleAttempt(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        guard let attempt = attempts.first else { return }
        let flags = carrier.header.flags
        let first = attempt.carrier.header.firstByte
        let count: Int
        if flags.contains(.rst) {
            count = 0
        } else if direction == attempt.direction {
            guard !flags.contains(.syn), carrier.segmentLength > 0 else { return }
            count = carrier.header.sequence.distance(from: first)
        } else {
            guard flags.contains(.ack) else { return }
            count = carrier.header.acknowledgement.distance(from: first)
        }
        attempts = []
        let accepted = max(0, min(count, attempt.bytes.count))
        if accepted < attempt.bytes.count { output.statistics.ignore(Self.unaccepted) }
        guard accepted > 0 else { return }
        takePayload(
            attempt.bytes.span.bytes.extracting(first: accepted), attempt.carrier,
            attempt.direction, into: &output)
    }

    /// The category under which attempts are counted whose data was not accepted.
    private static let unaccepted = "data in a tcp SYN that was not accepted"

    /// Compares bytes that were captured before with those that were captured first.
    mutating func compare(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let first = carrier.header.firstByte
        guard let next = streams[direction.rawValue].reassembly.nextSequence else { return }
        let known = min(payload.byteCount, next.distance(from: first))
        guard known > 0,
            let conflict = output.log.conflict(
                of: payload.extracting(first: known), at: first, direction, flow: number)
        else { return }
        output.statistics.recordConflict(frame: carrier.frame)
        guard !conflict.isSettled else { return }
        record(
            .conflictingBytes, direction, since: conflict.since, frame: carrier.frame,
            into: &output)
    }

    /// Processes the payload of a segment with an urgent pointer.
    ///
    /// The last urgent byte is not part of the stream that a program reads, unless it asks for that
    /// (RFC 6093 2 and 3.4, as Linux and BSD do).
    mutating func takeUrgent(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let own = direction.rawValue
        let place = Int(carrier.header.urgentPointer) - 1
        let sequence = carrier.header.sequence + place
        let ahead = sequence.distance(
            from: streams[own].reassembly.nextSequence ?? carrier.header.sequence)
        guard (0..<payload.byteCount).contains(place), ahead >= 0 else {
            if payload.byteCount > 0 { takePayload(payload, carrier, direction, into: &output) }
            return
        }
        guard ahead <= place, !streams[own].reassembly.isWaiting else {
            record(
                .urgentByte, direction,
                since: Timestamp(nanoseconds: streams[own].seenUntil), frame: carrier.frame,
                into: &output)
            return takePayload(payload, carrier, direction, into: &output)
        }
        output.statistics.urgentBytes += 1
        if place > 0 {
            takePayload(payload.extracting(first: place), carrier, direction, into: &output)
        } else if !streams[own].hasStarted {
            streams[own].reassembly.start(at: sequence)
        }
        streams[own].reassembly.passSequenceNumber()
        endIfComplete(direction, into: &output)
        guard place + 1 < payload.byteCount else { return }
        var rest = carrier
        rest.header.sequence = sequence + 1
        takePayload(payload.extracting(droppingFirst: place + 1), rest, direction, into: &output)
    }
}

extension TCPHeader {
    /// The sequence number of the first byte of its payload: a SYN takes one before it.
    var firstByte: TCPSequence { sequence + (flags.contains(.syn) ? 1 : 0) }
}
