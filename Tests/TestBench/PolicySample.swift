import Judge
import Results
import SuiteLanguage

/// Sample results for the tests of policies.
package enum PolicySample {
    /// The result of one execution that judges `R-1` and `R-2`.
    package static func result(
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
}
