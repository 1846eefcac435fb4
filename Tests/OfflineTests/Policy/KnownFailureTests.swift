import Foundation
import Judge
import Results
import SuiteLanguage
import TestBench
import Testing
import Trace
import Wire

@testable import Offline

@Suite("Lists of known failures")
struct KnownFailureLoadingTests {
    @Test("A list is read with the place of each entry")
    func read() throws {
        let text = PolicySample.text([("s/o*", "R-1", "no answer", "2026-12-31")])
        let list = try KnownFailures.parse(text: text, file: "known.yaml")
        let entry = try #require(list.entries.first)
        #expect(list.entries.count == 1)
        #expect(entry.pattern == CasePattern("s/o*"))
        #expect([entry.check, entry.reason, entry.issue] == ["R-1", "no answer", "issue-9"])
        #expect([entry.owner, entry.expires.description] == ["anna", "2026-12-31"])
        #expect(entry.position.line == 3)
    }

    @Test(
        "A mistake is reported with its place and what to do",
        arguments: [
            (
                "owner: anna", "ownr: anna", "known.yaml:7:5: error: unknown key \"ownr\"",
                "\"owner\""
            ),
            ("issue: issue-9", "issue: 12", "known.yaml:6:12: error: ", "put it in quotes"),
            ("issue: issue-9", "issue: later", "known.yaml:6:12: error: ", "a tracker gives"),
            ("2026-12-31", "2026-02-29", "known.yaml:8:14: error: ", "YYYY-MM-DD"),
            ("2026-12-31", "31.12.2026", "known.yaml:8:14: error: ", "YYYY-MM-DD"),
            ("    reason: no answer\n", "", "known.yaml:3:5: error: ", "\"reason\""),
            ("reason: no answer", "reason: \" \"", "known.yaml:5:13: error: ", "blank"),
            ("failures: 1", "failures: 2", "known.yaml:1:25: error: ", "reads version 1"),
            ("conform-known-failures: 1", "entrie: 1", "known.yaml:1:1: error: ", "\"conform-"),
        ])
    func broken(good: String, bad: String, place: String, advice: String) throws {
        let text = PolicySample.text([("one", "R-1", "no answer", "2026-12-31")])
        let broken = text.replacing(good, with: bad)
        try #require(broken != text)
        let error = try #require(throws: InvalidInput.self) {
            try KnownFailures.parse(text: broken, file: "known.yaml")
        }
        #expect(error.description.contains(place), "\(error)")
        #expect(error.description.contains(advice), "\(error)")
    }

    @Test("An entry lasts a year at most, and lists a whole suite only if it says so")
    func bounds() throws {
        func findings(_ pattern: String, _ expires: String, _ more: String = "") throws -> [String]
        {
            let text = PolicySample.text([(pattern, "R-1", "no answer", expires)]) + more
            return KnownFailurePolicy(
                try KnownFailures.parse(text: text, file: "known.yaml"), cases: PolicySample.cases,
                today: PolicySample.today
            ).findings
        }
        #expect(try findings("one", "2027-06-15") == [])
        #expect(try findings("one", "2027-06-16").first?.contains("a year at most") == true)
        #expect(try findings("o*", "2027-06-15") == [])
        #expect(try findings("*", "2027-06-15").first?.contains("wholeSuite: true") == true)
        #expect(try findings("*", "2027-06-15", "    wholeSuite: true\n") == [])
        #expect(PolicySample.day("2028-02-29").nextYear == PolicySample.day("2029-02-28"))
    }

    @Test("An entry of a suite that is not run is not a finding, one of a misspelt suite is")
    func otherSuites() throws {
        let cases = PolicySample.cases.map {
            KnownFailurePolicy.ListedCase(suite: "backoff", id: $0.id, checks: $0.checks)
        }
        func findings(_ pattern: String) throws -> [String] {
            let text = PolicySample.text([(pattern, "R-1", "no answer", "2026-12-31")])
            return KnownFailurePolicy(
                try KnownFailures.parse(text: text, file: "known.yaml"), cases: cases,
                today: PolicySample.today
            ).findings
        }
        #expect(try findings("languages/one") == [])
        #expect(try findings("backoff/one") == [])
        #expect(try findings("bakcoff/one").count == 1)
        #expect(try findings("backoff/none").count == 1)
        #expect(try findings("none").count == 1)
    }

    private static let page =
        URL(filePath: #filePath).resolvingSymlinksInPath().path
        .components(separatedBy: "/Tests/OfflineTests/")[0] + "/Documentation/known-failures.md"

    @Test(
        "The example of the documentation is a list",
        .enabled(if: FileSystem.read(page) != nil, "no Documentation folder"))
    func documentation() throws {
        let page = String(decoding: try #require(FileSystem.read(Self.page)), as: UTF8.self)
        let start = try #require(page.range(of: "```yaml\n"))
        let end = try #require(page.range(of: "\n```\n", range: start.upperBound..<page.endIndex))
        let text = String(page[start.upperBound..<end.lowerBound])
        #expect(try KnownFailures.parse(text: text, file: "known.yaml").entries.count == 1)
    }

    @Test("Days are valid dates of the calendar, in order")
    func days() {
        #expect(CalendarDate("2024-02-29") != nil)
        for text in ["2023-02-29", "2100-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "x"] {
            #expect(CalendarDate(text) == nil, "\(text)")
        }
        #expect(PolicySample.day("2026-09-30") < PolicySample.day("2026-10-01"))
        let moment = Timestamp(nanoseconds: 1_767_225_599_999_999_999)
        #expect(CalendarDate(moment).description == "2025-12-31")
    }
}

@Suite("The effect of a list of known failures on results")
struct KnownFailurePolicyTests {
    @Test("A failure with the listed check and reason is known, and names the issue")
    func known() throws {
        let policy = try PolicySample.policy(("o*", "R-1", "no answer", "2026-12-31"))
        let judged = policy.judged(PolicySample.result(.fail))
        #expect(judged.verdict == .known)
        #expect(
            judged.reason?.summary
                == "known failure (issue-9, anna, until 2026-12-31): step 1 (s.yaml:7): no answer")
        #expect(judged.checks == PolicySample.result(.fail).checks)
        #expect(policy.concluded(judged) == judged)
        #expect(policy.findings.isEmpty)
    }

    @Test(
        "A failure for another reason or on another check stays a failure, and says so",
        arguments: [("wrong answer", "R-1"), ("no answer", "R-2")])
    func differs(summary: String, check: String) throws {
        let policy = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        let judged = policy.judged(PolicySample.result(.fail, summary: summary, check: check))
        #expect(judged.verdict == .fail)
        #expect(
            judged.reason?.summary == summary
                + "; known.yaml:3:5 lists issue-9 instead, with R-1 and \"no answer\"")
    }

    @Test("If a case has several entries, any of them may fit")
    func several() throws {
        let policy = try PolicySample.policy(
            ("one", "R-1", "wrong", "2026-12-31"), ("*", "R-1", "no answer", "2026-12-31"))
        #expect(policy.judged(PolicySample.result(.fail)).verdict == .known)
    }

    @Test(
        "A failure under another requirement beside a listed one is not known",
        arguments: [("R-1", Verdict.known), ("R-2", .fail)])
    func second(check: String, verdict: Verdict) throws {
        let policy = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        #expect(policy.judged(PolicySample.failing(rule: "once", under: check)).verdict == verdict)
    }

    @Test("Each failure of a case can be listed")
    func both() throws {
        let policy = try PolicySample.policy(
            ("one", "R-1", "no answer", "2026-12-31"), ("one", "R-2", "rule once", "2026-12-31"))
        #expect(policy.judged(PolicySample.failing(rule: "once", under: "R-2")).verdict == .known)
    }

    @Test("An entry for a rule does not excuse the case itself")
    func ruleAlone() throws {
        let policy = try PolicySample.policy(("one", "R-2", "rule once", "2026-12-31"))
        let judged = policy.judged(PolicySample.failing(rule: "once", under: "R-2"))
        #expect(judged.verdict == .fail)
        #expect(judged.reason?.summary.contains("R-1") == true)
    }

    @Test("A listed case that passes is a failure of the list")
    func unexpectedPass() throws {
        let policy = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        let pass = PolicySample.result(.pass)
        #expect(policy.judged(pass) == pass)
        let concluded = policy.concluded(pass)
        #expect(concluded.verdict == .fail)
        #expect(concluded.reason?.code == .unexpectedPass)
        #expect(concluded.reason?.summary.contains("known.yaml:3:5") == true)
        let other = PolicySample.result(.pass, id: "two")
        #expect(policy.concluded(other) == other)
    }

    @Test("A result that is no judgement is neither known nor an unexpected pass")
    func unjudged() throws {
        let policy = try PolicySample.policy(("one", "R-1", "no", "2026-12-31"))
        for verdict in [Verdict.inconclusive, .error, .skipped, .none] {
            let result = PolicySample.result(verdict)
            #expect(policy.concluded(policy.judged(result)) == result)
        }
    }

    @Test("A retry that passes does not excuse a listed case that was only inconclusive before")
    func flakyPass() throws {
        let policy = try PolicySample.policy(("one", "R-1", "no answer", "2026-12-31"))
        func retried(_ first: CaseResult) -> CaseResult {
            var result = first
            result.verdict = .flaky
            result.executions = [first, PolicySample.result(.pass)].map { Execution($0) }
            return result
        }
        let lost = policy.concluded(retried(PolicySample.result(.inconclusive)))
        #expect(lost.reason?.code == .unexpectedPass)
        let failed = policy.concluded(retried(PolicySample.result(.fail, summary: "else")))
        #expect(failed.verdict == .flaky)
    }

    @Test("An entry is valid on its last day, then excuses nothing and is a finding")
    func expiry() throws {
        let last = try PolicySample.policy(("one", "R-1", "no answer", "2026-06-15"))
        #expect(last.findings.isEmpty)
        #expect(last.judged(PolicySample.result(.fail)).verdict == .known)
        let expired = try PolicySample.policy(("one", "R-1", "no answer", "2026-06-14"))
        #expect(expired.judged(PolicySample.result(.fail)) == PolicySample.result(.fail))
        #expect(expired.concluded(PolicySample.result(.pass)).verdict == .pass)
        #expect(expired.findings.count == 1)
        #expect(expired.findings.first?.contains("known.yaml:3:5: ") == true)
        #expect(expired.findings.first?.contains("has expired on 2026-06-14") == true)
    }

    @Test(
        "An entry that matches no case is a finding with a suggestion",
        arguments: [
            ("othr", "R-1", "did you mean \"other\"?"), ("s/othr", "R-1", "\"s/other\"?"),
            ("one", "R-11", "did you mean \"R-1\"?"), ("nothing-alike", "R-1", "remove it"),
        ])
    func matchesNothing(pattern: String, check: String, advice: String) throws {
        let policy = try PolicySample.policy((pattern, check, "no answer", "2026-12-31"))
        #expect(policy.findings.count == 1)
        #expect(policy.findings.first?.hasSuffix(advice) == true, "\(policy.findings)")
    }

    @Test("A finding fails a run in which every case passed")
    func findingFailsTheRun() {
        let pass = Audit(planned: [], results: [])
        #expect(ExitStatus(audit: pass, staleEntries: 1) == .notConformant)
        #expect(ExitStatus(audit: pass) == .nothingExecuted)
        #expect(
            ExitStatus(audit: pass, interruption: .interrupt, staleEntries: 1) == .interrupted)
    }
}
