import CPCRE2

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
    public enum Limits {
        /// The number of calls of PCRE2's matching function (about 10 ms).
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

/// A compiled PCRE2 pattern; this is the only caller of PCRE2.
///
/// The compiled code is immutable after `init`.
private final class CompiledPattern: Sendable {
    nonisolated(unsafe) private let code: OpaquePointer
    /// The named groups with their numbers.
    let groupNumbers: [String: Int]

    /// The result of a match: the range of the whole match and of each participating group.
    enum Match {
        case found([Range<Int>?])
        case notFound
        case limitReached
    }

    init(_ source: String, isOfBytes: Bool = false) throws(TextPattern.CompileError) {
        var error: Int32 = 0
        var offset = 0
        let options =
            isOfBytes
            ? PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF : PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        let bytes = Array(source.utf8)
        guard
            let code = pcre2_compile_8(bytes, bytes.count, UInt32(options), &error, &offset, nil)
        else {
            let place = TextPlace(byteOffset: offset, in: bytes)
            throw TextPattern.CompileError(
                offset: place.column - 1, description: CompiledPattern.message(of: error))
        }
        self.code = code
        groupNumbers = CompiledPattern.groups(of: code)
    }

    deinit { pcre2_code_free_8(code) }

    func search(_ text: String) -> TextPattern.SearchResult { search(Array(text.utf8)) }

    func search(_ bytes: [UInt8]) -> TextPattern.SearchResult {
        switch match(bytes, from: 0) {
        case .found: .found
        case .notFound: .notFound
        case .limitReached: .limitReached
        }
    }

    func match(_ bytes: [UInt8], from start: Int) -> Match {
        guard let context = pcre2_match_context_create_8(nil) else { return .limitReached }
        defer { pcre2_match_context_free_8(context) }
        guard let result = pcre2_match_data_create_from_pattern_8(code, nil) else {
            return .limitReached
        }
        defer { pcre2_match_data_free_8(result) }
        pcre2_set_match_limit_8(context, TextPattern.Limits.matchCalls)
        pcre2_set_depth_limit_8(context, TextPattern.Limits.depth)
        pcre2_set_heap_limit_8(context, TextPattern.Limits.heapKibibytes)
        let outcome = pcre2_match_8(code, bytes, bytes.count, start, 0, result, context)
        guard outcome > 0, let ends = pcre2_get_ovector_pointer_8(result) else {
            return outcome == PCRE2_ERROR_NOMATCH ? .notFound : .limitReached
        }
        let count = Int(pcre2_get_ovector_count_8(result))
        return .found(
            (0..<count).map { group in
                let (lower, upper) = (ends[2 * group], ends[2 * group + 1])
                // Groups that did not participate are unset. `\K` can place the start after the
                // end.
                return group < Int(outcome) && lower <= upper && upper <= bytes.count
                    ? lower..<upper : nil
            })
    }

    /// Returns the names in a pattern's table: each entry is the group's number and the name.
    private static func groups(of code: OpaquePointer) -> [String: Int] {
        var count: UInt32 = 0
        var size: UInt32 = 0
        var table: UnsafePointer<UInt8>?
        guard pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count) == 0,
            pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size) == 0,
            pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table) == 0, let table
        else { return [:] }
        var groups: [String: Int] = [:]
        for index in 0..<Int(count) {
            let entry = table + index * Int(size)
            groups[String(cString: entry + 2)] = Int(entry[0]) << 8 | Int(entry[1])
        }
        return groups
    }

    private static func message(of code: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(code, &text, text.count)
        guard count > 0 else { return "error \(code)" }
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}

extension TextPattern: CustomDebugStringConvertible {
    /// The expression without details of its compilation, so that it is equal in every process.
    public var debugDescription: String { source.debugDescription }
}
