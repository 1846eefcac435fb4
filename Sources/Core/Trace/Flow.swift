import TCPIP
import Wire

/// A TCP connection as captured: two streams and their events.
struct Flow {
    let key: FlowKey
    /// Its number in the trace, from 0.
    let number: Int
    private let shortSlot: Int32
    /// Whether the connection is being followed; its slot is free otherwise.
    private(set) var isFollowed = true
    /// Whether it has been reset, or both sides have ended.
    var isClosed = false
    /// Whether it is in the queue of closed flows.
    var isQueuedAsClosed = false
    /// Whether it had been dropped after its end, and a late segment has brought it back.
    private(set) var isLate = false
    /// The direction of the attempt that opened it; `nil` if that was not captured.
    private(set) var caller: Direction?
    /// Whether it is recorded that its beginning, or all of one direction, was not captured.
    var isBeginningNoted = false
    /// Whether the caller has acknowledged the acceptance of its attempt.
    private(set) var isEstablished = false
    /// The first segment, if it precedes its own SYN in the capture, unless that came later.
    var lackingSyn: LackingSyn?
    /// The attempt that has data and was not answered yet; hardly any connection has one.
    var attempts: [Attempt] = []
    /// The streams, by direction.
    var streams: InlineArray<2, StreamState> = [StreamState(), StreamState()]
    /// The protocol that was recognised or set.
    var streamProtocol: StreamProtocol?
    /// The protocol's decoder, for both directions.
    var decoder: (any ConnectionDecoder)?

    /// Creates a connection before its first segment.
    ///
    /// - Parameter attempted: The direction of its attempt; `nil` if the segment does not show it.
    init(
        number: Int, slot: Int, key: FlowKey, attempted: Direction? = nil, options: TraceOptions
    ) {
        self.number = number
        shortSlot = Int32(truncatingIfNeeded: slot)
        self.key = key
        setProtocol(options, attempted)
    }

    /// Creates a connection again that had been dropped after its end.
    init(_ closed: ClosedConnection, slot: Int) {
        number = Int(closed.number)
        shortSlot = Int32(truncatingIfNeeded: slot)
        key = closed.key
        isClosed = true
        isLate = true
        isBeginningNoted = true
        isEstablished = closed.isEstablished
        caller = closed.caller
        streams = [closed.stream(.fromFirst), closed.stream(.fromSecond)]
    }

    /// Sets the protocol if the ends determine it.
    private mutating func setProtocol(_ options: TraceOptions, _ attempted: Direction?) {
        guard options.setsProtocols else { return }
        let outward = attempted ?? .fromFirst
        if let known = options.streamProtocol(
            from: key.source(outward), to: key.destination(outward), isCallKnown: attempted != nil)
        {
            streamProtocol = known
            decoder = known.makeDecoder(
                DissectionStack(options.protocols, secrets: options.secrets))
            for direction in [Direction.fromFirst, .fromSecond] {
                streams[direction.rawValue].decoding = .decoded
            }
        }
    }

    /// Its slot among the connections that are being followed.
    var slot: Int { Int(shortSlot) }

    /// Whether the next segments can be expected only to continue the two streams.
    var isInFastPath: Bool {
        mutating get { isEstablished && !isClosed }
    }

    /// Releases everything that it holds; its slot is free.
    mutating func vacate() {
        isFollowed = false
        lackingSyn = nil
        attempts = []
        streams = [StreamState(), StreamState()]
        streamProtocol = nil
        decoder = nil
    }

    /// About how many bytes its unfinished messages take.
    var pendingWeight: Int { streams[0].pendingWeight + streams[1].pendingWeight }
    var waitingBytes: Int {
        mutating get { streams[0].reassembly.waitingBytes + streams[1].reassembly.waitingBytes }
    }
    var waitingSegments: Int {
        mutating get { streams[0].reassembly.waitingCount + streams[1].reassembly.waitingCount }
    }
    /// The time since which acknowledged bytes are outstanding; `nil` if none are.
    var awaitedSince: Timestamp? {
        mutating get {
            guard let first = streams[0].awaited?.since else { return streams[1].awaited?.since }
            return streams[1].awaited.map { min(first, $0.since) } ?? first
        }
    }
    var isAwaiting: Bool {
        mutating get { streams[0].awaited != nil || streams[1].awaited != nil }
    }

    /// The change that a segment has caused.
    enum Change {
        case none
        /// The segment opens another connection between the same ends, and was not processed.
        case isSuperseded
        /// Acknowledged bytes are outstanding now.
        case awaits
        /// The connection has ended.
        case closes
    }

    /// Processes a segment, unless another connection begins with it.
    mutating func consume(
        _ segment: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) -> Change {
        if carrier.header.flags.contains(.syn), isSuperseded(by: carrier, direction) {
            return .isSuperseded
        }
        if isClosed, isForeign(carrier, direction) { return .isSuperseded }
        let wasAwaiting = isAwaiting
        output.leave(&self)
        receive(segment, carrier, direction, into: &output)
        output.join(&self)
        if isClosed, !isQueuedAsClosed {
            isQueuedAsClosed = true
            return .closes
        }
        return !wasAwaiting && isAwaiting ? .awaits : .none
    }

    /// Processes a segment.
    ///
    /// - Parameters:
    ///   - payload: Its captured payload; shorter than `carrier.segmentLength` if it was cut.
    ///   - carrier: Its frame and header.
    ///   - direction: The direction in which it was sent.
    ///   - output: The output for messages and counts.
    mutating func receive(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let flags = carrier.header.flags
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: carrier.frame)
        recordBase(carrier.header, direction)
        recordBeginning(carrier, direction, into: &output)
        if isAwaiting { countDownAwaited(carrier, into: &output) }
        let awaited = streams[direction.rawValue].awaited
        let gaps = output.statistics.gaps
        if flags.contains(.syn) { synchronise(carrier, direction, into: &output) }
        if !attempts.isEmpty { settleAttempt(carrier, direction, into: &output) }
        if flags.contains(.ack), !flags.contains(.rst) {
            establish(carrier, direction, into: &output)
            acknowledge(carrier, direction, into: &output)
        }
        // The payload of a reset is a diagnostic text, not part of the stream (RFC 9293 3.5.3).
        if carrier.segmentLength > 0, flags.isDisjoint(with: [.rst, .syn]) || isAnswer(flags) {
            if flags.contains(.urg) {
                takeUrgent(payload, carrier, direction, into: &output)
            } else if payload.byteCount > 0 {
                takePayload(payload, carrier, direction, into: &output)
            }
            let lacking = carrier.segmentLength - payload.byteCount
            if lacking > 0 { giveUpCut(lacking, carrier, direction, into: &output) }
        }
        if flags.contains(.syn), !flags.contains(.ack), payload.byteCount > 0 {
            attempts = [Attempt(bytes: [UInt8](copying: payload), carrier: carrier, direction)]
        }
        if flags.contains(.fin) { end(carrier, direction, into: &output) }
        if let awaited, streams[direction.rawValue].awaited == nil, output.statistics.gaps == gaps {
            record(
                .misordered, direction, since: awaited.since.oneTickEarlier, frame: carrier.frame,
                into: &output)
        }
        if flags.contains(.rst) {
            reset(carrier, direction, into: &output)
        } else {
            recordSeen(carrier, direction, into: &output)
        }
        output.log.append(
            payload, sequence: carrier.header.firstByte,
            acknowledgement: carrier.header.acknowledgement,
            acknowledges: flags.contains(.ack) && !flags.contains(.rst), direction, flow: number,
            frame: carrier.frame, at: output.now)
    }

    /// Ends the connection because of a reset.
    private mutating func reset(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let other = direction.opposite
        // A side resets a connection once; what follows is a copy, or answers a late segment.
        if streams[direction.rawValue].hasReset {
            output.statistics.retransmissions += 1
            return emit(.retransmission, carrier, direction, into: &output)
        }
        streams[direction.rawValue].hasReset = true
        for direction in [Direction.fromFirst, .fromSecond]
        where streams[direction.rawValue].pendingFin != nil {
            giveUpBeforeFin(direction, .end, carrier, into: &output)
        }
        recordMissing(upTo: carrier.header.sequence, direction, carrier, into: &output)
        if carrier.header.flags.contains(.ack), streams[other.rawValue].decoding != .ended {
            recordMissing(upTo: carrier.header.acknowledgement, other, carrier, into: &output)
        }
        pause(.fromFirst, into: &output)
        pause(.fromSecond, into: &output)
        let isRefusal = answersAttempt(carrier, direction)
        if isRefusal { streams[direction.rawValue].seenUntil = output.now.nanoseconds }
        emit(isRefusal ? .refused : .rst, carrier, direction, into: &output)
        finish(carrier, reason: .end, cutting: direction.opposite, into: &output)
        isClosed = true
    }

    /// Records that a reset refers to bytes of a direction which were not captured.
    private mutating func recordMissing(
        upTo sequence: TCPSequence, _ direction: Direction, _ carrier: CarryingSegment,
        into output: inout TraceOutput
    ) {
        let stream = streams[direction.rawValue]
        guard let next = stream.reassembly.nextSequence else { return }
        let ahead = sequence.distance(from: next)
        guard ahead > 0, ahead <= output.options.waitingBytesMax else { return }
        record(
            .missingBytes(ahead), direction, since: Timestamp(nanoseconds: stream.seenUntil),
            frame: carrier.frame, into: &output)
    }

    /// Records which numbers the SYNs of both sides have, as far as the first segments show it.
    private mutating func recordBase(_ header: TCPHeader, _ direction: Direction) {
        if streams[direction.rawValue].baseSequence == nil {
            streams[direction.rawValue].baseSequence =
                header.sequence + (header.flags.contains(.syn) ? 0 : -1)
        }
        if header.flags.contains(.ack), streams[direction.opposite.rawValue].baseSequence == nil {
            streams[direction.opposite.rawValue].baseSequence = header.acknowledgement + -1
        }
    }

    /// A segment of a connection that has not shown the SYN, or its answer, which precedes it.
    struct LackingSyn {
        let frame: Int
        let time: Timestamp
        /// Since when something is lacking.
        var since = Timestamp.distantPast
        /// The number of segments of the connection until the SYN counts as not captured.
        var segmentsLeft: Int32
        /// The direction of the segment, or of the answer.
        let direction: Direction
        /// Whether the answer is lacking, and not the attempt itself.
        var lacksAnswer = false
    }

    /// Records, at the first segments of a connection, that what came before them was not captured.
    ///
    /// Captures reorder neighbouring packets, so that a SYN may follow its answer, or the answer
    /// may follow its acknowledgement. Bytes captured before the answer exclude that.
    private mutating func recordBeginning(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let flags = carrier.header.flags
        if let first = lackingSyn {
            if flags.contains(.syn), flags.contains(.ack) == first.lacksAnswer {
                lackingSyn = nil
                isBeginningNoted = false
            } else if first.segmentsLeft == 0 || output.now - first.time > output.options.lossWait
                || (first.lacksAnswer && carrier.segmentLength > 0)
            {
                recordLackingSyn(into: &output)
            } else {
                lackingSyn?.segmentsLeft -= 1
            }
            return
        }
        guard !isBeginningNoted, !streams[0].hasStarted, !streams[1].hasStarted,
            !flags.contains(.syn) || flags.contains(.ack)
        else { return }
        isBeginningNoted = true
        lackingSyn = LackingSyn(
            frame: carrier.frame, time: output.now,
            segmentsLeft: Int32(clamping: output.options.lossSegments), direction: direction)
        if flags.contains(.rst) { recordLackingSyn(into: &output) }
    }

    private mutating func synchronise(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let isAnswer = carrier.header.flags.contains(.ack)
        if streams[direction.rawValue].initialSequence == carrier.header.sequence {
            output.statistics.retransmissions += 1
            emit(.retransmission, carrier, direction, into: &output)
            if !isAnswer { reopen(direction, output.options) }
            return
        }
        let isKnown = streams[direction.rawValue].baseSequence == carrier.header.sequence
        streams[direction.rawValue].baseSequence = carrier.header.sequence
        streams[direction.rawValue].hasSyn = true
        // Bytes that precede their SYN in the capture have their places already.
        if !isKnown || !streams[direction.rawValue].hasStarted {
            streams[direction.rawValue].reassembly.start(at: carrier.header.sequence + 1)
        }
        if isAnswer, !streams[direction.opposite.rawValue].hasStarted {
            streams[direction.opposite.rawValue].reassembly.start(
                at: carrier.header.acknowledgement)
        }
        if !isAnswer { caller = caller ?? direction }
        emit(isAnswer ? .synAck : .syn, carrier, direction, into: &output)
    }

    /// Begins again after an attempt was refused that the caller's kernel now repeats.
    private mutating func reopen(_ direction: Direction, _ options: TraceOptions) {
        guard isClosed, direction == caller, !isEstablished,
            !streams[direction.opposite.rawValue].hasStarted,
            let base = streams[direction.rawValue].baseSequence
        else { return }
        isClosed = false
        isQueuedAsClosed = false
        isLate = false
        streams = [StreamState(), StreamState()]
        streamProtocol = nil
        decoder = nil
        setProtocol(options, caller)
        streams[direction.rawValue].baseSequence = base
        streams[direction.rawValue].hasSyn = true
        streams[direction.rawValue].reassembly.start(at: base + 1)
    }

    /// Detects that the caller acknowledges the acceptance of its attempt (RFC 9293 3.5).
    private mutating func establish(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        guard !isEstablished, direction == caller, !carrier.header.flags.contains(.syn),
            let answer = streams[direction.opposite.rawValue].initialSequence,
            carrier.header.acknowledgement.distance(from: answer) > 0
        else { return }
        isEstablished = true
        emit(.established, carrier, direction, into: &output)
    }

    /// Returns whether a reset answers a connection attempt that nothing else has answered.
    private mutating func answersAttempt(_ carrier: CarryingSegment, _ direction: Direction) -> Bool
    {
        guard let caller, direction == caller.opposite, !streams[direction.rawValue].hasStarted,
            let attempt = streams[caller.rawValue].initialSequence
        else { return false }
        return carrier.header.flags.contains(.ack)
            && carrier.header.acknowledgement.distance(from: attempt) > 0
    }
}
