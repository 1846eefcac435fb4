import Runner
import Suites
import Verdicts

extension ConsoleReport {
    /// What `conform list` shows of a plan.
    public static func plan(_ plan: RunPlan, style: Style = .plain) -> String {
        let reasons = plan.entries.compactMap { entry in
            entry.skipReason.map {
                (CaseReference(suite: entry.suite.id, id: entry.testCase.id), $0)
            }
        }
        return self.plan(
            suites: plan.suites.map {
                SuiteSummary(
                    id: $0.id, title: $0.title, file: $0.file, requirements: $0.requirements)
            },
            planned: plan.entries.map { PlannedCase($0) },
            skipped: Dictionary(reasons) { first, _ in first }, style: style)
    }

    /// What `conform prove` shows.
    public static func proof(_ outcome: MutationProof.Outcome, style: Style = .plain) -> String {
        let failed = outcome.baseline.filter { $0.verdict != .pass }
        let base = ProofRow(
            mutant: nil, requirements: [], cases: failed.map { "\(CaseReference($0))" },
            outcome: failed.isEmpty && !outcome.baseline.isEmpty ? .passes : .doesNotPass)
        return proof([base] + outcome.mutants.map(ProofRow.init), style: style)
    }
}

extension ProofRow {
    fileprivate init(_ verdict: MutantVerdict) {
        let strays = verdict.strays.map { "\(CaseReference($0))" }
        let killers = verdict.killers.map { "\($0)" }
        self.init(
            mutant: verdict.mutant.name, requirements: verdict.mutant.requirements,
            cases: strays.isEmpty ? killers : strays,
            outcome: verdict.isProven ? .killed : strays.isEmpty ? .survived : .stray)
    }
}
