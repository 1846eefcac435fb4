import Wire

// Messages that have begun and are not complete.
extension Flow {
    /// Which note was the latest one, so that it is not repeated with each segment.
    struct BeginningNote: Hashable {
        let flow: Int
        let direction: Direction
        /// The first byte of the message.
        let offset: UInt64
        /// The number of the message that came next in the trace.
        let next: Int
        /// When it was made.
        var time: Timestamp
    }

    /// The shortest time between two notes on the same message.
    private static let notePause: Duration = .milliseconds(100)

    /// Reports the part of an incomplete message that has arrived.
    mutating func reportBegun(
        _ carrier: CarryingSegment, _ direction: Direction, into output: inout TraceOutput
    ) {
        if let begun = decoder?.begun(of: direction.side) {
            output.units.append(begun)
            emitUnits(direction, into: &output)
        } else if output.options.recordsBeginnings, isRead(output.options),
            let offset = firstUnread(direction)
        {
            report(offset, carrier, direction, into: &output)
        }
    }

    /// Whether it is read in the same way whichever messages are wanted.
    private func isRead(_ options: TraceOptions) -> Bool {
        guard let streamProtocol else { return true }
        return streamProtocol.idle == nil && streamProtocol.name != StreamUnit.protocolName
            && (streamProtocol.headerReader == nil || options.recordsAllBeginnings)
    }

    /// The first byte of a message that is not complete; `nil` if all are.
    private func firstUnread(_ direction: Direction) -> UInt64? {
        let next = streams[direction.rawValue].reassembly.next
        switch streams[direction.rawValue].decoding {
        case .undecided:
            let held = UInt64(streams[direction.rawValue].held.count)
            return held > 0 && held <= next ? next - held : nil
        case .decoded:
            guard let oldest = decoder?.oldestPendingOffset(of: direction.side), oldest < next
            else { return nil }
            return oldest
        case .undecoded, .ended: return nil
        }
    }

    private mutating func report(
        _ offset: UInt64, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) {
        let note = BeginningNote(
            flow: number, direction: direction, offset: offset, next: output.nextNumber,
            time: output.now)
        if var last = output.lastBeginning, output.now - last.time < Self.notePause {
            last.time = note.time
            if last == note { return }
        }
        let count = streams[direction.rawValue].reassembly.next - offset
        append(
            StreamBeginning(count: Int(clamping: count)), frames: [carrier.frame], direction,
            into: &output)
        output.lastBeginning = BeginningNote(
            flow: number, direction: direction, offset: offset, next: output.nextNumber,
            time: output.now)
    }
}
