import FoundationEssentials
import Judge
import Offline
import SuiteLanguage
import TestBench
import Testing

@testable import Live
@testable import Results

@Suite("A proof that ends when the claims are settled")
struct ShortProofTests {
    private static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        cases:
          - {id: first, title: One, checks: [R-1], steps: [expect: sdl.StartService]}
          - {id: second, title: Two, checks: [R-1, R-2], steps: [expect: sdl.StartService]}
          - {id: near, title: Three, checks: [R-2], steps: [expect: sdl.StartService]}
          - {id: far, title: Four, checks: [R-3], steps: [expect: sdl.StartService]}
        """

    /// Runs the proof of mutants, each of which breaks R-1 and fails cases.
    ///
    /// - Parameters:
    ///   - failing: The cases that each mutant fails, as `case:requirement`.
    ///   - wanted: The selected mutants; empty for all.
    private func proof(
        _ failing: [String: [String]], wanted: [String] = [], isThorough: Bool = false
    ) throws -> (outcome: MutationProof.Outcome, executions: [String: [String]]) {
        let bench = try WorkBench(suite: Self.suite)
        for testCase in bench.suite.cases {
            for broken in [nil] + testCase.checks.map(Optional.some) {
                var result = CaseResult(
                    suite: bench.suite, testCase: testCase, verdict: broken == nil ? .pass : .fail,
                    reason: Reason(.field, ""))
                result.checks = testCase.checks.map {
                    CheckResult(requirement: $0, verdict: $0 == broken ? .fail : .pass)
                }
                try FileSystem.write(
                    Array(JSONEncoder().encode(result)),
                    to: "\(bench.folder)/\(testCase.id):\(broken ?? "")")
            }
        }
        let mutants = failing.keys.sorted().map {
            Mutant(name: $0, role: "sdl.app", requirements: ["R-1"])
        }
        try FileSystem.write(Array(JSONEncoder().encode(mutants)), to: bench.folder + "/mutants")
        let marks = failing.flatMap { mutant, failed in failed.map { "\(mutant)/\($0)" } }
        try FileSystem.write(Array(marks.joined(separator: "\n").utf8), to: bench.folder + "/fails")
        let program = try bench.program(
            """
            cd \(bench.folder)
            if [ "$1" = mutants ]; then cat mutants; exit; fi
            order=$(sed 's,\\\\/,/,g' <&3)
            device=$(printf %s "$order" | sed 's,.*"reports":"[^"]*/\\([^/"]*\\)".*,\\1,')
            case=$(printf %s "$order" | sed 's,.*"case":"\\([^"]*\\)".*,\\1,')
            broken=$(sed -n "s,^$device/$case:,,p" fails)
            echo "$device/$case" >> executions
            cp "$case:$broken" /proc/self/fd/3
            """)
        var proof = MutationProof(
            suites: [(path: bench.suitePath, suite: bench.suite)], selection: .init(),
            device: program,
            options: RunSession.Options(
                executable: program, folder: bench.folder + "/proof", command: ["conform"],
                jobs: 1, network: .host))
        proof.isThorough = isThorough
        proof.mutants = wanted.map(CasePattern.init)
        let outcome = try proof.run(by: ScriptLauncher(program)) { _ in }
        let lines = try String(contentsOfFile: bench.folder + "/executions", encoding: .utf8)
        let executions = Dictionary(
            grouping: lines.split(separator: "\n").map {
                $0.split(separator: "/").map(String.init)
            }, by: { $0[0] }
        ).mapValues { $0.map { $0[1] } }
        return (outcome, executions)
    }

    @Test("A mutant is run until a case of its claim fails, and on the neighbours")
    func first() throws {
        let (outcome, executions) = try proof(["m": ["first:R-1", "second:R-1"]])
        #expect(outcome.isProved)
        #expect(executions["reference"] == ["first", "second", "near", "far"])
        #expect(executions["m"] == ["first", "near"])
        #expect(outcome.rows[1].killers == ["bench/first"])
        #expect(outcome.runs.map(\.audit.notRun) == [0, 0])
        #expect(outcome.runs[1].header.planned.map(\.id) == ["first", "near"])
    }

    @Test("A mutant that the likeliest case does not kill is run on the next case")
    func second() throws {
        let (outcome, executions) = try proof(["m": ["second:R-1"]])
        #expect(outcome.isProved)
        #expect(executions["m"] == ["first", "near", "second"])
    }

    @Test("A neighbour catches a mutant that breaks more than it declares")
    func collateral() throws {
        let (outcome, executions) = try proof(["m": ["first:R-1", "near:R-2"]])
        #expect(outcome.rows.map(\.outcome) == [.survived, .collateral])
        #expect(executions["m"] == ["first", "near"])
    }

    @Test("A mutant that no case kills is run on all cases")
    func survivor() throws {
        let (outcome, executions) = try proof(["m": []])
        #expect(outcome.rows.map(\.outcome) == [.survived, .survived])
        #expect(executions["m"] == ["first", "near", "second", "far"])
    }

    @Test("A mutant that only the wrong case kills is reported as such")
    func wrongCase() throws {
        let (outcome, executions) = try proof(["m": ["far:R-3"]])
        #expect(outcome.rows.map(\.outcome) == [.survived, .wrongCase])
        #expect(executions["m"] == ["first", "near", "second", "far"])
    }

    @Test("A thorough proof runs all cases on each mutant, and names all that kill it")
    func thorough() throws {
        let (outcome, executions) = try proof(
            ["m": ["first:R-1", "second:R-1"], "n": ["second:R-1", "far:R-3"]], isThorough: true)
        #expect(outcome.rows.map(\.outcome) == [.survived, .killed, .collateral])
        #expect(outcome.rows[1].killers == ["bench/first", "bench/second"])
        #expect(executions["m"] == ["first", "second", "near", "far"])
        #expect(executions["n"] == ["first", "second", "near", "far"])
    }

    @Test(
        "If mutants are selected, only they are run, and the unmutated device on their cases only")
    func wanted() throws {
        let (outcome, executions) = try proof(
            ["late": ["second:R-1"], "m": ["first:R-1"]], wanted: ["l*"])
        #expect(outcome.isProved)
        #expect(outcome.rows.map(\.mutant) == [nil, "late"])
        #expect(executions.keys.sorted() == ["late", "reference"])
        #expect(executions["reference"] == ["first", "second", "near"])
    }
}
