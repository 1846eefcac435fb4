import Wire

/// The flows that have ended and are still kept, in the order in which they will be dropped.
struct ClosedFlowQueue {
    private var queue: [(slot: Int, number: Int, until: Int64)] = []
    private var front = 0

    /// The time until which the first flow is kept.
    var due: Int64 {
        mutating get { front < queue.count ? queue[front].until : .max }
    }

    /// Adds a flow that is kept until the given time.
    mutating func add(_ slot: Int, _ number: Int, until: Int64) {
        if front > 1024, front * 2 > queue.count {
            queue.removeFirst(front)
            front = 0
        }
        queue.append((slot, number, until))
    }

    /// Returns the slot of the flow that is `count` places after the first.
    mutating func slot(ahead count: Int) -> Int? {
        front + count < queue.count ? queue[front + count].slot : nil
    }

    /// Removes the first flow if its time is over.
    mutating func removeFirst(at time: Int64) -> (slot: Int, number: Int)? {
        guard due < time else { return nil }
        defer { front += 1 }
        return (queue[front].slot, queue[front].number)
    }
}
