/// Bytes of a stream that wait for the rest of their unit: a queue.
///
/// The cost of taking bytes depends on the number taken and not on the number that stays. So many
/// small units in one large piece and one unit in many small pieces are both cheap.
package struct PendingBytes: Sendable {
    private var storage: [UInt8] = []
    /// The number of bytes of the storage that have been taken.
    private var front = 0
    /// The number of bytes that have been moved to make room; never more than were taken.
    package private(set) var movedCount = 0

    /// The number of waiting bytes.
    package var count: Int { storage.count - front }

    /// Whether no bytes are waiting.
    package var isEmpty: Bool { front == storage.count }

    /// All waiting bytes.
    package var slice: ArraySlice<UInt8> { storage[front...] }

    /// Creates an empty queue.
    package init() {}

    /// Appends bytes at the end.
    package mutating func append(_ bytes: RawSpan) {
        if isEmpty {
            storage.removeAll(keepingCapacity: true)
            front = 0
        } else if front > storage.count / 2 {
            movedCount += count
            storage.removeFirst(front)
            front = 0
        }
        bytes.withUnsafeBytes { storage.append(contentsOf: $0) }
    }

    /// Takes `count` bytes from the front; at least that many must be waiting.
    package mutating func consume(_ count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= self.count)
        defer { front += count }
        return Array(storage[front..<front + count])
    }

    /// Discards all waiting bytes.
    package mutating func removeAll() {
        storage = []
        front = 0
    }
}
