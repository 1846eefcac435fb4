import Judge
import Results
import SuiteLanguage
import TestBench
import Testing

@testable import Offline

@Suite("Rewriting the list of known failures")
struct KnownFailureUpdateTests {
    private let expires = PolicySample.day("2026-07-15")

    private func update(
        _ policy: KnownFailurePolicy, _ results: [CaseResult]
    ) -> KnownFailureUpdate {
        KnownFailureUpdate(
            policy, results: results.map { policy.concluded(policy.judged($0)) }, expires: expires)
    }

    @Test("An entry stays if its failure came again, or if its case was not judged")
    func kept() throws {
        let policy = try PolicySample.policy(
            ("one", "R-1", "no answer", "2026-12-31"), ("two", "R-1", "x", "2026-12-31"))
        let update = update(
            policy, [PolicySample.result(.fail), PolicySample.result(.inconclusive, id: "two")])
        #expect(update.kept == policy.list.entries)
        #expect(update.added.isEmpty && update.removed.isEmpty)
    }

    @Test("Entries for a pass, no case or another reason are removed; a failure gets its own")
    func replaced() throws {
        let policy = try PolicySample.policy(
            ("one", "R-1", "no answer", "2026-12-31"), ("nobody", "R-1", "x", "2026-12-31"),
            ("two", "R-1", "a wish", "2026-12-31"))
        let sentence =
            "step 4 (s.yaml:9): expected A with b C, got no b, 500 ms after step 3 (frame 10)"
        let update = update(
            policy,
            [PolicySample.result(.pass), PolicySample.result(.fail, id: "two", summary: sentence)])
        #expect(update.kept.isEmpty)
        #expect(update.removed.count == 3)
        let added = try #require(update.added.first)
        #expect(update.added.count == 1)
        #expect(added.pattern.description == "s/two")
        #expect(added.reason == "expected A with b C, got no b")
        #expect(sentence.contains(added.reason))
        #expect(added.issue == KnownFailureUpdate.placeholder)
        #expect(added.expires == expires)
    }

    @Test("A failed rule is listed by its name, not by its instance")
    func rule() {
        let text = KnownFailureUpdate.lastingText(
            "rule change-follows, instance 2, since frame 41: step 1 (a.yaml:3): nothing came")
        #expect(text == "rule change-follows")
    }

    @Test("A failure of the case and one of a rule get an entry each, and are known then")
    func two() throws {
        let failed = PolicySample.failing(rule: "once", under: "R-2")
        let added = update(
            try PolicySample.policy(("nobody", "R-1", "x", "2026-12-31")), [failed]
        ).added
        #expect(added.map(\.check) == ["R-1", "R-2"])
        #expect(added.map(\.reason) == ["no answer", "rule once"])
        let first = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        let second = update(first, [failed])
        #expect(second.kept == first.list.entries)
        #expect(second.added.map(\.check) == ["R-2"])
    }

    @Test("A failure whose entry has expired gets a new day, with the same issue and owner")
    func renewed() throws {
        let policy = try PolicySample.policy(("o*", "R-1", "no answer", "2026-01-01"))
        let update = update(policy, [PolicySample.result(.fail)])
        #expect(update.removed.count == 1)
        #expect(update.added.map(\.issue) == ["issue-9"])
        #expect(update.added.map(\.reason) == ["no answer"])
    }

    @Test("A pattern of which one case passes is replaced by entries for those that fail")
    func narrowed() throws {
        let policy = try PolicySample.policy(("*", "R-1", "no answer", "2026-12-31"))
        let update = update(
            policy,
            [
                PolicySample.result(.fail), PolicySample.result(.fail, id: "two"),
                PolicySample.result(.pass, id: "other"),
            ])
        #expect(update.kept.isEmpty)
        #expect(update.added.map(\.pattern.description) == ["s/one", "s/two"])
        #expect(update.added.map(\.reason) == ["no answer", "no answer"])
    }

    @Test("A failure without a requirement cannot be listed, and is reported")
    func unlistable() throws {
        let policy = try PolicySample.policy(("nobody", "R-1", "x", "2026-12-31"))
        let update = update(policy, [PolicySample.result(.fail, check: "R-3")])
        #expect(update.added.isEmpty)
        #expect(update.unlistable == [CaseReference(suite: "s", id: "one")])
    }

    @Test("A rewritten list makes the same results known")
    func settles() throws {
        let policy = try PolicySample.policy(("two", "R-1", "x", "2026-12-31"))
        let failure = PolicySample.result(.fail, summary: "got \"a\\b\" # {x}: \u{7} at +1s")
        let text = try #require(
            update(policy, [failure]).edited(
                PolicySample.text([("two", "R-1", "x", "2026-12-31")]), file: "known.yaml"))
        let rewritten = KnownFailurePolicy(
            try KnownFailures.parse(text: text, file: "known.yaml"), cases: PolicySample.cases,
            today: PolicySample.today)
        #expect(rewritten.judged(failure).verdict == .known)
        #expect(rewritten.findings.isEmpty)
    }

    private let commented = """
        # head
        conform-known-failures: 1
        entries: # here
          # about one
          - case: one
            check: R-1 # why
            reason: no answer
            issue: issue-9
            owner: anna
            expires: 2026-12-31

          # about two
          - {case: two, check: R-1, reason: x, issue: i-1, owner: o, expires: 2026-12-31}

        # tail

        """

    private func edited(_ results: [CaseResult], text: String) throws -> String? {
        let policy = KnownFailurePolicy(
            try KnownFailures.parse(text: text, file: "k"), cases: PolicySample.cases,
            today: PolicySample.today)
        return update(policy, results).edited(text, file: "k")
    }

    @Test("Comments stay; the comment above an entry is removed with it")
    func comments() throws {
        let text = try #require(
            try edited(
                [PolicySample.result(.fail), PolicySample.result(.pass, id: "two")], text: commented
            ))
        #expect(text.contains("# head\n") && text.contains("# about one\n"))
        #expect(text.contains("# why\n") && text.contains("# tail\n"))
        #expect(!text.contains("about two"))
    }

    @Test("A list can become empty and be filled again")
    func emptied() throws {
        let empty = try #require(
            try edited(
                [PolicySample.result(.pass), PolicySample.result(.pass, id: "two")], text: commented
            ))
        #expect(empty.contains("entries: []\n"))
        let filled = try #require(try edited([PolicySample.result(.fail)], text: empty))
        #expect(filled.contains("case: \"s/one\"") && filled.contains("# tail"))
    }

    @Test("A form that cannot be edited line by line is written as a whole")
    func writtenAnew() throws {
        let text = "{conform-known-failures: 1, entries: []} # all in one line\n"
        #expect(try edited([PolicySample.result(.fail)], text: text) == nil)
        let policy = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        let whole = KnownFailures.text(policy.list.entries)
        let back = try KnownFailures.parse(text: whole, file: "known.yaml")
        #expect(back == policy.list)
        #expect(try KnownFailures.parse(text: KnownFailures.text([]), file: "k").entries.isEmpty)
    }
}
