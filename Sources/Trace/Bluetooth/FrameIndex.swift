/// Which frames carried which stretches of a stream that later messages may refer to.
struct FrameIndex: Sendable {
    private struct Piece: Sendable {
        let range: Range<UInt64>
        let frame: Int
    }

    /// Pieces that are remembered; beyond it the oldest are forgotten.
    private static let piecesMax = 65_536

    /// Offset of the next byte.
    private(set) var next: UInt64 = 0
    private var pieces: [Piece] = []

    /// Notes who carries the next bytes, and returns the offset of the first.
    mutating func append(_ count: Int, frame: Int) -> UInt64 {
        defer { next += UInt64(count) }
        pieces.append(Piece(range: next..<(next + UInt64(count)), frame: frame))
        if pieces.count > Self.piecesMax { pieces.removeFirst(Self.piecesMax / 4) }
        return next
    }

    /// Forgets who carried what no later message can refer to.
    mutating func forget(before offset: UInt64) {
        if let last = pieces.last, last.range.upperBound <= offset {
            pieces.removeAll(keepingCapacity: true)
        } else if let first = pieces.first, first.range.upperBound <= offset {
            pieces.removeFirst(firstPiece(endingAfter: offset))
        }
    }

    /// The frames that carried those stretches, ascending.
    func frames(of ranges: [Range<UInt64>]) -> [Int] {
        var frames: Set<Int> = []
        for range in ranges {
            var index = firstPiece(endingAfter: range.lowerBound)
            while index < pieces.count, pieces[index].range.lowerBound < range.upperBound {
                frames.insert(pieces[index].frame)
                index += 1
            }
        }
        return frames.sorted()
    }

    private func firstPiece(endingAfter offset: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
