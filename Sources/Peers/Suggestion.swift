/// Did-you-mean: the name that was probably meant.
enum Suggestion {
    /// Advice for a name that is none of `known`: the nearest one, or the list if it is short.
    static func advice(for name: String, among known: [String]) -> String {
        if let nearest = nearest(to: name, among: known) { return "did you mean \"\(nearest)\"?" }
        guard !known.isEmpty, known.count <= listLimit else { return "" }
        return "there are \(known.joined(separator: ", "))"
    }

    /// Longest list that is still an answer.
    private static let listLimit = 12

    /// The name with the fewest edits, if they are at most a third of its length.
    static func nearest(to name: String, among known: [String]) -> String? {
        let letters = Array(name.lowercased().utf8)
        let ranked = known.map { ($0, distance(letters, Array($0.lowercased().utf8))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.utf8.count / 3)
        else { return nil }
        return best.0
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1], current[column]) + 1
                best = min(best, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
