/// A regular expression of a suite (PCRE2 syntax), compiled once and matched within limits.
///
/// Equality and hash use the source text. Matching is safe from any thread.
public struct TextPattern: Sendable, Hashable {
    /// Why a text is not a regular expression.
    public struct CompileError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The position in the pattern, in characters from its start.
        public let offset: Int
        /// The problem, in PCRE2's words.
        public let description: String
    }

    /// The result of a search.
    public enum SearchResult: Sendable, Hashable {
        case found
        case notFound
        /// A limit was reached before the search was complete.
        case limitReached
    }

    /// The limits of one search; each is far above what a sensible pattern needs.
    ///
    /// `SearchBudget` limits the time of all searches.
    public enum Limits {
        /// The number of calls of PCRE2's matching function at one place (about 10 ms).
        public static let matchCalls: UInt32 = 500_000
        /// The maximum nesting of backtracking points.
        public static let depth: UInt32 = 100_000
        /// The memory for backtracking in KiB.
        public static let heapKibibytes: UInt32 = 32_768
        /// The maximum length of a pattern in bytes.
        public static let patternBytes = 4096
    }

    /// The expression as it was written.
    public let source: String
    private let compiled: CompiledPattern
    /// The expression compiled for bytes; `nil` if it only makes sense for characters.
    private let compiledForBytes: CompiledPattern?

    /// Compiles an expression.
    ///
    /// It is matched against Unicode characters; `\C` is not allowed.
    public init(_ source: String) throws(CompileError) {
        guard source.utf8.count <= Limits.patternBytes else {
            throw CompileError(
                offset: 0, description: "the pattern is longer than \(Limits.patternBytes) bytes")
        }
        self.source = source
        self.compiled = try CompiledPattern(source)
        do throws(CompileError) {
            compiledForBytes = try CompiledPattern(source, isOfBytes: true)
        } catch {
            compiledForBytes = nil
        }
    }

    /// Whether it can be searched for in bytes.
    public var isForBytes: Bool { compiledForBytes != nil }

    /// Searches for the expression anywhere in bytes.
    ///
    /// `.` and `\xff` match one byte. A character outside ASCII matches its UTF-8 bytes.
    public func search(_ bytes: [UInt8]) -> SearchResult {
        compiledForBytes?.search(bytes) ?? .notFound
    }

    /// Searches for the expression anywhere in a text.
    public func search(_ text: String) -> SearchResult { compiled.search(text) }

    /// Searches for the expression anywhere in a text and returns the texts of its named groups.
    public func groups(in text: String) -> GroupResult {
        let bytes = Array(text.utf8)
        switch compiled.match(bytes, from: 0) {
        case .limitReached: return .limitReached
        case .notFound: return .notFound
        case .found(let ranges):
            return .found(
                groupNames.compactMap { name in
                    compiled.groupNumbers[name].flatMap { ranges[$0] }
                        .map { (name, String(decoding: bytes[$0], as: UTF8.self)) }
                })
        }
    }

    /// Returns the consecutive ranges of a UTF-8 text in which the expression is found.
    ///
    /// The search ends where a limit is reached for the first time; `end` is that place.
    public func matches(in bytes: [UInt8]) -> (ranges: [Range<Int>], end: Int?) {
        var found: [Range<Int>] = []
        var start = 0
        while start <= bytes.count {
            switch compiled.match(bytes, from: start) {
            case .limitReached: return (found, start)
            case .notFound: return (found, nil)
            case .found(let ranges):
                guard let range = ranges[0] else { return (found, nil) }
                if !range.isEmpty { found.append(range) }
                start = range.isEmpty ? range.upperBound + 1 : range.upperBound
                while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
            }
        }
        return (found, nil)
    }

    /// The names of its groups, in the order of the groups.
    public var groupNames: [String] {
        compiled.groupNumbers.sorted { $0.value < $1.value }.map(\.key)
    }

    /// The result of a search for groups.
    public enum GroupResult: Sendable {
        /// The named groups that participated in the match, in their order.
        case found([(name: String, text: String)])
        case notFound
        /// A limit was reached before the search was complete.
        case limitReached
    }

    /// Whether both have the same source text.
    public static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source == right.source
    }

    /// Hashes the source text.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension TextPattern: CustomDebugStringConvertible {
    /// The expression without details of its compilation, so that it is equal in every process.
    public var debugDescription: String { source.debugDescription }
}
