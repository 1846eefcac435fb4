import TCPIP
import Wire

// Which segments belong to a connection, and which to another one between the same ends.
extension Flow {
    /// Returns whether a segment opens another connection between the same ends.
    mutating func isSuperseded(by carrier: CarryingSegment, _ direction: Direction) -> Bool {
        let header = carrier.header
        guard header.flags.contains(.syn), let base = streams[direction.rawValue].baseSequence
        else { return false }
        guard base != header.sequence else { return isBegunAgain(by: carrier, direction) }
        guard header.flags.contains(.ack) else { return true }
        // A server may choose another number when it answers a repeated attempt.
        return streams[direction.opposite.rawValue].baseSequence.map {
            !(1...Self.attemptBytesMax).contains(header.acknowledgement.distance(from: $0))
        } ?? false
    }

    /// Returns whether a SYN with the number of the first one opens another connection.
    ///
    /// A device that starts again may choose the same port and number. A kernel repeats an attempt,
    /// after ever longer times, only while it has no answer.
    private mutating func isBegunAgain(
        by carrier: CarryingSegment, _ direction: Direction
    ) -> Bool {
        guard direction == caller, !carrier.header.flags.contains(.ack),
            isEstablished || isClosed,
            let next = streams[direction.rawValue].reassembly.nextSequence
        else { return false }
        let last = streams.indices.map { streams[$0].seenUntil }.max() ?? 0
        guard last > .min else { return false }
        let hasSent = isEstablished && next.distance(from: carrier.header.sequence) > 1
        return carrier.time.nanoseconds - last
            > (hasSent ? Self.lateAttemptMax : Self.repeatedAttemptMax)
    }

    /// How long after the last segment a SYN may be a late copy of the first one, in nanoseconds.
    private static let lateAttemptMax: Int64 = 1_000_000_000

    /// How long after the last segment of a connection that was refused, or of which a side sent
    /// nothing, a SYN may be a repetition, in nanoseconds.
    ///
    /// Windows repeats a refused attempt for about two seconds. If the refusal was lost behind the
    /// place of the capture, the first repetition comes up to 3 s after the SYN (RFC 1122 4.2.3.1).
    private static let repeatedAttemptMax: Int64 = 4_000_000_000

    /// The maximum number of sequence numbers of an attempt: the SYN, and data in one packet.
    private static let attemptBytesMax = 65_536

    /// Returns whether a segment has bytes of another connection between the same ends.
    ///
    /// The beginning of that connection was not captured.
    mutating func isForeign(_ carrier: CarryingSegment, _ direction: Direction) -> Bool {
        guard isClosed, carrier.segmentLength > 0, !carrier.header.flags.contains(.rst),
            let next = streams[direction.rawValue].reassembly.nextSequence,
            !has(carrier, direction)
        else { return false }
        return isLate
            || carrier.header.sequence.distance(from: next).magnitude > Self.repeatedBytesMax
    }
}
