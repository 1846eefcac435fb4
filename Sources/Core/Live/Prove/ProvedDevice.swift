import Judge
import Results

/// A device in a proof, and its outcome so far.
struct ProvedDevice {
    /// Its mutation; `nil` for the unmutated device.
    let mutant: Mutant?
    /// The run of its cases.
    let session: RunSession
    /// Its cases.
    let references: [CaseReference]
    /// Its cases in the order of the proof.
    let cases: ProofCases
    /// The results so far.
    private(set) var run: RunResult
    /// The cases that are planned or have been run, by their places.
    private var planned: Set<Int> = []
    /// How many of them have not ended.
    private var left = 0

    /// Prepares a device.
    init(_ mutant: Mutant?, _ session: RunSession) {
        self.mutant = mutant
        self.session = session
        let plan = session.entries.map { PlannedCase($0) }
        references = plan.map(\.reference)
        cases = ProofCases(of: mutant, among: plan)
        run = RunResult(header: session.header)
    }

    private var proof: MutantProof { MutantProof(mutant: mutant, results: run.cases) }

    /// The outcome as a row of the proof.
    var row: MutantProof { isOver ? proof : MutantProof(unfinished: mutant) }

    /// Whether the outcome is clear.
    var isOver: Bool { left == 0 && !isOpen }

    /// Whether none of the cases run so far has failed, and there are others.
    var isOpen: Bool {
        mutant != nil && planned.count < references.count && proof.outcome == .survived
    }

    /// Whether a case has ended on it.
    var isBegun: Bool { planned.count > left }

    /// Plans a case; returns whether it was not planned before.
    mutating func plan(_ index: Int) -> Bool {
        guard planned.insert(index).inserted else { return false }
        left += 1
        return true
    }

    /// Whether it still matters how a case ends.
    ///
    /// A case that claims the mutant matters until one such case has failed. A case that is not a
    /// neighbour matters until it is clear that the wrong case fails.
    func selects(_ index: Int) -> Bool {
        guard mutant != nil, !cases.neighbours.contains(index) else { return true }
        return cases.claims.contains(index) ? proof.killers.isEmpty : proof.outcome != .wrongCase
    }

    /// Records the last result of a case; `nil` if it was left out.
    mutating func consume(_ result: CaseResult?, of index: Int) {
        left -= 1
        if let result { run.cases.append(result) } else { planned.remove(index) }
    }

    /// Ends the run.
    mutating func end(seconds: Double, interruption: Interruption?) {
        session.removeScratch()
        run.header.planned = planned.sorted().map { PlannedCase(session.entries[$0]) }
        run.end(seconds: seconds, interruption: interruption)
    }
}
