import Results

/// The audit in words; the same in every report.
enum AuditText {
    /// Returns the audit as one line.
    ///
    /// `12 planned = 9 judged (8 pass, 1 fail) + 1 error + 1 skipped + 1 not run; 23 checks, 57
    /// steps`. Cases that ended without a conclusion are not counted as judged.
    static func line(_ audit: Audit) -> String {
        let open: Set<Verdict> = [.error, .inconclusive]
        let kinds = kinds(audit.judged)
        let words = kinds.filter { !open.contains($0.verdict) }
            .map { "\($0.count) \($0.verdict.rawValue)" }
        let unjudged = kinds.filter { open.contains($0.verdict) }
        let count = audit.judged.total - unjudged.reduce(0) { $0 + $1.count }
        let judged =
            "\(count) judged" + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
            + unjudged.map { " + \($0.count) \($0.verdict.rawValue)" }.joined()
        let steps = audit.cases.reduce(0) { $0 + $1.steps }
        return "\(audit.planned) planned = \(judged) + \(audit.skippedTotal) skipped"
            + " + \(audit.notRun) not run; \(NumberText.count(audit.checks, "check")),"
            + " \(NumberText.count(steps, "step"))" + (shard(audit).map { "; " + $0 } ?? "")
    }

    /// Returns `shard 1/3 of a plan of 36 cases, 24 of them in the other shards`; `nil` for a whole
    /// plan.
    static func shard(_ audit: Audit) -> String? {
        audit.shard.map { shard in
            "shard \(shard.index)/\(shard.total) of a plan of "
                + NumberText.count(audit.planned + shard.elsewhere, "case")
                + ", \(shard.elsewhere) of them in the other shards"
        }
    }

    /// Returns the verdicts that occur, the most severe first.
    static func kinds(_ judged: Audit.Judged) -> [(verdict: Verdict, count: Int)] {
        let all: [(verdict: Verdict, count: Int)] = [
            (.fail, judged.fail), (.error, judged.error), (.inconclusive, judged.inconclusive),
            (.flaky, judged.flaky), (.known, judged.known), (.pass, judged.pass),
        ]
        return all.filter { $0.count > 0 }
    }
}

/// The reason why a run as a whole is incomplete or not reliable.
enum IncompleteRun {
    /// Returns the reason in one sentence; `nil` for a complete run.
    static func sentence(_ run: RunResult, _ audit: Audit) -> String? {
        if !audit.discrepancies.isEmpty {
            let more = audit.discrepancies.count - 1
            let rest = more > 0 ? " (and \(more) more)" : ""
            return "plan and results disagree: \(PlainText.line(audit.discrepancies[0]))\(rest)"
        }
        let left = "\(NumberText.count(audit.notRun, "case")) not run"
        return switch run.exit {
        case nil: "the run is not finished: \(left)"
        case .interrupted, .terminated: "the run was \(run.exit?.word ?? ""): \(left)"
        case .nothingExecuted:
            (audit.judged.total > 0 ? "too few passed" : "nothing executed")
                + ": \(audit.judged.passed) passed, at least"
                + " \(max(1, run.header.minimum)) required"
        case .reportFailed: "a report could not be written"
        case .invalid: "the input is invalid, nothing was run"
        default: audit.notRun > 0 ? "the run stopped early: \(left)" : nil
        }
    }
}
