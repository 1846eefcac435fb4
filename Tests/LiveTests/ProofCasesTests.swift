import SuiteLanguage
import Testing

@testable import Live
@testable import Results

@Suite("The order of the cases in a proof")
struct ProofCasesTests {
    /// A plan of cases that are named `suite/case`, with the requirements that each checks.
    private func plan(_ cases: [(String, [String])]) -> [PlannedCase] {
        cases.map { name, checks in
            let words = name.split(separator: "/").map(String.init)
            return PlannedCase(
                suite: words[0], id: words[1], title: "",
                position: SourcePosition(file: "s.yaml", line: 1, column: 1), checks: checks,
                steps: 1)
        }
    }

    private let cases: [(String, [String])] = [
        ("other/zero", ["R-9"]), ("s/one", ["R-2", "R-1"]), ("s/two", ["R-1", "R-2", "R-3"]),
        ("s/three", ["R-1"]), ("s/four", ["R-2", "R-3"]), ("s/five", ["R-3"]), ("s/six", ["R-2"]),
        ("s/seven", ["R-4"]),
    ]

    private func divided(_ mutant: Mutant?) -> ProofCases {
        ProofCases(of: mutant, among: plan(cases))
    }

    private func mutant(_ requirements: [String], masks: [String] = []) -> Mutant {
        Mutant(name: "m", role: "r", requirements: requirements, masks: masks)
    }

    @Test("Cases of a claim whose first requirement is the claimed one come first")
    func claims() {
        #expect(divided(mutant(["R-1"])).claims == [2, 3, 1])
        #expect(divided(mutant(["R-2", "R-1"])).claims == [1, 4, 6, 2, 3])
    }

    @Test("Among the cases of a claim, those that share words with the mutant come first")
    func words() {
        let names = ["is-kept", "is-sent[change=mediaTrack]", "is-sent[change=type 1]"]
        let plan = plan(names.map { ("s/" + $0, ["R-1"]) })
        func order(_ name: String, _ summary: String = "") -> [Int] {
            ProofCases(
                of: Mutant(name: name, role: "r", requirements: ["R-1"], summary: summary),
                among: plan
            ).claims
        }
        #expect(order("ignores-media-track") == [1, 0, 2])
        #expect(order("m", "Compares no type of metadata, nor a change.") == [2, 1, 0])
    }

    @Test("Each requirement that is checked together with the claim has a neighbour")
    func neighbours() {
        let divided = divided(mutant(["R-1"]))
        #expect(divided.neighbours == [5, 6])
        #expect(divided.others == [0, 4, 7])
    }

    @Test("A masked requirement has no neighbour, and its cases come last")
    func masks() {
        let divided = divided(mutant(["R-1"], masks: ["R-2"]))
        #expect(divided.neighbours == [5])
        #expect(divided.others == [0, 7, 4, 6])
    }

    @Test("A claim that is checked alone has one neighbour, of the same suite")
    func nearest() {
        #expect(divided(mutant(["R-4"])).neighbours == [3])
        #expect(divided(mutant(["R-1", "R-2", "R-3", "R-4"])).neighbours == [0])
    }

    @Test("The likeliest case comes first, then the neighbours, then the other cases one by one")
    func turns() {
        let first = divided(mutant(["R-1"])).first.sorted {
            ($0.turn, $0.place) < ($1.turn, $1.place)
        }
        #expect(first.map(\.place) == [2, 5, 6, 3, 1])
        #expect(first.map(\.turn) == [0, 1, 1, 2, 3])
    }

    @Test("The unmutated device claims nothing")
    func unmutated() {
        #expect(divided(nil).others == Array(cases.indices))
        #expect(divided(nil).first.isEmpty)
    }
}
