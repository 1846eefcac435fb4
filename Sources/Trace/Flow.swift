import Protocols

/// A TCP connection as the capture shows it: two streams, and what happened to them.
struct Flow {
    let key: FlowKey
    /// Its number in the trace, from 0.
    let number: Int
    /// Its slot among the connections that are being followed.
    let slot: Int
    /// Whether it has been reset, or both sides have ended.
    private(set) var isClosed = false
    /// Whether it waits to be forgotten.
    var isLeaving = false
    /// The direction of the attempt that opened it; `nil` if that was not captured.
    private var caller: Direction?
    /// Whether the caller has acknowledged the acceptance of its attempt.
    private var isEstablished = false
    var first = StreamState()
    var second = StreamState()
    /// The protocol that was recognised or set.
    var streamProtocol: StreamProtocol?
    /// Its decoder, of both directions.
    var decoder: (any ConnectionDecoder)?

    init(number: Int, slot: Int, key: FlowKey, options: TraceOptions) {
        self.number = number
        self.slot = slot
        self.key = key
        guard !options.protocolsByPort.isEmpty else { return }
        let ends = key.ends
        let ports = [ends.0.port, ends.1.port]
        if let known = ports.compactMap({ options.protocolsByPort[$0] }).first {
            streamProtocol = known
            decoder = known.makeDecoder(DissectionStack(options.protocols))
            for direction in [Direction.fromFirst, .fromSecond] {
                self[direction].decoding = .decoded
            }
        }
    }

    /// Whether segments may be expected to bring the next bytes of either stream and nothing else.
    var runsEvenly: Bool {
        mutating get { isEstablished && !isClosed }
    }

    /// The stream of a direction.
    subscript(direction: Direction) -> StreamState {
        @inline(__always)
        _read {
            switch direction {
            case .fromFirst: yield first
            case .fromSecond: yield second
            }
        }
        @inline(__always)
        _modify {
            switch direction {
            case .fromFirst: yield &first
            case .fromSecond: yield &second
            }
        }
    }

    // What segments ask of a stream. `self[direction]` would copy the whole of it, and a method that
    // is not mutating would be given a copy of the flow.

    mutating func nextSequence(_ direction: Direction) -> TCPSequence? {
        direction == .fromFirst ? first.reassembly.nextSequence : second.reassembly.nextSequence
    }

    mutating func next(_ direction: Direction) -> UInt64 {
        direction == .fromFirst ? first.reassembly.next : second.reassembly.next
    }

    mutating func initialSequence(_ direction: Direction) -> TCPSequence? {
        direction == .fromFirst ? first.initialSequence : second.initialSequence
    }

    mutating func finOffset(_ direction: Direction) -> UInt64? {
        direction == .fromFirst ? first.finOffset : second.finOffset
    }

    mutating func decoding(_ direction: Direction) -> StreamState.Decoding {
        direction == .fromFirst ? first.decoding : second.decoding
    }

    mutating func isWaiting(_ direction: Direction) -> Bool {
        direction == .fromFirst ? first.reassembly.isWaiting : second.reassembly.isWaiting
    }

    /// Whether it is one of those that are followed; its slot is free otherwise.
    private(set) var isFollowed = true

    /// Lets go of all that it holds; its slot is free.
    mutating func vacate() {
        isFollowed = false
        first = StreamState()
        second = StreamState()
        streamProtocol = nil
        decoder = nil
    }

    var waitingBytes: Int {
        mutating get { first.reassembly.waitingBytes + second.reassembly.waitingBytes }
    }
    var isAwaiting: Bool {
        mutating get { first.awaited != nil || second.awaited != nil }
    }

    /// Whether a segment opens another connection between the same ends.
    mutating func isSuperseded(by header: TCPHeader, _ direction: Direction) -> Bool {
        guard header.flags.contains(.syn), !header.flags.contains(.ack) else { return false }
        if isClosed { return true }
        guard let initial = self[direction].initialSequence else {
            return self[direction].hasStarted
        }
        return initial != header.sequence
    }

    /// What a segment has changed.
    enum Change {
        case none
        /// It opens another connection between the same ends, and was not taken.
        case isSuperseded
        /// There are acknowledged bytes outstanding now.
        case awaits
        /// The connection has ended.
        case closes
    }

    /// Takes a segment, or finds that another connection begins with it.
    mutating func take(
        _ segment: RawSpan, _ carrier: Carrier, _ direction: Direction,
        into output: inout TraceOutput
    ) -> Change {
        if carrier.header.flags.contains(.syn), isSuperseded(by: carrier.header, direction) {
            return .isSuperseded
        }
        let wasAwaiting = isAwaiting
        output.waitingBytes -= waitingBytes
        receive(segment, carrier, direction, into: &output)
        output.waitingBytes += waitingBytes
        if isClosed, !isLeaving {
            isLeaving = true
            return .closes
        }
        return !wasAwaiting && isAwaiting ? .awaits : .none
    }

    /// Takes a segment.
    ///
    /// - Parameters:
    ///   - payload: Its captured payload; shorter than `carrier.segmentLength` if it was cut.
    ///   - carrier: Its frame and header.
    ///   - direction: Who sent it.
    ///   - output: Where messages and counts go.
    mutating func receive(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let flags = carrier.header.flags
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: carrier.frame)
        if isAwaiting { countDownAwaited(carrier, into: &output) }
        if flags.contains(.syn) { synchronise(carrier, direction, into: &output) }
        if flags.contains(.ack), !flags.contains(.rst) {
            establish(carrier, direction, into: &output)
            acknowledge(carrier, direction, into: &output)
        }
        // The payload of a reset is a diagnostic text, not part of the stream (RFC 9293 3.5.3).
        if payload.byteCount > 0, !flags.contains(.rst) {
            takePayload(payload, carrier, direction, into: &output)
        }
        if flags.contains(.fin) { end(carrier, direction, into: &output) }
        if flags.contains(.rst) {
            let isRefusal = answersAttempt(carrier, direction)
            emit(isRefusal ? .refused : .rst, carrier, direction, into: &output)
            finish(carrier, reason: .end, cutting: direction.opposite, into: &output)
            isClosed = true
        }
    }

    private mutating func synchronise(
        _ carrier: Carrier, _ direction: Direction, into output: inout TraceOutput
    ) {
        if self[direction].initialSequence == carrier.header.sequence {
            output.statistics.retransmissions += 1
            emit(.retransmission, carrier, direction, into: &output)
            return
        }
        self[direction].initialSequence = carrier.header.sequence
        self[direction].reassembly.start(at: carrier.header.sequence + 1)
        let isAnswer = carrier.header.flags.contains(.ack)
        if isAnswer, !self[direction.opposite].hasStarted {
            self[direction.opposite].reassembly.start(at: carrier.header.acknowledgement)
        }
        if !isAnswer { caller = caller ?? direction }
        emit(isAnswer ? .synAck : .syn, carrier, direction, into: &output)
    }

    /// Looks whether the caller acknowledges the acceptance of its attempt (RFC 9293 3.5).
    private mutating func establish(
        _ carrier: Carrier, _ direction: Direction, into output: inout TraceOutput
    ) {
        guard !isEstablished, direction == caller, !carrier.header.flags.contains(.syn),
            let answer = initialSequence(direction.opposite),
            carrier.header.acknowledgement.distance(from: answer) > 0
        else { return }
        isEstablished = true
        emit(.established, carrier, direction, into: &output)
    }

    /// Whether a reset answers a connection attempt that nothing else has answered.
    private mutating func answersAttempt(_ carrier: Carrier, _ direction: Direction) -> Bool {
        guard let caller, direction == caller.opposite, !self[direction].hasStarted,
            let attempt = self[caller].initialSequence
        else { return false }
        return carrier.header.flags.contains(.ack)
            && carrier.header.acknowledgement.distance(from: attempt) > 0
    }

    /// Payload: decoded at once if it is next in order, kept if it is ahead.
    private mutating func takePayload(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let from = self[direction].reassembly.accept(
            payload, carrier: carrier, counting: &output.statistics)
        if let from {
            let bytes = payload.extracting(droppingFirst: from)
            let offset = next(direction) - UInt64(bytes.byteCount)
            deliver(bytes, at: offset, carrier, direction, into: &output)
        }
        if isAwaiting || isWaiting(direction) {
            deliverReady(direction, into: &output)
            keepToLimit(carrier, direction, into: &output)
        }
        if finOffset(direction) != nil { endIfComplete(direction, into: &output) }
    }

    private mutating func keepToLimit(
        _ carrier: Carrier, _ direction: Direction, into output: inout TraceOutput
    ) {
        while exceedsLimit(direction, &output),
            let hole = self[direction].reassembly.waiting.first?.offset
        {
            giveUp(upTo: hole, .limit, carrier, direction, into: &output)
        }
    }

    private mutating func exceedsLimit(
        _ direction: Direction, _ output: inout TraceOutput
    ) -> Bool {
        let waitingBytes = self[direction].reassembly.waitingBytes
        return waitingBytes > output.options.waitingBytesMax
            || self[direction].reassembly.waiting.count > output.options.waitingSegmentsMax
            || (waitingBytes > 0
                && output.waitingBytes + self.waitingBytes > output.options.waitingBytesTotalMax)
    }

    private mutating func end(
        _ carrier: Carrier, _ direction: Direction, into output: inout TraceOutput
    ) {
        let sequence = carrier.header.sequence + carrier.segmentLength
        if !self[direction].hasStarted { self[direction].reassembly.start(at: sequence) }
        if self[direction].finOffset != nil {
            if carrier.segmentLength == 0 { output.statistics.retransmissions += 1 }
            emit(.retransmission, carrier, direction, into: &output)
            return
        }
        emit(.fin, carrier, direction, into: &output)
        let offset = self[direction].reassembly.offset(of: sequence) ?? 0
        self[direction].finOffset = UInt64(max(offset, Int64(0)))
        self[direction].finFrame = carrier.frame
        isClosed = isClosed || self[direction.opposite].finOffset != nil
        endIfComplete(direction, into: &output)
    }

    /// Ends a stream whose bytes before the FIN have all come.
    mutating func endIfComplete(
        _ direction: Direction, into output: inout TraceOutput
    ) {
        guard let fin = self[direction].finOffset, self[direction].reassembly.next >= fin else {
            return
        }
        guard self[direction].decoding != .ended else { return }
        self[direction].reassembly.passSequenceNumber()
        endStream(direction, .closed, by: self[direction].finFrame, into: &output)
    }
}
