import Judge
import Results
import SuiteLanguage

/// How a list of known failures changes results.
public struct KnownFailurePolicy: Sendable {
    /// The list.
    public let list: KnownFailures
    /// A sentence, with its position, for each entry that is itself a failure, in file order.
    ///
    /// An entry is one if it has expired, or if the suites have no case that it lists.
    public let findings: [String]
    /// The entries that excuse failures.
    let live: [KnownFailures.Entry]
    private let suites: [String]

    /// Compares the list with all cases of the suites, whether they are selected or not.
    ///
    /// - Parameter today: The day; an entry is valid until the end of the day on which it expires.
    public init(_ list: KnownFailures, suites: [Suite], today: CalendarDate) {
        let cases = suites.flatMap { suite in
            suite.cases.map {
                ListedCase(
                    suite: suite.id, id: $0.id,
                    checks: $0.allChecks + $0.rules.flatMap(\.checks))
            }
        }
        self.init(list, cases: cases, today: today)
    }

    /// The parts of a case that entries are compared with.
    struct ListedCase {
        let suite: String
        let id: String
        let checks: [String]
    }

    init(_ list: KnownFailures, cases: [ListedCase], today: CalendarDate) {
        self.list = list
        suites = Set(cases.map(\.suite)).sorted()
        live = list.entries.filter { $0.expires >= today && $0.expires <= today.nextYear }
        findings = list.entries.compactMap { entry in
            if entry.expires < today {
                return "\(entry.position): the known failure \(entry.label) has expired on "
                    + "\(entry.expires); look at \(entry.issue), then renew or remove it"
            }
            if entry.expires > today.nextYear {
                return "\(entry.position): the known failure \(entry.label) lasts until "
                    + "\(entry.expires); an entry may last a year at most, until \(today.nextYear)"
            }
            return Self.finding(entry, cases: cases)
        }
    }

    private static func finding(_ entry: KnownFailures.Entry, cases: [ListedCase]) -> String? {
        let selected = cases.filter { entry.pattern.names(suite: $0.suite, id: $0.id) }
        guard !selected.isEmpty else {
            if isOfOtherSuite(entry, than: Set(cases.map(\.suite)).sorted()) { return nil }
            let written = entry.pattern.description
            let names = cases.map { written.contains("/") ? "\($0.suite)/\($0.id)" : $0.id }
            let closest = Suggestion.closest(to: written, in: names)
            let advice = closest.map { "did you mean \"\($0)\"?" } ?? "remove it"
            return "\(entry.position): the known failure \(entry.label) matches no case; \(advice)"
        }
        for suite in Set(selected.map(\.suite)).sorted() where !entry.coversSuite {
            let all = cases.count { $0.suite == suite }
            guard all > 1, selected.count(where: { $0.suite == suite }) == all else { continue }
            return "\(entry.position): the known failure \(entry.label) lists every case of suite "
                + "\(suite); write wholeSuite: true if that is meant"
        }
        let checks = Set(selected.flatMap(\.checks))
        guard !checks.contains(entry.check) else { return nil }
        let closest = Suggestion.closest(to: entry.check, in: checks.sorted())
        let advice = closest.map { "did you mean \"\($0)\"?" } ?? "remove it"
        return "\(entry.position): the known failure \(entry.label) matches no case that checks "
            + "\(entry.check); \(advice)"
    }

    /// Whether an entry is about a suite that is not run.
    func isOfOtherSuite(_ entry: KnownFailures.Entry) -> Bool {
        Self.isOfOtherSuite(entry, than: suites)
    }

    /// Whether an entry names a suite that is neither one of these nor one of these misspelt.
    private static func isOfOtherSuite(
        _ entry: KnownFailures.Entry, than suites: [String]
    ) -> Bool {
        guard let suite = entry.pattern.suite else { return false }
        return !suites.contains(where: suite.matches)
            && Suggestion.closest(to: suite.description, in: suites) == nil
    }

    /// Applies the list to one execution.
    ///
    /// A listed failure becomes known. A failure that is listed with another reason stays a
    /// failure, and its text says so.
    public func judged(_ attempt: CaseResult) -> CaseResult {
        guard attempt.verdict == .fail, let reason = attempt.reason else { return attempt }
        let entries = listing(attempt)
        guard let first = entries.first else { return attempt }
        var result = attempt
        guard let entry = entries.first(where: { $0.excuses(attempt, sentence: reason.summary) })
        else {
            result.reason?.summary = reason.summary + Self.note(first)
            return result
        }
        let unlisted = attempt.failures.first { !$0.isListed(by: entries, reason.summary) }
        if let unlisted {
            result.reason?.summary = reason.summary + Self.note(entry, without: unlisted)
        } else {
            result.verdict = .known
            result.reason?.summary = Self.prefix(entry) + reason.summary
        }
        return result
    }

    /// Applies the list to the result of a case whose executions have been judged.
    ///
    /// A listed case that no longer fails is a failure of the list.
    public func concluded(_ result: CaseResult) -> CaseResult {
        let hasFailed = result.executions?.contains { $0.verdict == .fail } ?? false
        let passes = result.verdict == .pass || (result.verdict == .flaky && !hasFailed)
        guard passes, let entry = listing(result).first else { return result }
        var result = result
        result.verdict = .fail
        result.reason = Reason(
            .unexpectedPass,
            "passed although \(entry.position) lists it as a known failure "
                + "(\(entry.issue), \(entry.owner)); remove the entry")
        return result
    }

    /// Returns the valid entries that are about the case.
    func listing(_ result: CaseResult) -> [KnownFailures.Entry] {
        live.filter {
            $0.lists(suite: result.suite, id: result.id, checks: result.checks.map(\.requirement))
        }
    }
}

/// One of the failures of an execution: that of the case itself, or that of a rule.
struct ListableFailure {
    /// The rule; `nil` for the failure of the case itself.
    let rule: String?
    /// The requirements that it breaks.
    let checks: [String]

    /// Whether a list of entries about the case has one for it.
    ///
    /// The sentence of an execution does not describe each rule, so that the requirement counts.
    func isListed(by entries: [KnownFailures.Entry], _ sentence: String) -> Bool {
        entries.contains {
            checks.contains($0.check) && (rule != nil || sentence.contains($0.reason))
        }
    }
}

extension CaseResult {
    /// The failures of an execution; that of the case itself is the first.
    ///
    /// A requirement that a failed rule checks does not count as broken by the case itself.
    var failures: [ListableFailure] {
        let rules = (rules ?? []).filter { $0.verdict == .fail }
            .map { ListableFailure(rule: $0.rule, checks: $0.checks) }
        let own = checks.filter { check in
            check.verdict == .fail && !rules.contains { $0.checks.contains(check.requirement) }
        }
        let itself = ListableFailure(rule: nil, checks: own.map(\.requirement))
        return own.isEmpty ? rules : [itself] + rules
    }
}

extension KnownFailures.Entry {
    /// The pattern and the requirement, as messages name the entry.
    fileprivate var label: String { "\"\(pattern)\" of \(check)" }

    /// Whether the case failed on that requirement for the reason in the sentence.
    func excuses(_ result: CaseResult, sentence: String) -> Bool {
        result.checks.contains { $0.requirement == check && $0.verdict == .fail }
            && sentence.contains(reason)
    }
}
