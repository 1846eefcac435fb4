/// FrameHeaderReader that wait to be told some at a time: what takes them then does it in one loop, and can have
/// the processor fetch what it needs for all of them.
public struct CountedHeaders: Sendable {
    @usableFromInline var headers = InlineArray<64, CountedHeader>(repeating: .none)
    @usableFromInline var count = 0

    /// None.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool {
        mutating get { count == 0 }
    }

    /// Whether there is no room for another one.
    public var isFull: Bool {
        @inlinable @inline(__always)
        mutating get { count == headers.count }
    }

    /// Adds one, for which there must be room.
    @inlinable @inline(__always)
    public mutating func append(_ header: CountedHeader) {
        headers[count] = header
        count += 1
    }

    /// All of them, which are forgotten: lent until another one is added.
    @_lifetime(&self)
    public mutating func take() -> Span<CountedHeader> {
        let all = count
        count = 0
        return headers.span.extracting(0..<all)
    }
}
