import Results
import SuiteLanguage
import TestBench
import Trace

@testable import Offline

/// Lists of known failures for the tests of policies.
extension PolicySample {
    static let today = day("2026-06-15")

    static func day(_ text: String) -> CalendarDate {
        CalendarDate(text) ?? CalendarDate(WallClock.now)
    }

    static let cases = ["one", "two", "other"].map {
        KnownFailurePolicy.ListedCase(suite: "s", id: $0, checks: ["R-1", "R-2"])
    }

    /// Returns a file with one entry for each of `entries`: pattern, check, reason, expiry.
    static func text(
        _ entries: [(pattern: String, check: String, reason: String, expires: String)]
    ) -> String {
        "conform-known-failures: 1\nentries:\n"
            + entries.map {
                "  - case: \"\($0.pattern)\"\n    check: \($0.check)\n"
                    + "    reason: \($0.reason)\n    issue: issue-9\n    owner: anna\n"
                    + "    expires: \($0.expires)\n"
            }.joined()
    }

    /// Returns a case that fails under `R-1` by itself, and by a rule under another requirement.
    static func failing(rule: String, under check: String) -> CaseResult {
        var result = result(
            .fail,
            summary: "step 1 (s.yaml:7): no answer; also rule \(rule), instance 1, since frame 7: x"
        )
        if check != "R-1" {
            result.checks = result.checks.map {
                $0.requirement == check
                    ? CheckResult(requirement: check, verdict: .fail) : $0
            }
        }
        result.rules = [
            RuleResult(
                rule: rule, checks: [check], verdict: .fail, exercised: 1, failed: 1, open: 0)
        ]
        return result
    }

    static func policy(
        _ entries: (pattern: String, check: String, reason: String, expires: String)...
    ) throws -> KnownFailurePolicy {
        KnownFailurePolicy(
            try KnownFailures.parse(text: text(entries), file: "known.yaml"), cases: cases,
            today: today)
    }
}
