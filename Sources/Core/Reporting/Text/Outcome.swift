import Results

/// The outcome of a run in words, the same in every report.
enum Outcome {
    /// Returns, for example, `not conformant: 2 failed of 12 planned cases (exit 1)`.
    static func sentence(_ run: RunResult, _ audit: Audit) -> String {
        guard let exit = run.exit else { return "unfinished: \(why(run, audit))" }
        let tooFew = exit == .nothingExecuted && audit.judged.total > 0
        let word = tooFew ? "too few passed" : exit.word
        return "\(word): \(why(run, audit)) (exit \(exit.rawValue))"
    }

    private static func why(_ run: RunResult, _ audit: Audit) -> String {
        let judged = audit.judged
        let planned =
            NumberText.count(audit.planned, "planned case")
            + (audit.shard.map { " of shard \($0.index)/\($0.total)" } ?? "")
        return switch run.exit {
        case .conformant where audit.skippedTotal > 0 || judged.known > 0 || judged.flaky > 0:
            "\(judged.pass + judged.flaky) passed, \(audit.skippedTotal) not applicable,"
                + " \(judged.known) known to fail, of \(planned)"
                + (judged.flaky > 0 ? "; \(judged.flaky) of them flaky" : "")
        case .conformant where audit.planned == 1: "the planned case passed"
        case .conformant: "all \(planned) passed"
        case .notConformant where judged.fail == 0 && !run.staleEntries.isEmpty:
            "entries of the list of known failures that expired or match no case:"
                + " \(run.staleEntries.count); none failed of \(planned)"
        case .notConformant where judged.fail == 0: "\(judged.flaky) flaky of \(planned)"
        case .notConformant: "\(judged.fail) failed of \(planned)"
        case .couldNotJudge where judged.error + judged.inconclusive > 0:
            "\(judged.error) with an error and \(judged.inconclusive) inconclusive of \(planned)"
        case .interrupted, .terminated: "\(audit.notRun) not run of \(planned)"
        case .nothingExecuted:
            "\(judged.passed) passed of \(planned),"
                + " at least \(max(1, run.header.minimum)) required"
        case nil: "\(audit.notRun) not run yet of \(planned)"
        default: IncompleteRun.sentence(run, audit) ?? "of \(planned)"
        }
    }

    /// Returns the command to run next.
    static func next(_ run: RunResult) -> String {
        let header = run.header
        let isCheck = header.command.dropFirst().first == "check"
        let order: [Verdict] = [.fail, .error, .inconclusive, .flaky]
        let cases = run.casesInPlanOrder
        for verdict in order {
            guard let result = cases.first(where: { $0.verdict == verdict }) else { continue }
            if let command = result.reproduce { return command }
            if isCheck { return explain(result) }
        }
        switch run.exit {
        case .conformant: return afterSuccess(run)
        case .nothingExecuted where !header.suites.isEmpty:
            return words(["conform", "list"] + header.suites.map(\.file))
        default: return words(header.command)
        }
    }

    /// Returns the command to run after success: judge the captures again, or open the report.
    private static func afterSuccess(_ run: RunResult) -> String {
        let header = run.header
        guard !header.folder.isEmpty else {
            return words(header.command + ["--reports", "Reports/check"])
        }
        guard header.command.dropFirst().first == "run",
            let suite = header.suites.first(where: { suite in
                run.cases.contains { $0.suite == suite.id && $0.capture != nil }
            })
        else { return words(["conform", "report", "open", header.folder]) }
        // The shell expands the asterisk only if it is not quoted.
        let captures = ShellWord.quoted("\(header.folder)/captures/\(suite.id).")
        return "conform check \(ShellWord.quoted(suite.file)) \(captures)*.pcapng"
    }

    /// Returns the command that explains a case of a checked capture.
    private static func explain(_ result: CaseResult) -> String {
        guard result.subject?.testCase != CaseSubject.noCase else {
            return words(["conform", "list", result.position.file])
        }
        return words([
            "conform", "explain", result.position.file, result.subject?.testCase ?? result.id,
        ])
    }

    private static func words(_ words: [String]) -> String {
        words.map(ShellWord.quoted).joined(separator: " ")
    }
}

extension RunResult {
    /// The entries of the list of known failures that fail the run themselves, a sentence each.
    var staleEntries: [String] { header.knownFindings ?? [] }
}
