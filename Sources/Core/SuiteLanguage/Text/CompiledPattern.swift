import CPCRE2
import Glibc

/// A compiled PCRE2 pattern; this is the only caller of PCRE2.
///
/// The compiled code is immutable after `init`. A search that is not over soon is begun again with
/// code that calls out at each place where a match may begin, so that its time is limited.
final class CompiledPattern: Sendable {
    nonisolated(unsafe) private let code: OpaquePointer
    /// The same pattern with a callout at its start.
    nonisolated(unsafe) private let watchedCode: OpaquePointer
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
        let watched = CompiledPattern.withCallout(bytes)
        guard
            let code = pcre2_compile_8(bytes, bytes.count, UInt32(options), &error, &offset, nil)
        else {
            let place = TextPlace(byteOffset: offset, in: bytes)
            throw TextPattern.CompileError(
                offset: place.column - 1, description: CompiledPattern.message(of: error))
        }
        guard
            let watchedCode = pcre2_compile_8(
                watched, watched.count, UInt32(options), &error, &offset, nil)
        else {
            pcre2_code_free_8(code)
            throw TextPattern.CompileError(
                offset: 0, description: CompiledPattern.message(of: error))
        }
        self.code = code
        self.watchedCode = watchedCode
        groupNumbers = CompiledPattern.groups(of: code)
    }

    deinit {
        pcre2_code_free_8(code)
        pcre2_code_free_8(watchedCode)
    }

    /// Inserts a callout before the first item of a pattern: after settings such as `(*CRLF)`.
    private static func withCallout(_ pattern: [UInt8]) -> [UInt8] {
        var start = 0
        while pattern[start...].starts(with: Array("(*".utf8)),
            let end = pattern[start...].firstIndex(of: UInt8(ascii: ")")),
            pattern[(start + 2)..<end].allSatisfy(isOfSetting)
        {
            start = end + 1
        }
        return pattern[..<start] + Array("(?C)".utf8) + pattern[start...]
    }

    private static func isOfSetting(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    func search(_ text: String) -> TextPattern.SearchResult { search(Array(text.utf8)) }

    func search(_ bytes: [UInt8]) -> TextPattern.SearchResult {
        switch match(bytes, from: 0) {
        case .found: .found
        case .notFound: .notFound
        case .limitReached: .limitReached
        }
    }

    func match(_ bytes: [UInt8], from start: Int) -> Match {
        let count = bytes.count - start
        let share = SearchBudget.share(of: count)
        let isSpent = SearchBudget.isSpent
        let began = SearchWatch.now(CLOCK_MONOTONIC)
        let calls = isSpent ? 0 : min(Self.quickCalls / max(count, 1), Self.quickCallsMax)
        let quick = match(bytes, start, calls: calls + Self.quickCallsMin, nil)
        let isQuick = SearchWatch.now(CLOCK_MONOTONIC) - began <= share
        if isQuick || isSpent, let quick { return quick }
        let limit = isSpent ? 4 * count : Int(TextPattern.Limits.matchCalls)
        var watch = SearchWatch(allowed: share + SearchBudget.rest)
        let found = match(bytes, start, calls: limit + Self.quickCallsMin, &watch)
        SearchBudget.charge(watch.elapsed - share)
        return found ?? quick ?? .limitReached
    }

    /// The calls at all places of a text that a search makes without being watched (about 20 ms).
    private static let quickCalls = 1_000_000
    private static let quickCallsMax = 10_000
    private static let quickCallsMin = 64

    /// Returns the result of a search; `nil` if it reached a limit.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - start: Where the search begins.
    ///   - calls: The number of calls that are allowed at each place.
    ///   - watch: What limits the time; `nil` without a limit.
    private func match(
        _ bytes: [UInt8], _ start: Int, calls: Int, _ watch: UnsafeMutablePointer<SearchWatch>?
    ) -> Match? {
        let code = watch == nil ? code : watchedCode
        guard let context = pcre2_match_context_create_8(nil) else { return nil }
        defer { pcre2_match_context_free_8(context) }
        guard let result = pcre2_match_data_create_from_pattern_8(code, nil) else { return nil }
        defer { pcre2_match_data_free_8(result) }
        pcre2_set_match_limit_8(context, UInt32(clamping: calls))
        pcre2_set_depth_limit_8(context, TextPattern.Limits.depth)
        pcre2_set_heap_limit_8(context, TextPattern.Limits.heapKibibytes)
        if let watch {
            _ = pcre2_set_callout_8(
                context,
                { _, watch in
                    let watch = watch?.assumingMemoryBound(to: SearchWatch.self)
                    return watch?.pointee.isOver() == true ? PCRE2_ERROR_MATCHLIMIT : 0
                }, watch)
        }
        let outcome = pcre2_match_8(code, bytes, bytes.count, start, 0, result, context)
        guard outcome > 0, let ends = pcre2_get_ovector_pointer_8(result) else {
            return outcome == PCRE2_ERROR_NOMATCH ? .notFound : nil
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
