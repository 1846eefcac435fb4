import Judge
import Results
import SuiteLanguage

/// The changes that a run requires in a list of known failures.
public struct KnownFailureUpdate: Sendable, Hashable {
    /// The entries that stay as they are.
    public let kept: [KnownFailures.Entry]
    /// The entries that expired, match nothing, or list a pass or another failure reason.
    public let removed: [KnownFailures.Entry]
    /// An entry for each failure of a case that is not listed by a kept entry.
    public let added: [KnownFailures.Entry]
    /// The failed cases that no entry can list, because none of their requirements failed.
    public let unlistable: [CaseReference]

    /// The text for an issue or an owner until somebody fills it in.
    static let placeholder = "to be named"

    /// Compares the list with the results of a complete run: no selection, no early end.
    ///
    /// A case that was not judged, such as a skipped one, keeps its entry.
    ///
    /// - Parameter expires: The last day of new entries.
    public init(_ policy: KnownFailurePolicy, results: [CaseResult], expires: CalendarDate) {
        let live = Set(policy.live)
        let kept = policy.list.entries.filter {
            live.contains($0) && policy.stays($0, results: results)
        }
        let removed = policy.list.entries.filter { !kept.contains($0) }
        var added: [KnownFailures.Entry] = []
        var unlistable: [CaseReference] = []
        for result in results where result.isListable {
            let sentence = policy.sentence(result)
            let listing = kept.filter { $0.lists(result) }
            let isExcused = listing.contains { $0.excuses(result, sentence: sentence) }
            let failures = result.failures.filter {
                !isExcused || !$0.isListed(by: listing, sentence)
            }
            if result.failures.isEmpty { unlistable.append(CaseReference(result)) }
            for failure in failures {
                guard let check = failure.checks.first else { continue }
                let old = removed.first {
                    $0.lists(result) && failure.isListed(by: [$0], sentence)
                        && $0.excuses(result, sentence: sentence)
                }
                added.append(
                    KnownFailures.Entry(
                        pattern: CasePattern("\(CaseReference(result))"),
                        check: old?.check ?? check,
                        reason: old?.reason ?? failure.rule.map { "rule \($0)" }
                            ?? Self.lastingText(sentence),
                        issue: old?.issue ?? Self.placeholder,
                        owner: old?.owner ?? Self.placeholder,
                        expires: expires, position: old?.position ?? result.position))
            }
        }
        self.kept = kept
        self.removed = removed
        self.added = added
        self.unlistable = unlistable
    }

    /// Returns the part of a sentence that is the same in each run.
    ///
    /// The step's number and position at its start are removed, and everything from the first time
    /// or frame on. Of a rule the name is left.
    static func lastingText(_ sentence: String) -> String {
        var text = sentence[...]
        if text.hasPrefix("rule "), let instance = text.firstRange(of: ", instance ") {
            // Which instance it is, and since when, differs from run to run.
            return String(text[..<instance.lowerBound])
        }
        if text.hasPrefix("step ") || text.hasPrefix("closing window") {
            text = text.firstRange(of: "): ").map { text[$0.upperBound...] } ?? text
        }
        for mark in ["; also rule ", " (frame", " after +"] {
            if let range = text.firstRange(of: mark) { text = text[..<range.lowerBound] }
        }
        if let time = firstTime(in: text) { text = text[..<time] }
        return text.contains { !$0.isWhitespace } ? String(text) : sentence
    }

    /// Returns the index of the first time in a text, as in `, 3.0 ms after registered`.
    private static func firstTime(in text: Substring) -> Substring.Index? {
        let words = text.split(separator: " ")
        for ((number, unit), next) in zip(zip(words, words.dropFirst()), words.dropFirst(2))
        where ["after", "before"].contains(next) && ["s", "ms"].contains(unit) {
            guard Double(number) != nil else { continue }
            let before = text[..<number.startIndex]
            return before.lastIndex { $0 != " " && $0 != "," }.map(text.index(after:))
        }
        return nil
    }
}

extension KnownFailurePolicy {
    /// Whether an entry is still correct, or there is no evidence against it.
    fileprivate func stays(_ entry: KnownFailures.Entry, results: [CaseResult]) -> Bool {
        let listed = results.filter(entry.lists)
        if listed.isEmpty, isOfOtherSuite(entry) { return true }
        guard !listed.contains(where: { $0.reason?.code == .unexpectedPass }) else { return false }
        return listed.contains { result in
            switch result.verdict {
            case .known, .fail: entry.isRight(about: result, sentence: sentence(result))
            case .pass: false
            case .none, .inconclusive, .error, .skipped, .flaky: true
            }
        }
    }

    /// Returns the sentence of a failure without the text that this list has added.
    func sentence(_ result: CaseResult) -> String {
        let text = result.reason?.summary ?? ""
        guard let entry = listing(result).first else { return text }
        if result.verdict == .known {
            let prefixes = listing(result).map(Self.prefix)
            guard let prefix = prefixes.first(where: text.hasPrefix) else { return text }
            return String(text.dropFirst(prefix.count))
        }
        let notes =
            [Self.note(entry)]
            + listing(result).flatMap { entry in
                result.failures.map { Self.note(entry, without: $0) }
            }
        guard let note = notes.first(where: text.hasSuffix) else { return text }
        return String(text.dropLast(note.count))
    }

    /// Returns the text before the sentence of a known failure.
    static func prefix(_ entry: KnownFailures.Entry) -> String {
        "known failure (\(entry.issue), \(entry.owner), until \(entry.expires)): "
    }

    /// Returns the text after the sentence of a failure beside one that is listed.
    static func note(_ entry: KnownFailures.Entry, without failure: ListableFailure) -> String {
        let what = failure.rule.map { "rule \($0)" } ?? "the case"
        return "; \(entry.position) lists \(entry.issue) alone, and \(what) fails "
            + "\(failure.checks.joined(separator: ", ")) as well"
    }

    /// Returns the text after the sentence of a failure that is listed with another reason.
    static func note(_ entry: KnownFailures.Entry) -> String {
        "; \(entry.position) lists \(entry.issue) instead, with \(entry.check) and "
            + "\"\(entry.reason)\""
    }
}

extension KnownFailures.Entry {
    fileprivate func lists(_ result: CaseResult) -> Bool {
        lists(suite: result.suite, id: result.id, checks: result.checks.map(\.requirement))
    }

    /// Whether one of the failures of a case is the one that the entry is about.
    fileprivate func isRight(about result: CaseResult, sentence: String) -> Bool {
        excuses(result, sentence: sentence)
            || result.failures.contains { $0.rule != nil && $0.isListed(by: [self], sentence) }
    }
}

extension CaseResult {
    /// Whether the result shows a failure of the device, known or not.
    fileprivate var isListable: Bool {
        verdict == .known || (verdict == .fail && reason?.code != .unexpectedPass)
    }
}
