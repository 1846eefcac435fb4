import Capture

/// Elements by index, in pieces of memory that do not move: growing copies none of them.
struct SlotList<Element> {
    private var pieces: [[Element]] = []
    private(set) var count = 0

    private static var pieceShift: Int { 12 }
    private static var pieceCount: Int { 1 << pieceShift }

    /// The element at an index below `count`, changed in place.
    subscript(slot: Int) -> Element {
        @inline(__always)
        _read { yield pieces[slot >> Self.pieceShift][slot & (Self.pieceCount - 1)] }
        @inline(__always)
        _modify { yield &pieces[slot >> Self.pieceShift][slot & (Self.pieceCount - 1)] }
    }

    /// Prefetches the element at an index; an index without an element is ignored.
    @inline(__always)
    func prefetch(_ slot: Int) {
        guard slot >= 0, slot < count else { return }
        pieces[slot >> Self.pieceShift].prefetch(slot & (Self.pieceCount - 1))
    }

    mutating func append(_ element: consuming Element) {
        if count & (Self.pieceCount - 1) == 0 {
            var piece: [Element] = []
            piece.reserveCapacity(Self.pieceCount)
            pieces.append(piece)
        }
        pieces[count >> Self.pieceShift].append(element)
        count += 1
    }
}

extension SlotList: Sendable where Element: Sendable {}
