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

    static func policy(
        _ entries: (pattern: String, check: String, reason: String, expires: String)...
    ) throws -> KnownFailurePolicy {
        KnownFailurePolicy(
            try KnownFailures.parse(text: text(entries), file: "known.yaml"), cases: cases,
            today: today)
    }
}
