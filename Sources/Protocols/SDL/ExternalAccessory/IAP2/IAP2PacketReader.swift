extension IAP2 {
    /// A reader that splits the bytes of one direction into packets and skips other bytes.
    struct PacketReader: Sendable {
        /// A unit that was found, and its range.
        struct Unit: Sendable {
            enum Content: Sendable {
                case detection
                case packet(Packet)
                /// Bytes that are not a packet, a sample of them, and whether the capture is the
                /// cause.
                case malformed(String, sample: [UInt8], isLoss: Bool)
            }

            let content: Content
            let range: Range<UInt64>
        }

        private struct Skipped {
            var start: UInt64
            var sample: [UInt8] = []
            let isLoss: Bool
        }

        private var pending: [UInt8] = []
        /// How many of the pending bytes have been consumed.
        private var head = 0
        /// The offset of the next byte to be read.
        private(set) var position: UInt64 = 0
        /// The current search for a packet, if any.
        private var skipped: Skipped?

        /// The offset of the oldest byte that a later unit may contain.
        var oldestPendingOffset: UInt64 { skipped?.start ?? position }

        mutating func append(_ bytes: RawSpan, at offset: UInt64) {
            if head == pending.count {
                pending.removeAll(keepingCapacity: true)
                head = 0
                position = offset
            }
            bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
        }

        /// Returns the next unit; `nil` if it needs more bytes.
        mutating func next() -> Unit? {
            while head < pending.count {
                switch examine() {
                case .more: return nil
                case .found(let content, let count):
                    // The same bytes are read again once the search has been reported.
                    if let skipped = takeSkipped() { return skipped }
                    return Unit(content: content, range: consume(count))
                case .none(let why):
                    if let unit = skip(why) { return unit }
                }
            }
            if head > 1 << 16 { compact() }
            return nil
        }

        /// Handles missing bytes up to `offset`; returns the unfinished units before them.
        mutating func gap(upTo offset: UInt64) -> [Unit] {
            defer {
                position = offset
                skipped = Skipped(start: offset, isLoss: true)
            }
            return remains("the capture lacks the rest of it", isLoss: true)
        }

        /// Handles the end of the stream; returns the unfinished units.
        mutating func finish() -> [Unit] {
            remains("the stream ends within a packet", isLoss: skipped?.isLoss ?? false)
        }
    }
}

extension IAP2.PacketReader {
    private enum Examination {
        case more
        case found(Unit.Content, count: Int)
        case none(String)
    }

    /// Examines the bytes at `head`.
    private func examine() -> Examination {
        let rest = pending[head...]
        let start = Array(rest.prefix(2))
        guard start[0] == 0xFF else { return .none("neither a packet nor a detection sequence") }
        guard start.count == 2 else { return .more }
        if start[1] == IAP2.detection[1] {
            let front = Array(rest.prefix(IAP2.detection.count))
            guard IAP2.detection.starts(with: front) else {
                return .none("FF 55 without the rest of the detection sequence")
            }
            return front.count < IAP2.detection.count
                ? .more : .found(.detection, count: front.count)
        }
        guard start == IAP2.PacketHeader.mark else {
            return .none("neither a packet nor a detection sequence")
        }
        guard rest.count >= IAP2.PacketHeader.size else { return .more }
        guard let header = IAP2.PacketHeader(rest) else {
            let sum = IAP2.checksum(rest.prefix(IAP2.PacketHeader.size - 1))
            return .none(
                sum == rest[head + IAP2.PacketHeader.size - 1]
                    ? "a packet that is shorter than its header"
                    : "a header whose checksum is \(rest[head + 8]), expected \(sum)")
        }
        guard rest.count >= header.length else { return .more }
        return .found(packet(header, rest.prefix(header.length)), count: header.length)
    }

    private func packet(
        _ header: IAP2.PacketHeader, _ bytes: ArraySlice<UInt8>
    ) -> Unit.Content {
        let body = bytes.dropFirst(IAP2.PacketHeader.size)
        guard IAP2.checksum(body) == 0 else {
            let expected = IAP2.checksum(body.dropLast())
            return .malformed(
                "the checksum of the payload of packet \(header.sequence) is \(body.last ?? 0), "
                    + "expected \(expected)",
                sample: Array(bytes.prefix(IAP2.Limits.malformedSample)), isLoss: false)
        }
        return .packet(IAP2.Packet(header, payload: Array(body.dropLast())))
    }

    /// Skips one byte; the first one is reported at once, the others when the search ends.
    private mutating func skip(_ why: String) -> Unit? {
        let byte = pending[head]
        guard var search = skipped else {
            let range = consume(1)
            skipped = Skipped(start: range.upperBound, isLoss: false)
            return Unit(
                content: .malformed(why, sample: [byte], isLoss: false), range: range)
        }
        if search.sample.count < IAP2.Limits.malformedSample { search.sample.append(byte) }
        skipped = search
        _ = consume(1)
        guard position - search.start >= UInt64(IAP2.Limits.skippedBytes) else { return nil }
        let unit = takeSkipped()
        skipped = Skipped(start: position, isLoss: search.isLoss)
        return unit
    }

    /// Ends the search; returns the bytes that were skipped in it, if any.
    private mutating func takeSkipped() -> Unit? {
        guard let search = skipped else { return nil }
        skipped = nil
        guard position > search.start else { return nil }
        return Unit(
            content: .malformed(
                "\(position - search.start) byte(s) skipped in search of a packet",
                sample: search.sample, isLoss: search.isLoss),
            range: search.start..<position)
    }

    private mutating func remains(_ why: String, isLoss: Bool) -> [Unit] {
        var units: [Unit] = []
        if let skipped = takeSkipped() { units.append(skipped) }
        if head < pending.count {
            let sample = Array(pending[head...].prefix(IAP2.Limits.malformedSample))
            units.append(
                Unit(
                    content: .malformed(why, sample: sample, isLoss: isLoss),
                    range: consume(pending.count - head)))
        }
        return units
    }

    private mutating func consume(_ count: Int) -> Range<UInt64> {
        head += count
        position += UInt64(count)
        if head == pending.count {
            pending.removeAll(keepingCapacity: true)
            head = 0
        }
        return (position - UInt64(count))..<position
    }

    private mutating func compact() {
        pending.removeFirst(head)
        head = 0
    }
}
