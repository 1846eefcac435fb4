/// Heads that wait to be told some at a time: what takes them then does it in one loop, and can have
/// the processor fetch what it needs for all of them.
public struct CountedHeads: Sendable {
    @usableFromInline var heads = InlineArray<64, CountedHead>(repeating: .none)
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
        mutating get { count == heads.count }
    }

    /// Adds one, for which there must be room.
    @inlinable @inline(__always)
    public mutating func append(_ head: CountedHead) {
        heads[count] = head
        count += 1
    }

    /// All of them, which are forgotten: lent until another one is added.
    @_lifetime(&self)
    public mutating func take() -> Span<CountedHead> {
        let all = count
        count = 0
        return heads.span.extracting(0..<all)
    }
}
