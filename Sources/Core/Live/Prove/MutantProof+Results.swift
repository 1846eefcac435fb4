import Results

extension MutantProof {
    /// Creates the row of a device on which not all cases ended; `nil` is the unmutated device.
    init(unfinished mutant: Mutant?) {
        self.init(
            mutant: mutant?.name, requirements: mutant?.requirements ?? [], killers: [],
            outcome: .notRun)
    }

    /// Evaluates the results of all cases that were run on a mutant; `nil` is the unmutated device.
    ///
    /// A mutant may prevent a case of another requirement from being judged (its preamble is not
    /// reached), and may fail a case whose requirement it declares to mask. It must not fail any
    /// other case.
    init(mutant: Mutant?, results: [CaseResult]) {
        let broken = Set(mutant?.requirements ?? [])
        func cites(_ result: CaseResult, within wanted: Set<String>) -> Bool {
            result.checks.contains { $0.verdict == .fail && wanted.contains($0.requirement) }
        }
        let failed = results.filter { $0.verdict == .fail }
        let killers = failed.filter { cites($0, within: broken) }
        let excused = broken.union(mutant?.masks ?? [])
        let strays = failed.filter { !cites($0, within: excused) }
        let unjudged = results.filter {
            $0.verdict == .error || mutant == nil && ![.pass, .fail, .known].contains($0.verdict)
        }
        let outcome: Outcome =
            if results.isEmpty || !unjudged.isEmpty {
                .inconclusive
            } else if mutant == nil {
                failed.isEmpty ? .survived : .wrongCase
            } else if killers.isEmpty {
                strays.isEmpty ? .survived : .wrongCase
            } else {
                strays.isEmpty ? .killed : .collateral
            }
        self.init(
            mutant: mutant?.name, requirements: mutant?.requirements ?? [],
            killers: killers.map { "\(CaseReference($0))" }, outcome: outcome,
            problems: outcome == .killed ? [] : strays + unjudged)
    }
}
