/// A pattern that selects cases: `*` matches any characters, `?` matches one.
///
/// This is the only pattern language for cases. A pattern is matched against the whole case id, one
/// with a `/` also against `suite/case`: `*x*` does not select a case because its suite has that
/// name. Brackets are plain characters, so that a printed id selects itself.
public struct CasePattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as written.
    public let description: String

    /// Creates a pattern from its text.
    public init(_ text: String) {
        description = text
    }

    /// The part of `suite/id` for the suite; `nil` if the pattern names no suite.
    public var suite: CasePattern? {
        description.firstIndex(of: "/").map { CasePattern(String(description[..<$0])) }
    }

    /// Whether the pattern selects that case, by its whole id or, without brackets, by the id that
    /// all cases of its `each` have.
    public func selects(suite: String, id: String) -> Bool {
        if names(suite: suite, id: id) { return true }
        guard !description.contains("["), let end = id.firstIndex(of: "[") else { return false }
        return names(suite: suite, id: String(id[..<end]))
    }

    /// Whether the pattern matches that case's whole id.
    public func names(suite: String, id: String) -> Bool {
        matches(id) || description.contains("/") && matches("\(suite)/\(id)")
    }

    /// Whether the pattern matches a whole text.
    public func matches(_ text: String) -> Bool {
        Self.matches(Array(description.utf8), Array(text.utf8))
    }

    /// Matches iteratively.
    ///
    /// On a mismatch only the last `*` takes one more character, so that the cost is at most the
    /// product of the two lengths.
    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (p, t) = (0, 0)
        var lastStar: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                lastStar = (p, t)
                p += 1
            } else if p < pattern.count,
                pattern[p] == text[t] || pattern[p] == UInt8(ascii: "?")
            {
                p += 1
                t += 1
            } else if let star = lastStar {
                p = star.pattern + 1
                t = star.text + 1
                lastStar = (star.pattern, t)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
