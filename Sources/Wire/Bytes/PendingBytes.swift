/// Bytes of a stream that wait for the rest of their unit: put in at the end, taken from the front.
///
/// Taking costs what is taken and not what stays, so that many small units in one large piece, and
/// one unit in many small pieces, both cost little.
package struct PendingBytes: Sendable {
    private var storage: [UInt8] = []
    /// How many bytes of the storage have been taken.
    private var front = 0
    /// How many bytes have been moved to make room; never more than were taken.
    package private(set) var movedCount = 0

    /// How many bytes wait.
    package var count: Int { storage.count - front }

    /// Whether none wait.
    package var isEmpty: Bool { front == storage.count }

    /// All that wait.
    package var slice: ArraySlice<UInt8> { storage[front...] }

    /// Nothing waits.
    package init() {}

    /// Puts bytes in at the end.
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

    /// Takes bytes from the front, of which there must be so many.
    package mutating func take(_ count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= self.count)
        defer { front += count }
        return Array(storage[front..<front + count])
    }

    /// Takes all.
    package mutating func removeAll() {
        storage = []
        front = 0
    }
}
