import Protocols

/// A TCP connection as the capture shows it: two streams, and what happened to them.
struct Flow {
    /// Its number in the trace, from 0.
    let number: Int
    let key: FlowKey
    /// When its last segment was captured.
    var lastActivity: Timestamp
    /// Whether it has been reset, or both sides have ended.
    private(set) var isClosed = false
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

    init(number: Int, key: FlowKey, at time: Timestamp, options: TraceOptions) {
        self.number = number
        self.key = key
        lastActivity = time
        let ports = [key.ends.0.port, key.ends.1.port]
        if let known = ports.compactMap({ options.protocolsByPort[$0] }).first {
            streamProtocol = known
            decoder = known.makeDecoder(DissectionStack(options.protocols))
            for direction in [Direction.fromFirst, .fromSecond] {
                self[direction].decoding = .decoded
            }
        }
    }

    /// The stream of a direction.
    subscript(direction: Direction) -> StreamState {
        _read {
            switch direction {
            case .fromFirst: yield first
            case .fromSecond: yield second
            }
        }
        _modify {
            switch direction {
            case .fromFirst: yield &first
            case .fromSecond: yield &second
            }
        }
    }

    var waitingBytes: Int { first.reassembly.waitingBytes + second.reassembly.waitingBytes }
    var isAwaiting: Bool { first.awaited != nil || second.awaited != nil }

    /// Whether a segment opens another connection between the same ends.
    func isSuperseded(by header: TCPHeader, _ direction: Direction) -> Bool {
        guard header.flags.contains(.syn), !header.flags.contains(.ack) else { return false }
        if isClosed { return true }
        guard let initial = self[direction].initialSequence else {
            return self[direction].hasStarted
        }
        return initial != header.sequence
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
        lastActivity = output.now
        let flags = carrier.header.flags
        countDownAwaited(carrier, into: &output)
        if flags.contains(.syn) { synchronise(carrier, direction, into: &output) }
        if flags.contains(.ack), !flags.contains(.rst) {
            establish(carrier, direction, into: &output)
            acknowledge(carrier, direction, into: &output)
        }
        // The payload of a reset is a diagnostic text, not part of the stream (RFC 9293 3.5.3).
        if payload.byteCount > 0, !flags.contains(.rst) {
            take(payload, carrier, direction, into: &output)
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
            let answer = self[direction.opposite].initialSequence,
            carrier.header.acknowledgement.distance(from: answer) > 0
        else { return }
        isEstablished = true
        emit(.established, carrier, direction, into: &output)
    }

    /// Whether a reset answers a connection attempt that nothing else has answered.
    private func answersAttempt(_ carrier: Carrier, _ direction: Direction) -> Bool {
        guard let caller, direction == caller.opposite, !self[direction].hasStarted,
            let attempt = self[caller].initialSequence
        else { return false }
        return carrier.header.flags.contains(.ack)
            && carrier.header.acknowledgement.distance(from: attempt) > 0
    }

    /// Payload: decoded at once if it is next in order, kept if it is ahead.
    private mutating func take(
        _ payload: RawSpan, _ carrier: Carrier, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let from = self[direction].reassembly.accept(
            payload, carrier: carrier, counting: &output.statistics)
        if let from {
            let bytes = payload.extracting(droppingFirst: from)
            let offset = self[direction].reassembly.next - UInt64(bytes.byteCount)
            deliver(bytes, at: offset, carrier, direction, into: &output)
        }
        deliverReady(direction, into: &output)
        while exceedsLimit(direction, output),
            let hole = self[direction].reassembly.waiting.first?.offset
        {
            giveUp(upTo: hole, .limit, carrier, direction, into: &output)
        }
        endIfComplete(direction, into: &output)
    }

    private func exceedsLimit(_ direction: Direction, _ output: TraceOutput) -> Bool {
        let reassembly = self[direction].reassembly
        return reassembly.waitingBytes > output.options.waitingBytesMax
            || reassembly.waiting.count > output.options.waitingSegmentsMax
            || (reassembly.waitingBytes > 0
                && output.waitingBytes + waitingBytes > output.options.waitingBytesTotalMax)
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
    private mutating func endIfComplete(
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

extension Flow {
    /// Gives up all that is missing in both streams and ends them.
    ///
    /// - Parameter cut: The direction whose sender was cut off by the other side's reset: what it
    ///   had not finished is not its fault, and is not reported.
    mutating func finish(
        _ carrier: Carrier?, reason: TCPEvent.GapReason, cutting cut: Direction? = nil,
        into output: inout TraceOutput
    ) {
        for direction in [Direction.fromFirst, .fromSecond] {
            while let hole = self[direction].reassembly.waiting.first?.offset {
                giveUp(upTo: hole, reason, carrier, direction, into: &output)
            }
            if let awaited = self[direction].awaited {
                giveUp(upTo: awaited.end, .acknowledged, carrier, direction, into: &output)
            }
            let end: StreamEnd = carrier == nil ? .captureEnded : direction == cut ? .cut : .closed
            endStream(direction, end, by: carrier?.frame, into: &output)
        }
    }

    /// Looks what the receiver of the other stream says to have got.
    private mutating func acknowledge(
        _ carrier: Carrier, _ direction: Direction, into output: inout TraceOutput
    ) {
        let other = direction.opposite
        guard let next = self[other].reassembly.nextSequence else { return }
        let ahead = carrier.header.acknowledgement.distance(from: next)
        guard ahead > 0 else { return }
        var end = self[other].reassembly.next + UInt64(ahead)
        guard end <= self[other].captureEnd + UInt64(output.options.waitingBytesMax) else {
            output.statistics.implausibleAcknowledgements += 1
            return
        }
        // The FIN takes a number of its own.
        if let fin = self[other].finOffset { end = min(end, fin) }
        guard end > self[other].reassembly.next, self[other].decoding != .ended else { return }
        if let awaited = self[other].awaited {
            self[other].awaited?.end = max(awaited.end, end)
        } else {
            self[other].awaited = StreamState.Awaited(
                end: end, since: output.now, segmentsLeft: output.options.lossSegments)
        }
    }

    /// Counts one more segment without the awaited bytes.
    private mutating func countDownAwaited(
        _ carrier: Carrier, into output: inout TraceOutput
    ) {
        guard isAwaiting else { return }
        for direction in [Direction.fromFirst, .fromSecond] {
            self[direction].awaited?.segmentsLeft -= 1
        }
        giveUpOverdue(carrier, into: &output)
    }

    /// Gives up awaited bytes whose time has run out.
    mutating func giveUpOverdue(_ carrier: Carrier?, into output: inout TraceOutput) {
        for direction in [Direction.fromFirst, .fromSecond] {
            guard let awaited = self[direction].awaited,
                awaited.segmentsLeft <= 0
                    || output.now - awaited.since > output.options.lossWait
            else { continue }
            giveUp(upTo: awaited.end, .acknowledged, carrier, direction, into: &output)
            endIfComplete(direction, into: &output)
        }
    }

    /// Reports the bytes up to `end` that are missing, and delivers what waited behind them.
    private mutating func giveUp(
        upTo end: UInt64, _ reason: TCPEvent.GapReason, _ carrier: Carrier?,
        _ direction: Direction, into output: inout TraceOutput
    ) {
        while self[direction].reassembly.next < end {
            let from = self[direction].reassembly.next
            let hole = from..<min(end, self[direction].reassembly.waiting.first?.offset ?? end)
            reportGap(hole, reason, carrier, direction, into: &output)
            self[direction].reassembly.giveUp(upTo: hole.upperBound)
            deliverReady(direction, into: &output)
        }
        self[direction].awaited = nil
    }

    private mutating func deliverReady(_ direction: Direction, into output: inout TraceOutput) {
        for ready in self[direction].reassembly.takeReady() {
            deliver(
                ready.bytes.span.bytes, at: ready.offset, ready.carrier, direction, into: &output)
        }
        if let awaited = self[direction].awaited, self[direction].reassembly.next >= awaited.end {
            self[direction].awaited = nil
        }
    }
}
