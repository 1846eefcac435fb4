import TCPIP
import Wire

/// The segment that carried some bytes.
struct CarryingSegment {
    var frame: Int
    var header: TCPHeader
    /// The number of payload bytes of the segment as sent.
    var segmentLength: Int
    /// The time at which it was captured.
    var time: Timestamp

    /// The sequence number after its payload.
    var end: TCPSequence { header.sequence + segmentLength }
}

/// Puts the segments of one direction in order.
///
/// Positions are stream offsets from 0 at the first known byte. If bytes arrive twice, the first
/// ones count. Bytes after a hole wait until it is filled or given up.
struct Reassembly {
    /// Bytes that wait for a hole before them to be filled.
    struct Waiting {
        var offset: UInt64
        var bytes: [UInt8]
        var carrier: CarryingSegment

        var end: UInt64 { offset + UInt64(bytes.count) }
    }

    /// Offset of the next byte in order.
    private(set) var next: UInt64 = 0
    /// The bytes after a hole: ascending, disjoint, none before `next`.
    ///
    /// The first `takenCount` have been taken out, so that taking one does not move all others.
    private var kept: [Waiting] = []
    private var shortWaitingBytes: UInt32 = 0
    /// Sequence number of the next byte in order; `nil` before the first segment.
    private(set) var nextSequence: TCPSequence?
    private var takenCount: UInt32 = 0

    /// The number of waiting bytes.
    ///
    /// There is no room for more than `waitingBytesMax` and a segment.
    var waitingBytes: Int { Int(shortWaitingBytes) }
    /// The maximum number of waiting bytes, whatever the options say.
    static let waitingBytesMax = 1 << 31

    /// Whether bytes wait for a hole before them to be filled.
    @inline(__always)
    var isWaiting: Bool { !kept.isEmpty }
    /// The number of waiting segments.
    var waitingCount: Int { kept.count - Int(takenCount) }
    /// The first waiting bytes.
    var firstWaiting: Waiting? { kept.isEmpty ? nil : kept[Int(takenCount)] }
    /// The last waiting bytes.
    var lastWaiting: Waiting? { kept.last }

    /// Sets the sequence number of the next byte.
    mutating func start(at sequence: TCPSequence) {
        nextSequence = sequence
    }

    /// Returns the offset of a sequence number near `next`.
    ///
    /// The offset is negative for a number before the stream's start.
    func offset(of sequence: TCPSequence) -> Int64? {
        nextSequence.map { Int64(next) + Int64(sequence.distance(from: $0)) }
    }

    /// Processes a segment's payload.
    ///
    /// - Returns: The index in the payload from which the bytes are next in order, up to its end;
    ///   they count as taken. `nil` if none are, or if `takeReady` returns them.
    mutating func accept(
        _ payload: RawSpan, carrier: CarryingSegment, counting statistics: inout TraceStatistics
    ) -> Int? {
        let sequence = carrier.header.sequence + (carrier.header.flags.contains(.syn) ? 1 : 0)
        let distance = sequence.distance(from: nextSequence ?? sequence)
        nextSequence = nextSequence ?? sequence
        let known = min(max(-distance, 0), payload.byteCount)
        guard known < payload.byteCount else {
            statistics.retransmissions += 1
            return nil
        }
        let from = next + UInt64(max(distance, 0))
        let end = from + UInt64(payload.byteCount - known)
        if distance <= 0, firstWaiting.map({ end <= $0.offset }) ?? true {
            if known > 0 { statistics.overlaps += 1 }
            if isWaiting { statistics.outOfOrder += 1 }
            advance(to: end)
            return known
        }
        keep(
            payload.extracting(droppingFirst: known), at: from, carrier,
            isPartlyKnown: known > 0, &statistics)
        return nil
    }

    /// Continues after bytes that were processed elsewhere.
    mutating func resume(at offset: UInt64, _ sequence: TCPSequence) {
        next = offset
        nextSequence = sequence
    }

    /// Returns the waiting bytes that are now next in order; they count as taken.
    mutating func takeReady() -> [Waiting] {
        guard firstWaiting?.offset == next else { return [] }
        var end = next
        let start = Int(takenCount)
        var place = start
        while place < kept.count, kept[place].offset == end {
            end = kept[place].end
            place += 1
        }
        let ready = Array(kept[start..<place])
        for index in start..<place { kept[index].bytes = [] }
        takenCount += UInt32(ready.count)
        // Compacted once half of them are gone, at a constant cost for each.
        if Int(takenCount) * 2 >= kept.count {
            kept.removeFirst(Int(takenCount))
            takenCount = 0
        }
        shortWaitingBytes -= ready.reduce(0) { $0 + UInt32($1.bytes.count) }
        advance(to: end)
        return ready
    }

    /// Gives up the bytes before `offset`, which must not reach beyond the first waiting byte.
    mutating func giveUp(upTo offset: UInt64) {
        advance(to: offset)
    }

    /// Skips the sequence number that a FIN takes without being a byte.
    mutating func passSequenceNumber() {
        nextSequence = nextSequence.map { $0 + 1 }
    }

    private mutating func advance(to offset: UInt64) {
        nextSequence = nextSequence.map { $0 + Int(truncatingIfNeeded: offset - next) }
        next = offset
    }

    /// Copies the parts of a segment that are not waiting already.
    private mutating func keep(
        _ bytes: RawSpan, at offset: UInt64, _ carrier: CarryingSegment, isPartlyKnown: Bool,
        _ statistics: inout TraceStatistics
    ) {
        let end = offset + UInt64(bytes.byteCount)
        let isLate = lastWaiting.map { offset < $0.end } ?? false
        var cursor = offset
        var isKnownAlready = isPartlyKnown
        var isDifferent = false
        var isNew = false
        var index = firstIndex(endingAfter: offset)
        while cursor < end {
            let other =
                index < kept.count ? kept[index].offset..<kept[index].end : end..<end
            let free = cursor..<max(cursor, min(end, other.lowerBound))
            if !free.isEmpty {
                insert(bytes.extracting(free.relative(to: offset)), free.lowerBound, carrier, index)
                isNew = true
                index += 1
            }
            let shared = free.upperBound..<max(free.upperBound, min(end, other.upperBound))
            if !shared.isEmpty {
                isKnownAlready = true
                let first = kept[index].bytes[shared.relative(to: other.lowerBound)]
                isDifferent =
                    isDifferent
                    || !bytes.extracting(shared.relative(to: offset)).elementsEqual(first)
            }
            cursor = shared.upperBound
            index += 1
        }
        if isDifferent { statistics.recordConflict(frame: carrier.frame) }
        if !isNew {
            statistics.retransmissions += 1
        } else if isKnownAlready {
            statistics.overlaps += 1
        }
        if isNew && isLate { statistics.outOfOrder += 1 }
    }

    private mutating func insert(
        _ bytes: RawSpan, _ offset: UInt64, _ carrier: CarryingSegment, _ index: Int
    ) {
        kept.insert(
            Waiting(offset: offset, bytes: [UInt8](copying: bytes), carrier: carrier), at: index)
        shortWaitingBytes += UInt32(bytes.byteCount)
    }

    private func firstIndex(endingAfter offset: UInt64) -> Int {
        var (low, high) = (Int(takenCount), kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].end > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<UInt64> {
    /// Returns the same range counted from `start`.
    func relative(to start: UInt64) -> Range<Int> {
        Int(lowerBound - start)..<Int(upperBound - start)
    }
}

extension RawSpan {
    func elementsEqual(_ other: ArraySlice<UInt8>) -> Bool {
        withUnsafeBytes { bytes in bytes.elementsEqual(other) }
    }
}
