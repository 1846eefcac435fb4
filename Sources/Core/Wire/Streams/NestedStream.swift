/// One direction of a connection within another, with the positions of its bytes in the outer
/// stream.
public struct NestedStream: Sendable {
    /// What happens to the bytes.
    enum Decoding {
        /// No protocol has been recognised yet.
        case undecided
        case decoded
        /// No protocol was recognised.
        case opaque
        case ended
    }

    /// A range of the inner stream, with the outer ranges that carried it.
    private struct Piece: Sendable {
        var inner: Range<UInt64>
        /// One range of the same length, or several ranges that together contain the bytes.
        var outer: [Range<UInt64>]

        /// Returns the outer ranges of the part of the piece that is within `wanted`.
        func outer(of wanted: Range<UInt64>) -> [Range<UInt64>] {
            guard outer.count == 1, let whole = outer.first, whole.count == inner.count else {
                return outer
            }
            let part = wanted.clamped(to: inner)
            let from = whole.lowerBound + (part.lowerBound - inner.lowerBound)
            return [from..<(from + UInt64(part.count))]
        }
    }

    /// The maximum number of pieces that are kept individually; above it neighbours are merged.
    private static let piecesMax = 65_536

    var decoding = Decoding.undecided
    /// The first bytes, until a protocol is recognised.
    var held: [UInt8] = []
    /// The offset of the next byte.
    public private(set) var next: UInt64 = 0
    /// Whether its first bytes may not be the first that were sent.
    private(set) var lacksBeginning = false
    /// The pieces that a later message may refer to, ascending.
    private var pieces: [Piece] = []

    /// Creates an empty stream.
    public init() {}

    /// The outer offset of the oldest byte in the records.
    public var oldestOuter: UInt64? { pieces.first?.outer.first?.lowerBound }

    /// Records the outer ranges of the next bytes, and returns the inner offset of the first one.
    public mutating func append(_ count: Int, at outer: [Range<UInt64>]) -> UInt64 {
        defer { next += UInt64(count) }
        pieces.append(Piece(inner: next..<(next + UInt64(count)), outer: outer))
        if pieces.count > Self.piecesMax { coarsen() }
        return next
    }

    /// Skips bytes that are missing.
    mutating func skip(_ count: UInt64) {
        next += count
        lacksBeginning = true
    }

    /// Discards the positions of bytes that no later message can refer to.
    public mutating func forget(before offset: UInt64) {
        if let last = pieces.last, last.inner.upperBound <= offset {
            pieces.removeAll(keepingCapacity: true)
        } else if let first = pieces.first, first.inner.upperBound <= offset {
            pieces.removeFirst(firstPiece(endingAfter: offset))
        }
    }

    /// Returns the held bytes, piece by piece, and stops holding them.
    mutating func takeHeld() -> [(bytes: [UInt8], outer: [Range<UInt64>])] {
        let start = next - UInt64(held.count)
        let taken = pieces.compactMap { piece -> (bytes: [UInt8], outer: [Range<UInt64>])? in
            let range = piece.inner.clamped(to: start..<next)
            guard !range.isEmpty else { return nil }
            let bytes = held[Int(range.lowerBound - start)..<Int(range.upperBound - start)]
            return (Array(bytes), piece.outer(of: range))
        }
        held = []
        pieces.removeAll(keepingCapacity: true)
        return taken
    }

    /// Returns the outer ranges that contain the given inner ones, ascending, with neighbours
    /// joined.
    public func outer(of ranges: [Range<UInt64>]) -> [Range<UInt64>] {
        var found: [Range<UInt64>] = []
        for range in ranges {
            var index = firstPiece(endingAfter: range.lowerBound)
            while index < pieces.count, pieces[index].inner.lowerBound < range.upperBound {
                for outer in pieces[index].outer(of: range) { found.appendJoining(outer) }
                index += 1
            }
        }
        return found
    }

    /// Ends the stream.
    mutating func end() {
        decoding = .ended
        held = []
        pieces = []
    }

    /// Halves the number of pieces; the positions become less exact.
    private mutating func coarsen() {
        var coarse: [Piece] = []
        for index in stride(from: 0, to: pieces.count, by: 2) {
            var piece = pieces[index]
            if index + 1 < pieces.count, let first = piece.outer.first?.lowerBound,
                let last = pieces[index + 1].outer.last?.upperBound
            {
                piece.inner = piece.inner.lowerBound..<pieces[index + 1].inner.upperBound
                piece.outer = [first..<max(first, last)]
            }
            coarse.append(piece)
        }
        pieces = coarse
    }

    private func firstPiece(endingAfter offset: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].inner.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [Range<UInt64>] {
    /// Appends a range after the others, or joins it to the last one if they touch.
    mutating func appendJoining(_ range: Range<UInt64>) {
        guard let last, last.upperBound >= range.lowerBound, last.lowerBound <= range.lowerBound
        else { return append(range) }
        self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
    }
}
