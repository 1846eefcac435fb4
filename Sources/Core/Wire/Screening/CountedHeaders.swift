/// Headers that wait to be reported in batches.
///
/// The receiver then handles them in one loop, and can have the processor fetch the data for all of
/// them.
public struct CountedHeaders: Sendable {
    @usableFromInline var headers = InlineArray<64, CountedHeader>(repeating: .none)
    @usableFromInline var count = 0

    /// Creates an empty batch.
    public init() {}

    /// Whether the batch is empty.
    public var isEmpty: Bool {
        mutating get { count == 0 }
    }

    /// Whether there is no room for another header.
    public var isFull: Bool {
        @inlinable @inline(__always)
        mutating get { count == headers.count }
    }

    /// Adds a header, for which there must be room.
    @inlinable @inline(__always)
    public mutating func append(_ header: CountedHeader) {
        headers[count] = header
        count += 1
    }

    /// Empties the batch and returns its headers, borrowed until another one is added.
    @_lifetime(&self)
    public mutating func take() -> Span<CountedHeader> {
        let all = count
        count = 0
        return headers.span.extracting(0..<all)
    }
}
