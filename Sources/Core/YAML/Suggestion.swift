/// Finds the intended name for a name that does not exist.
public enum Suggestion {
    /// The maximum number of names that are listed.
    private static let longestList = 12
    /// The maximum length of names that are compared.
    private static let longestName = 120

    /// Returns the candidate with the smallest edit distance, if it is small enough for a typing
    /// error.
    ///
    /// The maximum is a third of the characters, and 3. A difference in case alone has distance 0.
    /// Of candidates at the same distance the first one is returned.
    public static func closest(
        to name: String, in candidates: some Sequence<String>
    ) -> String? {
        let written = Array(name.lowercased().utf8)
        guard !written.isEmpty, written.count <= longestName else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate != name {
            let other = Array(candidate.lowercased().utf8)
            let most = min(3, max(1, max(written.count, other.count) / 3))
            let limit = min(most, best.map { $0.distance - 1 } ?? most)
            guard limit >= 0, abs(other.count - written.count) <= limit else { continue }
            let distance = editDistance(written, other)
            if distance <= limit { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Returns `did you mean "x"?` with the candidate that begins with the name, the closest one, or
    /// those that are the name after a prefix.
    ///
    /// Otherwise it lists all candidates if they are few, and nothing if they are many.
    public static func advice(
        for name: String, in candidates: some Collection<String>
    ) -> String {
        let begun = candidates.filter { $0.lowercased().hasPrefix(name.lowercased()) }
        if name.count > 3, begun.count == 1 { return "did you mean \"\(begun.joined())\"?" }
        if let closest = closest(to: name, in: candidates) {
            return "did you mean \"\(closest)\"?"
        }
        let tail = "." + name.lowercased()
        let whole = candidates.filter { $0.lowercased().hasSuffix(tail) }
        if !name.isEmpty, (1...3).contains(whole.count) {
            return "did you mean \(whole.map { "\"\($0)\"" }.joined(separator: " or "))?"
        }
        guard !candidates.isEmpty, candidates.count <= longestList else { return "" }
        if candidates.count == 1 { return "the only one is \(candidates.joined())" }
        return "there are: \(candidates.joined(separator: ", "))"
    }

    /// Returns the same advice, but lists some candidates even if there are many.
    ///
    /// It lists the candidates that are `beside` the written name, or else all, up to the limit,
    /// and the command that lists everything.
    public static func advice(
        for name: String, in candidates: [String], beside: (String) -> Bool, lookUp command: String?
    ) -> String {
        let advice = advice(for: name, in: candidates)
        guard advice.isEmpty, !candidates.isEmpty else { return advice }
        let neighbours = candidates.filter(beside)
        let listed = neighbours.isEmpty ? candidates : neighbours
        let more = listed.count - longestList
        return "there are: \(listed.prefix(longestList).joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
            + (command.map { "; \($0) lists all" } ?? "")
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn
    /// one text into the other.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
