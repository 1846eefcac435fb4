import Judge
import SuiteLanguage
import Testing

@testable import Live
@testable import Results

@Suite("The outcome for a mutant")
struct MutantProofTests {
    private let mutant = Mutant(
        name: "m", role: "sdl.app", requirements: ["R-1"], masks: ["R-3"])

    private func result(_ id: String, _ verdict: Verdict, cites: [String] = []) -> CaseResult {
        CaseResult(
            suite: "s", id: id, title: id,
            position: SourcePosition(file: "s.yaml", line: 1, column: 1), verdict: verdict,
            checks: cites.map { CheckResult(requirement: $0, verdict: verdict) })
    }

    @Test("A failure that cites the broken requirement kills the mutant, if the others pass")
    func killed() {
        let proof = MutantProof(
            mutant: mutant,
            results: [result("a", .fail, cites: ["R-1"]), result("b", .pass, cites: ["R-2"])])
        #expect(proof.outcome == .killed)
        #expect(proof.killers == ["s/a"])
    }

    @Test("No failure means that the mutant has survived")
    func survived() {
        let proof = MutantProof(mutant: mutant, results: [result("a", .pass, cites: ["R-1"])])
        #expect(proof.outcome == .survived)
        #expect(!proof.isProof)
    }

    @Test("A failure for a requirement that the mutant does not break is collateral")
    func collateral() {
        let proof = MutantProof(
            mutant: mutant,
            results: [result("a", .fail, cites: ["R-1"]), result("b", .fail, cites: ["R-2"])])
        #expect(proof.outcome == .collateral)
        #expect(proof.problems.map(\.id) == ["b"])
    }

    @Test("If the only failure is for another requirement, the outcome is the wrong case")
    func wrongCase() {
        let proof = MutantProof(mutant: mutant, results: [result("b", .fail, cites: ["R-2"])])
        #expect(proof.outcome == .wrongCase)
    }

    @Test("A case of a masked requirement may fail or be inconclusive")
    func masked() {
        let proof = MutantProof(
            mutant: mutant,
            results: [
                result("a", .fail, cites: ["R-1"]), result("c", .fail, cites: ["R-3"]),
                result("d", .inconclusive, cites: ["R-4"]),
            ])
        #expect(proof.outcome == .killed)
    }

    @Test("The unmutated device must pass everywhere")
    func baseline() {
        #expect(MutantProof(mutant: nil, results: [result("a", .pass)]).isProof)
        #expect(!MutantProof(mutant: nil, results: []).isProof)
        #expect(!MutantProof(mutant: nil, results: [result("a", .inconclusive)]).isProof)
        #expect(!MutantProof(mutant: nil, results: [result("a", .skipped)]).isProof)
    }
}
