import TCPIP
import Wire

// Missing bytes: acknowledged but never captured, or in front of bytes that wait.
extension Flow {
    /// Gives up all that is missing in both streams and ends them.
    ///
    /// - Parameter cut: The direction whose sender's connection was reset by the other side. What
    ///   this sender had not finished is not its fault, and is not reported.
    mutating func finish(
        _ carrier: CarryingSegment?, reason: TCPEvent.GapReason, cutting cut: Direction? = nil,
        into output: inout TraceOutput
    ) {
        recordLackingSyn(into: &output)
        for direction in [Direction.fromFirst, .fromSecond] {
            while let hole = streams[direction.rawValue].reassembly.firstWaiting?.offset {
                giveUp(upTo: hole, reason, carrier, direction, into: &output)
            }
            giveUpBeforeFin(direction, reason, carrier, into: &output)
            let end: StreamEnd =
                carrier == nil ? .captureEnded : direction == cut ? .cut : ending(direction)
            endStream(direction, end, by: carrier?.frame, into: &output)
        }
    }

    /// Evaluates which bytes the receiver of the other stream has acknowledged.
    mutating func acknowledge(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let other = direction.opposite
        guard let next = streams[other.rawValue].reassembly.nextSequence else {
            return recordMissing(other, carrier, into: &output)
        }
        let ahead = carrier.header.acknowledgement.distance(from: next)
        if ahead > 0 { awaitBytes(ahead, of: other, into: &output) }
    }

    /// Waits for bytes that the receiver has got but that are not in the capture, or not yet.
    @inline(never)
    mutating func awaitBytes(
        _ ahead: Int, of other: Direction, into output: inout TraceOutput
    ) {
        var end = streams[other.rawValue].reassembly.next + UInt64(ahead)
        guard end <= streams[other.rawValue].captureEnd + UInt64(output.options.waitingBytesMax)
        else {
            output.statistics.implausibleAcknowledgements += 1
            return
        }
        // The FIN takes a sequence number of its own.
        if let last = streams[other.rawValue].pendingEnd { end = min(end, last) }
        guard end > streams[other.rawValue].reassembly.next,
            streams[other.rawValue].decoding != .ended
        else { return }
        if let awaited = streams[other.rawValue].awaited {
            streams[other.rawValue].awaited?.end = max(awaited.end, end)
        } else {
            streams[other.rawValue].awaited = StreamState.Awaited(
                end: end, since: output.now,
                segmentsLeft: Int32(clamping: output.options.lossSegments))
        }
    }

    /// Stops waiting for bytes.
    mutating func stopAwaiting(into output: inout TraceOutput) {
        for direction in [Direction.fromFirst, .fromSecond] {
            streams[direction.rawValue].awaited?.segmentsLeft = 0
        }
        giveUpOverdue(nil, into: &output)
    }

    /// Counts one more segment without the awaited bytes.
    mutating func countDownAwaited(
        _ carrier: CarryingSegment, into output: inout TraceOutput
    ) {
        for direction in [Direction.fromFirst, .fromSecond] {
            streams[direction.rawValue].awaited?.segmentsLeft -= 1
        }
        giveUpOverdue(carrier, into: &output)
    }

    /// Gives up awaited bytes whose time has run out.
    mutating func giveUpOverdue(_ carrier: CarryingSegment?, into output: inout TraceOutput) {
        for direction in [Direction.fromFirst, .fromSecond] {
            guard let awaited = streams[direction.rawValue].awaited,
                awaited.segmentsLeft <= 0
                    || output.now - awaited.since > output.options.lossWait
            else { continue }
            giveUp(upTo: awaited.end, .acknowledged, carrier, direction, into: &output)
            endIfComplete(direction, heldSince: awaited.since, into: &output)
        }
    }

    /// Reports the missing bytes up to `end`, and delivers what waited after them.
    mutating func giveUp(
        upTo end: UInt64, _ reason: TCPEvent.GapReason, _ carrier: CarryingSegment?,
        _ direction: Direction, into output: inout TraceOutput
    ) {
        while streams[direction.rawValue].reassembly.next < end {
            let from = streams[direction.rawValue].reassembly.next
            let hole =
                from..<min(end, streams[direction.rawValue].reassembly.firstWaiting?.offset ?? end)
            let now = output.now
            // What was captured after the hole was complete then, not when the hole was given up.
            output.now =
                streams[direction.rawValue].reassembly.firstWaiting?.carrier.time ?? output.now
            reportGap(hole, reason, carrier, direction, into: &output)
            streams[direction.rawValue].reassembly.giveUp(upTo: hole.upperBound)
            deliverReady(direction, isAfterGap: true, into: &output)
            output.now = now
        }
        streams[direction.rawValue].awaited = nil
    }

    /// Gives up the end of a segment that was captured only in part.
    mutating func giveUpCut(
        _ count: Int, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        record(
            .cutPacket(count), direction, since: output.now.oneTickEarlier, frame: carrier.frame,
            into: &output)
        let own = direction.rawValue
        let end = carrier.end
        guard let from = streams[own].reassembly.nextSequence else {
            return streams[own].reassembly.start(at: end)
        }
        // What is after a hole is found to be missing together with the hole.
        guard (1...count).contains(end.distance(from: from)) else { return }
        giveUp(
            upTo: streams[own].reassembly.next + UInt64(end.distance(from: from)), .cut, carrier,
            direction, into: &output)
        endIfComplete(direction, into: &output)
    }

    /// Records that something was not captured.
    ///
    /// - Parameter direction: The direction of its sender.
    mutating func record(
        _ cause: UnseenSpan.Cause, _ direction: Direction, since: Timestamp, frame: Int?,
        into output: inout TraceOutput
    ) {
        guard output.options.recordsUnseen else { return }
        output.unseen.append(
            UnseenSpan(
                cause: cause, since: since, until: output.now, frame: frame, flow: number,
                source: key.source(direction), destination: key.destination(direction)))
        setScreenPosition(frame ?? 0, direction, in: &output)
        output.screening.recordUnseen()
    }

    /// Delivers the bytes that are now next in order.
    ///
    /// - Parameter isAfterGap: Whether they waited for bytes that were given up: then they were
    ///   complete when they were captured.
    mutating func deliverReady(
        _ direction: Direction, isAfterGap: Bool = false, into output: inout TraceOutput
    ) {
        for ready in streams[direction.rawValue].reassembly.takeReady() {
            if isAfterGap { output.now = max(output.now, ready.carrier.time) }
            deliver(
                ready.bytes.span.bytes, at: ready.offset, ready.carrier, direction, into: &output)
        }
        if let awaited = streams[direction.rawValue].awaited,
            streams[direction.rawValue].reassembly.next >= awaited.end
        {
            streams[direction.rawValue].awaited = nil
        }
    }

    /// Records that the SYN of the connection, or its answer, was not captured.
    mutating func recordLackingSyn(into output: inout TraceOutput) {
        guard let first = lackingSyn else { return }
        lackingSyn = nil
        let now = output.now
        // An answer was lacking then, not when it was given up.
        if first.lacksAnswer { output.now = first.time }
        record(
            first.lacksAnswer ? .missingDirection : .midStream, first.direction,
            since: first.since, frame: first.frame, into: &output)
        output.now = now
    }

    /// Records that no packet of a direction was captured although the other side acknowledges
    /// some, unless the answer to its attempt comes later.
    mutating func recordMissing(
        _ missing: Direction, _ carrier: CarryingSegment, into output: inout TraceOutput
    ) {
        guard !isBeginningNoted else { return }
        isBeginningNoted = true
        lackingSyn = LackingSyn(
            frame: carrier.frame, time: output.now,
            since: Timestamp(nanoseconds: streams[missing.opposite.rawValue].seenUntil),
            segmentsLeft: Int32(clamping: output.options.lossSegments), direction: missing,
            lacksAnswer: true)
        if carrier.segmentLength > 0 { recordLackingSyn(into: &output) }
    }

    /// Records until when everything that a side sent has been captured.
    ///
    /// If a segment without payload shows that something is missing, the flow waits for that
    /// instead.
    mutating func recordSeen(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        let own = direction.rawValue
        let flags = carrier.header.flags
        guard let next = streams[own].reassembly.nextSequence else { return }
        let counted = (flags.contains(.syn) ? 1 : 0) + (flags.contains(.fin) ? 1 : 0)
        let ahead = (carrier.header.sequence + (carrier.segmentLength + counted)).distance(
            from: next)
        if ahead == 0, streams[own].awaited == nil, !streams[own].reassembly.isWaiting {
            streams[own].seenUntil = output.now.nanoseconds
        } else if ahead > 0, carrier.segmentLength == 0, counted == 0 {
            awaitBytes(ahead, of: direction, into: &output)
        }
    }

    /// Returns whether nothing sent before a given time can still turn out to be missing.
    mutating func isSeen(until time: Timestamp) -> Bool {
        if lackingSyn != nil { return false }
        for index in streams.indices {
            if streams[index].awaited != nil || streams[index].reassembly.isWaiting
                || streams[index].pendingFin != nil
            {
                return false
            }
            if isClosed || streams[index].decoding == .ended { continue }
            if streams[index].seenUntil <= time.nanoseconds { return false }
        }
        return true
    }
}
