/// What came so far, in order; ways that part share what came before.
///
/// Copies that go on separately cost no more than one chunk, however long the history is.
struct History<Element: Sendable>: Sendable {
    private var chunks: [[Element]] = []
    /// Never empty once there is an element.
    private var tail: [Element] = []

    private static var chunkSize: Int { 64 }

    /// How many there are.
    var count: Int { chunks.count * Self.chunkSize + tail.count + replacedCount }
    /// How many were replaced.
    private var replacedCount = 0

    /// The last one.
    var last: Element? { tail.last }

    /// All of them in order.
    var elements: [Element] { Array(chunks.joined()) + tail }

    /// Adds one at the end.
    mutating func append(_ element: Element) {
        if tail.count == Self.chunkSize {
            chunks.append(tail)
            tail = []
        }
        tail.append(element)
    }

    /// Takes one in place of the last.
    mutating func replace(by element: Element) {
        if tail.isEmpty { return tail.append(element) }
        tail[tail.count - 1] = element
        replacedCount += 1
    }

    /// The last one of which a condition holds.
    func last(where condition: (Element) -> Bool) -> Element? {
        if let found = tail.last(where: condition) { return found }
        for chunk in chunks.reversed() {
            if let found = chunk.last(where: condition) { return found }
        }
        return nil
    }
}
