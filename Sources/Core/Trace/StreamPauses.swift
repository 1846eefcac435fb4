import Wire

/// The streams that are cut by pauses and contain an unfinished message, and when each will pause.
struct StreamPauses: Sendable {
    /// One direction of a connection.
    private struct Stream: Sendable, Hashable {
        let slot: Int
        let direction: Direction
    }

    /// A segment that may be the last one before a pause.
    private struct Entry: Sendable {
        let stream: Stream
        let time: Int64
    }

    /// The segments of the streams that have the same length of a pause, in their order.
    private struct Queue: Sendable {
        let pause: Int64
        var entries: [Entry] = []
        /// The number of entries that have been examined.
        var front = 0

        /// The time at which the first of them may pause.
        var due: Int64? { front < entries.count ? entries[front].time + pause : nil }

        mutating func takeFirst() -> Entry {
            defer {
                front += 1
                if front > 64, front > entries.count / 2 {
                    entries.removeFirst(front)
                    front = 0
                }
            }
            return entries[front]
        }
    }

    private var queues: [Queue] = []
    /// The time at which the last bytes of each stream with an unfinished message arrived.
    private var latest: [Stream: Int64] = [:]

    /// Whether no message has begun.
    var isEmpty: Bool { latest.isEmpty }

    /// The time at which the next stream may pause; never later than the true time.
    private(set) var due = Int64.max

    /// Records that bytes of a stream have arrived.
    mutating func record(_ slot: Int, _ direction: Direction, pause: Duration, at time: Timestamp) {
        let stream = Stream(slot: slot, direction: direction)
        latest[stream] = time.nanoseconds
        let length = pause.wholeNanoseconds
        let index = queues.firstIndex { $0.pause == length } ?? queues.count
        if index == queues.count { queues.append(Queue(pause: length)) }
        queues[index].entries.append(Entry(stream: stream, time: time.nanoseconds))
        due = min(due, time.nanoseconds + length)
    }

    /// Returns the next stream that was silent for its pause; `nil` if there is none yet.
    mutating func takePaused(before time: Int64) -> (slot: Int, direction: Direction)? {
        while due < time {
            let index = queues.indices.min { queues[$0].due ?? .max < queues[$1].due ?? .max }
            guard let index, queues[index].due != nil else { break }
            let entry = queues[index].takeFirst()
            due = queues.compactMap(\.due).min() ?? .max
            guard latest[entry.stream] == entry.time else { continue }
            latest[entry.stream] = nil
            return (entry.stream.slot, entry.stream.direction)
        }
        return nil
    }

    /// Removes a stream that has ended.
    mutating func forget(_ slot: Int, _ direction: Direction) {
        if !latest.isEmpty { latest[Stream(slot: slot, direction: direction)] = nil }
    }
}

extension TraceEngine {
    /// Ends the messages of streams that pause, as far as that is known at a given time.
    public mutating func endPauses(before time: Timestamp, into messages: inout [TraceMessage]) {
        output.now = max(output.now, time)
        endPauses(before: time.nanoseconds)
        flush(into: &messages)
    }

    mutating func endPauses(before time: Int64) {
        while let (slot, direction) = pauses.takePaused(before: time) {
            flows[slot].pause(direction, into: &output)
        }
    }

    /// Records when a stream that is cut by pauses was last active.
    mutating func recordPause(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction, _ slot: Int
    ) {
        let flags = carrier.header.flags
        if !flags.isDisjoint(with: [.fin, .rst, .syn]) {
            pauses.forget(slot, direction)
            if flags.contains(.rst) { pauses.forget(slot, direction.opposite) }
            return
        }
        guard payload.byteCount > 0, let pause = flows[slot].streamProtocol?.idle else { return }
        pauses.record(slot, direction, pause: pause, at: output.now)
    }
}
