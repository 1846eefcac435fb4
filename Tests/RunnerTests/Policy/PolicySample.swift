import Results
import Suites
import Verdicts

@testable import Runner

/// Results and lists of known failures for the tests of policies.
enum PolicySample {
    static let today = day("2026-06-15")

    static func day(_ text: String) -> CalendarDate {
        CalendarDate(text) ?? CalendarDate(WallClock.now)
    }

    /// The result of one execution that judges `R-1` and `R-2`.
    static func result(
        _ verdict: Verdict, id: String = "one", summary: String = "step 1 (s.yaml:7): no answer",
        code: ReasonCode = .sequence, check: String = "R-1", seconds: Double = 1
    ) -> CaseResult {
        let checks = ["R-1", "R-2"].map { name in
            let isBroken = verdict == .fail && name == check
            return CheckResult(
                requirement: name,
                verdict: verdict == .pass ? .pass : isBroken ? .fail : .none)
        }
        return CaseResult(
            suite: "s", id: id, title: id,
            position: SourcePosition(file: "s.yaml", line: 1, column: 1), verdict: verdict,
            reason: verdict == .pass ? nil : Reason(code, summary), checks: checks,
            seconds: seconds)
    }

    static let cases = ["one", "two", "other"].map {
        KnownFailurePolicy.ListedCase(suite: "s", id: $0, checks: ["R-1", "R-2"])
    }

    /// A file with one entry for each line of `entries`: pattern, check, reason, expiry.
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
