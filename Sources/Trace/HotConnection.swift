import Capture
import TCPIP
import Wire

/// What nearly every segment asks of its connection, kept together so that it lies in two or three
/// lines of the processor's cache and not in a dozen.
///
/// While a connection runs evenly, that is while it is established, both of its streams are decoded
/// and nothing is missing or has ended, this knows where the streams have come to, and messages that
/// can be told by their headers are not even the decoder's. As soon as something else happens they are
/// its `Flow`'s, until it runs evenly again.
struct HotConnection {
    /// Where one stream has come to.
    struct StreamPosition {
        /// Offset of the next byte in order.
        var next: UInt64 = 0
        var headers = HeaderReaderState()
        /// Whether it is read by headers, so that the decoder has not been told how far it has come.
        var isReadByHeaders = false
        /// Whether the flow remembers who carried earlier bytes.
        var isRemembered = false
        /// The next byte's sequence number.
        var sequence = TCPSequence(0)
    }

    /// Who must take a segment.
    enum Disposition {
        /// It is taken.
        case taken
        /// It is taken; the flow must remember who carried the bytes from `pending` on, which belong to a
        /// message that is not whole, and may forget who carried earlier ones.
        case carried(at: UInt64, pending: UInt64)
        /// The decoder takes the bytes from a place on; the segment's first byte stands at the
        /// offset.
        case decoder(from: Int, at: UInt64)
        /// The flow.
        case flow
    }

    /// By direction.
    private(set) var streams: InlineArray<2, StreamPosition> = [StreamPosition(), StreamPosition()]
    /// When the last segment was captured.
    var lastActivity: Timestamp
    /// The ends, if they have IPv4 addresses: `FlowKey.ipv4Addresses` and `portPair`.
    let addresses: UInt64
    let ports: UInt32
    /// How long before the last segment the last one of the other direction was, in units of
    /// 1,024 ns; the greatest number if that is not known.
    private var otherLag = UInt32.max
    private let shortNumber: UInt32
    private(set) var isIPv4: Bool
    /// Whether the last segment came from the second end.
    private var isLastFromSecond = false
    /// Whether the connection runs evenly.
    private(set) var runsEvenly = false
    /// Whether its streams may be read by headers.
    private var readsHeaders = false

    /// The connection's number in the trace.
    var number: Int {
        @inline(__always) get { Int(shortNumber) }
    }

    /// Makes what is known of a connection before its first segment.
    init(of flow: borrowing Flow, at time: Timestamp) {
        addresses = flow.key.ipv4Addresses
        ports = flow.key.portPair
        isIPv4 = flow.key.isIPv4
        shortNumber = UInt32(truncatingIfNeeded: flow.number)
        lastActivity = time
    }

    /// Whether its connection is the one between those ends.
    @inline(__always)
    mutating func isOf(_ ends: FlowKey.IPv4Ends) -> Bool {
        addresses == ends.addresses && ports == ends.ports && isIPv4
    }

    /// Takes an acknowledgement, or the bytes that are next in order.
    @inline(__always)
    mutating func take(
        _ payload: RawSpan, _ packet: AnticipatedPacket, frame: Int, slot: Int,
        into output: inout TraceOutput
    ) -> Disposition {
        let count = payload.byteCount
        let own = packet.direction.rawValue
        guard runsEvenly, packet.flags.subtracting(.psh) == .ack,
            packet.acknowledgement.distance(from: streams[1 - own].sequence) <= 0
        else { return .flow }
        // A clock that runs back is the flow's concern.
        guard output.now >= lastActivity, streams[own].sequence == packet.sequence else {
            return .flow
        }
        noteSeen(packet.direction, at: output.now)
        if count == 0 { return .taken }
        let offset = streams[own].next
        streams[own].next = offset + UInt64(count)
        streams[own].sequence = packet.sequence + count
        output.statistics.streamBytes += count
        guard streams[own].isReadByHeaders, let reader = output.headerReader else {
            return .decoder(from: 0, at: offset)
        }
        let passing = streams[own].headers.passing
        // With the last byte of a message comes its turn.
        if count < passing, output.screening.onlyCounts, streams[own].headers.gathered.isEmpty {
            streams[own].headers.passing = passing - UInt32(truncatingIfNeeded: count)
            return .taken
        }
        stand(frame, packet.direction, slot: slot, in: &output)
        let reading = reader.read(payload, &streams[own].headers, asking: &output.screening)
        guard reading.goesOn else { return .decoder(from: reading.count, at: offset) }
        output.nextNumber += output.screening.takePassedOver()
        let gathered = streams[own].headers.gathered.count
        guard output.screening.needsFrames, gathered > 0 || streams[own].isRemembered else {
            return .taken
        }
        return .carried(at: offset, pending: streams[own].next - UInt64(gathered))
    }

    /// Decodes the bytes that are next in order, from a place on.
    ///
    /// - Returns: Whether the flow must conclude it: there are messages, or who carried bytes must
    ///   be remembered or can be forgotten.
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
        stand(frame, direction, slot: slot, in: &output)
        output.screening.agreement = nil
        decoder?.consume(
            payload.extracting(droppingFirst: place), from: direction.side, at: start,
            into: &output.units, asking: &output.screening)
        if readsHeaders, let agreement = output.screening.agreement {
            streams[own].headers.begin(agreement)
            streams[own].isReadByHeaders = true
            if streams[1 - own].isReadByHeaders { decoder?.rest() }
        }
        return streams[own].isRemembered || !output.units.isEmpty
            || output.screening.needsFrames
                && output.screening.oldestPendingOffset < offset + UInt64(payload.byteCount)
    }

    /// Tells the screen where in the trace it is asked.
    @inline(__always)
    private func stand(
        _ frame: Int, _ direction: Direction, slot: Int, in output: inout TraceOutput
    ) {
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: frame)
    }

    /// Notes whether the flow remembers who carried bytes of a stream.
    mutating func remember(_ flow: inout Flow, _ direction: Direction) {
        streams[direction.rawValue].isRemembered =
            flow.streams[direction.rawValue].isRemembering
    }

    /// Has the processor fetch what was gathered of a stream.
    @inline(__always)
    mutating func prefetchGathered(_ direction: Direction) {
        streams[direction.rawValue].headers.gathered.prefetchStart()
    }

    /// Whether both streams are known to be complete beyond a moment.
    func isSeen(until time: Timestamp) -> Bool {
        seenUntil(.fromFirst) > time && seenUntil(.fromSecond) > time
    }

    /// Notes that a segment left nothing open before it.
    @inline(__always)
    private mutating func noteSeen(_ direction: Direction, at now: Timestamp) {
        let passed = now.nanoseconds &- lastActivity.nanoseconds
        let units = UInt32(truncatingIfNeeded: min(passed >> 10 &+ 1, Int64(UInt32.max)))
        let isFromSecond = direction == .fromSecond
        let former = isFromSecond == isLastFromSecond ? otherLag : 0
        let (sum, overflow) = former.addingReportingOverflow(units)
        otherLag = overflow ? .max : sum
        isLastFromSecond = isFromSecond
        lastActivity = now
    }

    /// When the last segment of a direction was captured that left nothing open before it; rather
    /// too early than too late.
    private func seenUntil(_ direction: Direction) -> Timestamp {
        if (direction == .fromSecond) == isLastFromSecond { return lastActivity }
        guard otherLag < .max else { return .distantPast }
        return Timestamp(nanoseconds: lastActivity.nanoseconds &- Int64(otherLag) << 10)
    }

    /// Takes over when the last segments of both directions were captured; `false` if the last one of
    /// the connection left something open.
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

    /// Forgets whose it was.
    mutating func vacate() { isIPv4 = false }

    /// Begins to follow the streams of a connection, if it runs evenly.
    mutating func begin(_ flow: inout Flow, asking reader: (any HeaderReader.Type)?) {
        guard flow.runsEvenly, flow.streamProtocol?.idle == nil,
            let from = flow.streams[0].position,
            let to = flow.streams[1].position,
            takeSeen(flow.streams[0].seenUntil, flow.streams[1].seenUntil)
        else {
            return
        }
        readsHeaders = reader != nil && flow.streamProtocol?.headerReader == reader
        begin(.fromFirst, from, isRemembered: flow.streams[0].isRemembering, &flow.decoder)
        begin(.fromSecond, to, isRemembered: flow.streams[1].isRemembering, &flow.decoder)
        if streams[0].isReadByHeaders, streams[1].isReadByHeaders { flow.decoder?.rest() }
        runsEvenly = true
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

    /// Tells the flow where its streams have come to, and leaves them to it.
    mutating func end(_ flow: inout Flow) {
        runsEvenly = false
        end(.fromFirst, &flow.streams[0], &flow.decoder)
        end(.fromSecond, &flow.streams[1], &flow.decoder)
    }

    private mutating func end(
        _ direction: Direction, _ stream: inout StreamState,
        _ decoder: inout (any ConnectionDecoder)?
    ) {
        let own = direction.rawValue
        stream.seenUntil = seenUntil(direction).nanoseconds
        // The decoder of a stream of which nothing has come since must not take it for begun.
        guard streams[own].next != stream.reassembly.next else { return }
        stream.resume(at: streams[own].next, streams[own].sequence)
        if streams[own].isReadByHeaders {
            decoder?.resume(&streams[own].headers, at: streams[own].next, from: direction.side)
        }
    }
}
