import Results

/// The outcome of a run in words, the same in every report.
enum Outcome {
    /// `not conformant: 2 of 12 cases failed (exit 1)`.
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
            "of the list of known failures \(run.staleEntries.count) expired or without a case,"
                + " of \(planned) none failed"
        case .notConformant where judged.fail == 0: "\(judged.flaky) flaky of \(planned)"
        case .notConformant: "\(judged.fail) failed of \(planned)"
        case .couldNotJudge where judged.error + judged.inconclusive > 0:
            "\(judged.error) with an error and \(judged.inconclusive) inconclusive of \(planned)"
        case .interrupted, .terminated: "\(audit.notRun) not run of \(planned)"
        case .nothingExecuted:
            "\(judged.passed) passed of \(planned),"
                + " at least \(max(1, run.header.minimum)) demanded"
        case nil: "\(audit.notRun) not run yet of \(planned)"
        default: IncompleteRun.sentence(run, audit) ?? "of \(planned)"
        }
    }

    /// The one command to run next.
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

    /// What to look at when all is well: the captures judged again, or the report.
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
        // The shell finds the files only if the star is not quoted.
        let captures = ShellWord.quoted("\(header.folder)/captures/\(suite.id).")
        return "conform check \(ShellWord.quoted(suite.file)) \(captures)*.pcapng"
    }

    /// The command that tells what a case of a checked capture demands.
    private static func explain(_ result: CaseResult) -> String {
        words([
            "conform", "explain", result.position.file, result.subject?.testCase ?? result.id,
        ])
    }

    private static func words(_ words: [String]) -> String {
        words.map(ShellWord.quoted).joined(separator: " ")
    }
}

extension RunResult {
    /// The entries of the list of known failures that are failures themselves, a sentence each.
    var staleEntries: [String] { header.knownFindings ?? [] }
}
