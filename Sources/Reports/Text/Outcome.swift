import Runner
import Verdicts

/// The outcome of a run in words, the same in every report.
enum Outcome {
    /// `not conformant: 2 of 12 cases failed (exit 1)`.
    static func sentence(_ run: RunResult, _ audit: Audit) -> String {
        guard let exit = run.exit else { return "unfinished: \(why(run, audit))" }
        let tooFew = exit == .nothingExecuted && audit.judged.total > 0
        let word = tooFew ? "too few executed" : exit.word
        return "\(word): \(why(run, audit)) (exit \(exit.rawValue))"
    }

    private static func why(_ run: RunResult, _ audit: Audit) -> String {
        let judged = audit.judged
        let planned = NumberText.count(audit.planned, "planned case")
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
            "\(audit.judged.total) judged of \(planned),"
                + " at least \(max(1, run.header.minimum)) demanded"
        case nil: "\(audit.notRun) not run yet of \(planned)"
        default: IncompleteRun.sentence(run, audit) ?? "of \(planned)"
        }
    }

    /// The one command to run next.
    static func next(_ run: RunResult) -> String? {
        let order: [Verdict] = [.fail, .error, .inconclusive, .flaky]
        for verdict in order {
            let cases = run.casesInPlanOrder
            if let command = cases.first(where: { $0.verdict == verdict })?.reproduce {
                return command
            }
        }
        switch run.exit {
        case .conformant:
            guard let suite = run.header.suites.first,
                !run.header.folder.isEmpty, run.header.command.dropFirst().first != "check",
                run.cases.contains(where: { $0.suite == suite.id && $0.capture != nil })
            else { return nil }
            return "conform check \(suite.file) \(run.header.folder)/captures/\(suite.id).*.pcapng"
        case .nothingExecuted:
            return "conform list " + run.header.suites.map(\.file).joined(separator: " ")
        default:
            return run.header.command.joined(separator: " ")
        }
    }
}

extension RunResult {
    /// The entries of the list of known failures that are failures themselves, a sentence each.
    var staleEntries: [String] { header.knownFindings ?? [] }
}
