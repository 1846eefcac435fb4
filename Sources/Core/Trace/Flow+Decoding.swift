import Bluetooth
import TCPIP
import Wire

extension Flow {
    /// Processes the next bytes of a stream, in order.
    mutating func deliver(
        _ bytes: RawSpan, at offset: UInt64, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        output.statistics.streamBytes += bytes.byteCount
        let ends =
            output.watches.isEmpty ? [] : watch(bytes, carrier, direction, into: &output)
        let range = offset..<(offset + UInt64(bytes.byteCount))
        switch streams[direction.rawValue].decoding {
        case .decoded where !ends.isEmpty:
            decode(bytes, at: offset, carrier, direction, restartingAt: ends, into: &output)
        case .decoded:
            decode(bytes, at: offset, carrier, direction, into: &output)
        case .undecided:
            output.statistics.forgottenFrames += streams[direction.rawValue].remember(
                range, carrier)
            recognise(bytes, direction, into: &output)
        case .ended:
            record(
                .afterEnd, direction,
                since: Timestamp(nanoseconds: streams[direction.rawValue].seenUntil),
                frame: carrier.frame, into: &output)
            emitData(bytes, at: offset, carrier, direction, into: &output)
        case .undecoded:
            emitData(bytes, at: offset, carrier, direction, into: &output)
        }
    }

    /// Decodes bytes that a segment has just delivered.
    ///
    /// Their carrier is kept only as long as a message may refer to it.
    mutating func decode(
        _ bytes: RawSpan, at offset: UInt64, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        setScreenPosition(carrier.frame, direction, in: &output)
        decoder?.consume(
            bytes, from: direction.side, at: offset, into: &output.units,
            asking: &output.screening)
        conclude(offset..<offset + UInt64(bytes.byteCount), carrier, direction, into: &output)
    }

    /// Decodes bytes that contain the ends of messages that a test sent broken on purpose.
    ///
    /// The next message begins after each of these ends.
    private mutating func decode(
        _ bytes: RawSpan, at offset: UInt64, _ carrier: CarryingSegment, _ direction: Direction,
        restartingAt ends: [Int], into output: inout TraceOutput
    ) {
        var from = 0
        for end in ends {
            decode(
                bytes.extracting(from..<end), at: offset + UInt64(from), carrier, direction,
                into: &output)
            decoder?.restart(direction.side, into: &output.units)
            emitUnits(direction, into: &output)
            from = end
        }
        guard from < bytes.byteCount else { return }
        decode(
            bytes.extracting(droppingFirst: from), at: offset + UInt64(from), carrier, direction,
            into: &output)
    }

    /// Appends the messages that bytes were decoded to.
    ///
    /// It records the carrier of the bytes if later messages may refer to them.
    mutating func conclude(
        _ range: Range<UInt64>, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let oldest = output.screening.oldestPendingOffset
        if oldest < range.upperBound || !output.units.isEmpty {
            output.statistics.forgottenFrames += streams[direction.rawValue].remember(
                range, carrier)
            emitUnits(direction, into: &output)
        } else {
            output.nextNumber += output.screening.takePassedOver()
        }
        if !streams[direction.rawValue].carried.isEmpty {
            streams[direction.rawValue].forget(before: oldest)
        }
    }

    /// Returns whether bytes of a stream were skipped that are not reported yet.
    func hasSkipped(_ direction: Direction) -> Bool {
        decoder?.hasSkipped(of: direction.side) ?? false
    }

    /// Reports the bytes of a stream that were skipped so far.
    mutating func reportSkipped(_ direction: Direction, into output: inout TraceOutput) {
        decoder?.reportSkipped(of: direction.side, into: &output.units)
        emitUnits(direction, into: &output)
        if let oldest = decoder?.oldestPendingOffset(of: direction.side) {
            streams[direction.rawValue].forget(before: oldest)
        }
    }

    /// Ends the message of a stream in which nothing has arrived for long, or nothing more will.
    ///
    /// The message was complete when its last byte was captured.
    mutating func pause(_ direction: Direction, into output: inout TraceOutput) {
        guard streamProtocol?.idle != nil, streams[direction.rawValue].isRemembering else { return }
        let now = output.now
        output.now = streams[direction.rawValue].lastCarried ?? now
        decoder?.pause(of: direction.side, into: &output.units)
        emitUnits(direction, into: &output)
        output.now = now
        if let oldest = decoder?.oldestPendingOffset(of: direction.side) {
            streams[direction.rawValue].forget(before: oldest)
        }
    }

    /// Decodes bytes whose carriers are already recorded.
    private mutating func decode(
        _ bytes: RawSpan, at offset: UInt64, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        output.screening.place.isFromFirst = direction == .fromFirst
        decoder?.consume(
            bytes, from: direction.side, at: offset, into: &output.units,
            asking: &output.screening)
        emitUnits(direction, into: &output)
        if let oldest = decoder?.oldestPendingOffset(of: direction.side) {
            streams[direction.rawValue].forget(before: oldest)
        }
    }

    /// Looks for a protocol in the first bytes of a stream.
    private mutating func recognise(
        _ bytes: RawSpan, _ direction: Direction, into output: inout TraceOutput
    ) {
        let own = direction.rawValue
        let known = streams[own].held.count
        if known == 0 {
            let found = Recognition(of: bytes, among: output.candidates)
            if case .match(let match) = found {
                return adopt(match, bytes, direction, into: &output)
            }
            streams[own].hold(bytes)
            handle(found, direction, into: &output)
        } else {
            streams[own].hold(bytes)
            let held = streams[own].held
            handle(
                Recognition(of: held.span.bytes, among: output.candidates, behind: known),
                direction, into: &output)
        }
    }

    private mutating func handle(
        _ found: Recognition, _ direction: Direction, into output: inout TraceOutput
    ) {
        let own = direction.rawValue
        switch found {
        case .match(let match):
            adopt(match, RawSpan(), direction, into: &output)
        case .undecided where streams[own].held.count <= output.options.recognitionBytesMax:
            break
        case .undecided, .none:
            releaseHeld(direction, into: &output)
            // Where the beginning was not captured, a later segment may begin with a unit.
            if !streams[own].lacksBeginning { streams[own].decoding = .undecoded }
        }
    }

    /// Gives both streams decoders of a protocol, and decodes the bytes that were held back.
    ///
    /// - Parameters:
    ///   - known: The protocol.
    ///   - bytes: The first bytes of a stream if it was recognised by them alone; they are not
    ///     held.
    ///   - recognised: The direction of that stream.
    ///   - output: The output to which messages are appended.
    private mutating func adopt(
        _ known: StreamProtocol, _ bytes: RawSpan, _ recognised: Direction,
        into output: inout TraceOutput
    ) {
        streamProtocol = known
        if known === ProfileReport.streamProtocol { output.statistics.reportConnections += 1 }
        decoder = known.makeDecoder(output.stack)
        for direction in [Direction.fromFirst, .fromSecond] {
            let own = direction.rawValue
            guard streams[own].decoding != .ended else { continue }
            streams[own].decoding = .decoded
            let held = streams[own].takeHeld()
            let next = streams[own].reassembly.next
            if direction == recognised, held.isEmpty {
                decode(bytes, at: next - UInt64(bytes.byteCount), direction, into: &output)
            } else if !held.isEmpty {
                decode(
                    held.span.bytes, at: next - UInt64(held.count), direction, into: &output)
            } else if next > 0 {
                // Its first bytes are reported already. The decoder must find the next whole unit.
                decoder?.gap(upTo: next, from: direction.side, into: &output.units)
                emitUnits(direction, into: &output)
            }
        }
    }

    /// Reports the bytes that were held back as not decoded.
    private mutating func releaseHeld(_ direction: Direction, into output: inout TraceOutput) {
        let held = streams[direction.rawValue].takeHeld()
        guard !held.isEmpty else { return }
        var from = 0
        for piece in streams[direction.rawValue].takeCarried() where from < held.count {
            let end = min(held.count, from + piece.range.count)
            emitData(
                held.span.bytes.extracting(from..<end), at: piece.range.lowerBound, piece.carrier,
                direction,
                into: &output)
            from = end
        }
    }

    /// Reports that bytes are missing.
    mutating func reportGap(
        _ hole: Range<UInt64>, _ reason: TCPEvent.GapReason, _ carrier: CarryingSegment?,
        _ direction: Direction, into output: inout TraceOutput
    ) {
        guard !hole.isEmpty else { return }
        if streams[direction.rawValue].decoding == .undecided {
            releaseHeld(direction, into: &output)
        }
        streams[direction.rawValue].hasGap = true
        if reason != .cut {
            record(
                .missingBytes(hole.count), direction,
                since: Timestamp(nanoseconds: streams[direction.rawValue].seenUntil),
                frame: carrier?.frame, into: &output)
        }
        output.statistics.gaps += 1
        output.statistics.gapBytes += hole.count
        emitGap(hole.count, reason, carrier, direction, into: &output)
        decoder?.gap(upTo: hole.upperBound, from: direction.side, into: &output.units)
        emitUnits(direction, into: &output)
    }

    /// Ends a stream and reports what is unfinished in it, unless the other side reset the
    /// connection.
    ///
    /// A sender whose connection was reset may not know it yet. What it sent before the reset
    /// reached it is decoded as well.
    ///
    /// - Parameter frame: The frame that ended it, if one did.
    mutating func endStream(
        _ direction: Direction, _ end: StreamEnd, by frame: Int?, into output: inout TraceOutput
    ) {
        guard streams[direction.rawValue].decoding != .ended else { return }
        if streams[direction.rawValue].isCut {
            if end == .cut { return }
            output.statistics.undecodedBytes += streams[direction.rawValue].takeHeld().count
        } else {
            // This may be the beginning of a message that was cut off before it could be
            // recognised.
            let mayBegin = end == .cut && streams[direction.rawValue].decoding == .undecided
            if !mayBegin { releaseHeld(direction, into: &output) }
            decoder?.finish(direction.side, end, into: &output.units)
            emitUnits(direction, endedBy: frame, into: &output)
            if end == .cut {
                streams[direction.rawValue].isCut = true
                streams[direction.rawValue].awaited = nil
                return
            }
        }
        if streams[direction.opposite.rawValue].decoding == .ended { decoder = nil }
        streams[direction.rawValue].decoding = .ended
        streams[direction.rawValue].awaited = nil
        _ = streams[direction.rawValue].takeCarried()
    }
}
