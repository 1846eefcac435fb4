/// A list of elements in order, of which copies share the common beginning.
///
/// Copies that are extended separately cost no more than one chunk, however long the history is.
struct History<Element: Sendable>: Sendable {
    private var chunks: [[Element]] = []
    /// Never empty once there is an element.
    private var tail: [Element] = []

    private static var chunkSize: Int { 64 }

    /// The number of elements that were added, including replaced ones.
    var count: Int { chunks.count * Self.chunkSize + tail.count + replacedCount }
    /// The number of replaced elements.
    private var replacedCount = 0

    /// The last element.
    var last: Element? { tail.last }

    /// All elements in order.
    var elements: [Element] { Array(chunks.joined()) + tail }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if tail.count == Self.chunkSize {
            chunks.append(tail)
            tail = []
        }
        tail.append(element)
    }

    /// Replaces the last element.
    mutating func replace(by element: Element) {
        if tail.isEmpty { return tail.append(element) }
        tail[tail.count - 1] = element
        replacedCount += 1
    }

    /// Returns the last element that satisfies a condition.
    func last(where condition: (Element) -> Bool) -> Element? {
        if let found = tail.last(where: condition) { return found }
        for chunk in chunks.reversed() {
            if let found = chunk.last(where: condition) { return found }
        }
        return nil
    }
}
