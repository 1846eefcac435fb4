import TCPIP
import Wire

/// The latest segments of all connections, with their payload.
///
/// A segment that repeats bytes is compared with what was captured first. Nothing is allocated once
/// the log has its full size.
struct SegmentLog {
    /// A segment, as far as a later one is compared with it.
    private struct Entry {
        let time: Int64
        let frame: Int
        /// Where its payload begins in all payload that was ever logged.
        let position: Int
        /// The number of the entry before it that has the same place in `heads`.
        let previous: Int
        let flow: Int32
        let count: UInt32
        let sequence: TCPSequence
        let acknowledgement: TCPSequence
        let isFromFirst: Bool
        let acknowledges: Bool
    }

    /// The result of comparing repeated bytes with those that were captured first.
    struct Conflict {
        /// The time of the segment that had other bytes.
        let since: Timestamp
        /// Whether the receiver had acknowledged the bytes before they were repeated.
        let isSettled: Bool
    }

    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    /// The number of the last entry of the connections that share a place.
    private var heads = [Int](repeating: -1, count: 1 << 10)
    private var entryCount = 0
    private var byteCount = 0

    /// The number of segments that are kept; a power of two.
    private static let entriesMax = 1 << 13
    /// The number of bytes that are kept; a power of two.
    private static let bytesMax = 4 << 20
    /// The number of older segments that are compared after an acknowledgement was found.
    private static let settledMax = 256

    /// Adds a segment.
    mutating func append(
        _ payload: RawSpan, sequence: TCPSequence, acknowledgement: TCPSequence,
        acknowledges: Bool, _ direction: Direction, flow: Int, frame: Int, at time: Timestamp
    ) {
        let count = min(payload.byteCount, Self.bytesMax)
        if count > 0 { keep(payload.extracting(first: count)) }
        let place = flow & (heads.count - 1)
        let entry = Entry(
            time: time.nanoseconds, frame: frame, position: byteCount - count,
            previous: heads[place], flow: Int32(truncatingIfNeeded: flow),
            count: UInt32(truncatingIfNeeded: count), sequence: sequence,
            acknowledgement: acknowledgement, isFromFirst: direction == .fromFirst,
            acknowledges: acknowledges)
        if entries.count < Self.entriesMax {
            entries.append(entry)
        } else {
            entries[entryCount & (Self.entriesMax - 1)] = entry
        }
        heads[place] = entryCount
        entryCount += 1
    }

    /// Copies payload to a place where it is not divided.
    private mutating func keep(_ payload: RawSpan) {
        let count = payload.byteCount
        var place = byteCount & (Self.bytesMax - 1)
        if place + count > Self.bytesMax {
            byteCount += Self.bytesMax - place
            place = 0
        }
        if bytes.count < place + count {
            bytes += repeatElement(0, count: place + count - bytes.count)
        }
        bytes.withUnsafeMutableBytes { kept in
            payload.withUnsafeBytes { new in
                UnsafeMutableRawBufferPointer(rebasing: kept[place..<place + count])
                    .copyMemory(from: new)
            }
        }
        byteCount += count
    }

    /// Compares bytes that a segment repeats with those of earlier segments.
    ///
    /// - Parameters:
    ///   - repeated: The bytes.
    ///   - sequence: The number of the first of them.
    ///   - direction: Their direction.
    ///   - flow: Their connection.
    /// - Returns: `nil` if no byte differs from the log.
    func conflict(
        of repeated: RawSpan, at sequence: TCPSequence, _ direction: Direction, flow: Int
    ) -> Conflict? {
        let count = repeated.byteCount
        let end = sequence + count
        let isFromFirst = direction == .fromFirst
        var since: Int64?
        var isSettled = false
        var compared = 0
        var left = Int.max
        var number = heads[flow & (heads.count - 1)]
        while number >= 0, number + Self.entriesMax >= entryCount, left > 0 {
            let entry = entries[number & (Self.entriesMax - 1)]
            number = entry.previous
            left -= 1
            guard entry.flow == Int32(truncatingIfNeeded: flow) else { continue }
            if entry.isFromFirst != isFromFirst {
                if entry.acknowledges, !isSettled, entry.acknowledgement.distance(from: end) >= 0 {
                    isSettled = true
                    left = Self.settledMax
                }
                continue
            }
            let from = max(0, entry.sequence.distance(from: sequence))
            let to = min(count, (entry.sequence + Int(entry.count)).distance(from: sequence))
            guard from < to, entry.position + Self.bytesMax >= byteCount else { continue }
            let first = entry.position & (Self.bytesMax - 1)
            let start = first + from - entry.sequence.distance(from: sequence)
            if !repeated.extracting(from..<to).elementsEqual(bytes[start..<start + to - from]) {
                since = min(since ?? entry.time, entry.time)
            }
            compared += to - from
            if compared >= count, since == nil { return nil }
        }
        return since.map {
            Conflict(since: Timestamp(nanoseconds: $0).oneTickEarlier, isSettled: isSettled)
        }
    }
}
