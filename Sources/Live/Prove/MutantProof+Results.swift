import Results

extension MutantProof {
    /// The row of a device on which not all cases ended; `nil` is the unmutated device.
    init(unfinished mutant: Mutant?) {
        self.init(
            mutant: mutant?.name, requirements: mutant?.requirements ?? [], killers: [],
            outcome: .notRun)
    }

    /// Weighs the results of all cases that were run on a mutant; `nil` is the unmutated device.
    ///
    /// A mutant may keep a case of another requirement from being judged (its preamble is not
    /// reached), and may fail one whose situation it says that it masks; no other.
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
