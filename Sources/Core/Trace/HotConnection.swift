import Capture
import TCPIP
import Wire

/// The state of a connection that nearly every segment needs.
///
/// It is kept together so that it occupies two or three cache lines of the processor and not a
/// dozen.
///
/// A connection runs evenly while it is established, both of its streams are decoded, and nothing
/// is missing or has ended. Meanwhile this type holds the positions of the streams, and messages
/// that can be recognised by their headers do not even reach the decoder. As soon as something else
/// happens, the streams return to the connection's `Flow`, until it runs evenly again.
struct HotConnection {
    /// The current state of one stream.
    struct StreamPosition {
        /// The offset of the next byte in order.
        var next: UInt64 = 0
        var headers = HeaderReaderState()
        /// Whether it is read by headers, so that the decoder does not know its current position.
        var isReadByHeaders = false
        /// Whether the flow has recorded the carriers of earlier bytes.
        var isRemembered = false
        /// The next byte's sequence number.
        var sequence = TCPSequence(0)
    }

    /// The outcome of a segment: who must process it further.
    enum Disposition {
        /// The segment is completely processed.
        case taken
        /// The segment is processed, but the flow must record its carrier.
        ///
        /// The bytes from `pending` on belong to an incomplete message. The flow may drop the
        /// carriers of earlier ones.
        case carried(at: UInt64, pending: UInt64)
        /// The decoder must process the bytes from a place on.
        ///
        /// The segment's first byte is at the offset.
        case decoder(from: Int, at: UInt64)
        /// The flow must process the segment.
        case flow
    }

    /// The state of the streams, by direction.
    private(set) var streams: InlineArray<2, StreamPosition> = [StreamPosition(), StreamPosition()]
    /// The time at which the last segment was captured.
    var lastActivity: Timestamp
    /// The ends, if they have IPv4 addresses: `FlowKey.ipv4Addresses` and `portPair`.
    let addresses: UInt64
    let ports: UInt32
    /// The time from the last segment of the other direction to the last segment, in units of 1,024
    /// ns.
    ///
    /// It is the greatest number if that is not known.
    private var otherLag = UInt32.max
    private let shortNumber: UInt32
    private(set) var isIPv4: Bool
    /// Whether the last segment came from the second end.
    private var isLastFromSecond = false
    /// Whether the connection runs evenly.
    private(set) var isInFastPath = false
    /// Whether its streams may be read by headers.
    private var readsHeaders = false

    /// Whether its decoder has released its state, because headers are enough.
    var isReadByHeaders: Bool {
        isInFastPath && streams[0].isReadByHeaders && streams[1].isReadByHeaders
    }
    /// The bytes of unfinished messages that are read by headers.
    var gatheredCount: Int {
        streams[0].headers.gathered.count + streams[1].headers.gathered.count
    }

    /// The connection's number in the trace.
    var number: Int {
        @inline(__always) get { Int(shortNumber) }
    }

    /// Creates the state of a connection before its first segment.
    init(of flow: borrowing Flow, at time: Timestamp) {
        addresses = flow.key.ipv4Addresses
        ports = flow.key.portPair
        isIPv4 = flow.key.isIPv4
        shortNumber = UInt32(truncatingIfNeeded: flow.number)
        lastActivity = time
    }

    /// Returns whether its connection is the one between those ends.
    @inline(__always)
    mutating func isOf(_ ends: FlowKey.IPv4Ends) -> Bool {
        addresses == ends.addresses && ports == ends.ports && isIPv4
    }

    /// Processes an acknowledgement, or the bytes that are next in order.
    @inline(__always)
    mutating func consume(
        _ payload: RawSpan, _ packet: ParsedPacket, frame: Int, slot: Int,
        into output: inout TraceOutput
    ) -> Disposition {
        let count = payload.byteCount
        let own = packet.direction.rawValue
        guard isInFastPath, packet.flags.subtracting(.psh) == .ack,
            packet.acknowledgement.distance(from: streams[1 - own].sequence) <= 0
        else { return .flow }
        // A clock that runs backwards is left to the flow.
        guard output.now >= lastActivity, streams[own].sequence == packet.sequence else {
            return .flow
        }
        recordSeen(packet.direction, at: output.now)
        output.log.append(
            payload, sequence: packet.sequence, acknowledgement: packet.acknowledgement,
            acknowledges: true, packet.direction, flow: number, frame: frame, at: output.now)
        if count == 0 { return .taken }
        let offset = streams[own].next
        streams[own].next = offset + UInt64(count)
        streams[own].sequence = packet.sequence + count
        output.statistics.streamBytes += count
        guard streams[own].isReadByHeaders, let reader = output.headerReader else {
            return .decoder(from: 0, at: offset)
        }
        let passing = streams[own].headers.passing
        // The last byte of a message causes a report of the message.
        if count < passing, output.screening.onlyCounts, streams[own].headers.gathered.isEmpty {
            streams[own].headers.passing = passing - UInt32(truncatingIfNeeded: count)
            return .taken
        }
        setScreenPosition(frame, packet.direction, slot: slot, in: &output)
        let reading = reader.read(payload, &streams[own].headers, asking: &output.screening)
        guard reading.continues else { return .decoder(from: reading.count, at: offset) }
        output.nextNumber += output.screening.takePassedOver()
        let gathered = streams[own].headers.gathered.count
        guard output.screening.needsFrames, gathered > 0 || streams[own].isRemembered else {
            return .taken
        }
        return .carried(at: offset, pending: streams[own].next - UInt64(gathered))
    }

    /// Decodes the bytes that are next in order, from a place on.
    ///
    /// - Returns: Whether the flow must conclude it: there are messages, or carriers of bytes must
    ///   be recorded or can be dropped.
    mutating func decode(
        _ payload: RawSpan, from place: Int, at offset: UInt64, frame: Int,
        _ direction: Direction, slot: Int, by decoder: inout (any ConnectionDecoder)?,
        into output: inout TraceOutput
    ) -> Bool {
        let own = direction.rawValue
        let start = offset + UInt64(place)
        if streams[own].isReadByHeaders {
            streams[own].isReadByHeaders = false
            decoder?.resume(&streams[own].headers, at: start, from: direction.side)
        }
        setScreenPosition(frame, direction, slot: slot, in: &output)
        output.screening.agreement = nil
        decoder?.consume(
            payload.extracting(droppingFirst: place), from: direction.side, at: start,
            into: &output.units, asking: &output.screening)
        if readsHeaders, let agreement = output.screening.agreement {
            streams[own].headers.begin(agreement)
            streams[own].isReadByHeaders = true
            if streams[1 - own].isReadByHeaders { decoder?.releaseState() }
        }
        return streams[own].isRemembered || !output.units.isEmpty
            || output.screening.needsFrames
                && output.screening.oldestPendingOffset < offset + UInt64(payload.byteCount)
    }

    /// Sets the place of the trace for which the screen is queried.
    @inline(__always)
    private func setScreenPosition(
        _ frame: Int, _ direction: Direction, slot: Int, in output: inout TraceOutput
    ) {
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: frame)
    }

    /// Updates whether the flow has recorded carriers of bytes of a stream.
    mutating func remember(_ flow: inout Flow, _ direction: Direction) {
        streams[direction.rawValue].isRemembered =
            flow.streams[direction.rawValue].isRemembering
    }

    /// Prefetches the gathered bytes of a stream.
    @inline(__always)
    mutating func prefetchGathered(_ direction: Direction) {
        streams[direction.rawValue].headers.gathered.prefetchStart()
    }

    /// Returns whether both streams are known to be complete beyond a given time.
    func isSeen(until time: Timestamp) -> Bool {
        seenUntil(.fromFirst) > time && seenUntil(.fromSecond) > time
    }

    /// Records that nothing before a segment is missing.
    @inline(__always)
    private mutating func recordSeen(_ direction: Direction, at now: Timestamp) {
        let passed = now.nanoseconds &- lastActivity.nanoseconds
        let units = UInt32(truncatingIfNeeded: min(passed >> 10 &+ 1, Int64(UInt32.max)))
        let isFromSecond = direction == .fromSecond
        let former = isFromSecond == isLastFromSecond ? otherLag : 0
        let (sum, overflow) = former.addingReportingOverflow(units)
        otherLag = overflow ? .max : sum
        isLastFromSecond = isFromSecond
        lastActivity = now
    }

    /// Returns when the last segment of a direction was captured before which nothing is missing.
    ///
    /// The time is rather too early than too late.
    private func seenUntil(_ direction: Direction) -> Timestamp {
        if (direction == .fromSecond) == isLastFromSecond { return lastActivity }
        guard otherLag < .max else { return .distantPast }
        return Timestamp(nanoseconds: lastActivity.nanoseconds &- Int64(otherLag) << 10)
    }

    /// Imports the capture times of the last segments of both directions.
    ///
    /// Returns `false` if something is missing at the last segment of the connection.
    private mutating func takeSeen(_ first: Int64, _ second: Int64) -> Bool {
        guard max(first, second) == lastActivity.nanoseconds else { return false }
        isLastFromSecond = second > first
        let passed = lastActivity.nanoseconds.subtractingReportingOverflow(min(first, second))
        otherLag =
            passed.overflow
            ? .max
            : UInt32(truncatingIfNeeded: min(passed.partialValue >> 10 &+ 1, Int64(UInt32.max)))
        return true
    }

    /// Makes it match no connection any more.
    mutating func vacate() { isIPv4 = false }

    /// Starts to follow the streams of a connection, if it runs evenly.
    mutating func begin(_ flow: inout Flow, asking reader: (any HeaderReader.Type)?) {
        guard flow.isInFastPath, flow.streamProtocol?.idle == nil,
            let from = flow.streams[0].position,
            let to = flow.streams[1].position,
            takeSeen(flow.streams[0].seenUntil, flow.streams[1].seenUntil)
        else {
            return
        }
        readsHeaders = reader != nil && flow.streamProtocol?.headerReader == reader
        begin(.fromFirst, from, isRemembered: flow.streams[0].isRemembering, &flow.decoder)
        begin(.fromSecond, to, isRemembered: flow.streams[1].isRemembering, &flow.decoder)
        if streams[0].isReadByHeaders, streams[1].isReadByHeaders { flow.decoder?.releaseState() }
        isInFastPath = true
    }

    private mutating func begin(
        _ direction: Direction, _ position: (offset: UInt64, sequence: TCPSequence),
        isRemembered: Bool, _ decoder: inout (any ConnectionDecoder)?
    ) {
        let own = direction.rawValue
        let agreement = readsHeaders ? decoder?.agreement(of: direction.side) : nil
        streams[own].next = position.offset
        streams[own].sequence = position.sequence
        streams[own].isRemembered = isRemembered
        streams[own].isReadByHeaders = agreement != nil
        streams[own].headers.begin(agreement ?? 0)
    }

    /// Updates the flow with the current positions of its streams, and returns the streams to it.
    mutating func end(_ flow: inout Flow) {
        isInFastPath = false
        end(.fromFirst, &flow.streams[0], &flow.decoder)
        end(.fromSecond, &flow.streams[1], &flow.decoder)
    }

    private mutating func end(
        _ direction: Direction, _ stream: inout StreamState,
        _ decoder: inout (any ConnectionDecoder)?
    ) {
        let own = direction.rawValue
        stream.seenUntil = seenUntil(direction).nanoseconds
        // If nothing has arrived since, the decoder must not be resumed, as it would consider the
        // stream begun.
        guard streams[own].next != stream.reassembly.next else { return }
        stream.resume(at: streams[own].next, streams[own].sequence)
        if streams[own].isReadByHeaders {
            decoder?.resume(&streams[own].headers, at: streams[own].next, from: direction.side)
        }
    }
}
