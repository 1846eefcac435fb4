import Wire

/// The flows that have ended and are still remembered, in the order in which they are forgotten.
struct ClosedFlowQueue {
    private var queue: [(slot: Int, number: Int, until: Int64)] = []
    private var front = 0

    /// Until when the first of them is remembered.
    var due: Int64 {
        mutating get { front < queue.count ? queue[front].until : .max }
    }

    /// Adds one that is remembered until then.
    mutating func add(_ slot: Int, _ number: Int, until: Int64) {
        if front > 1024, front * 2 > queue.count {
            queue.removeFirst(front)
            front = 0
        }
        queue.append((slot, number, until))
    }

    /// The slot of the one that comes so many behind the first.
    mutating func slot(ahead count: Int) -> Int? {
        front + count < queue.count ? queue[front + count].slot : nil
    }

    /// Takes out the first one if it is remembered no longer.
    mutating func take(at time: Int64) -> (slot: Int, number: Int)? {
        guard due < time else { return nil }
        defer { front += 1 }
        return (queue[front].slot, queue[front].number)
    }
}
