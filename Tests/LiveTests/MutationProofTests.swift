import FoundationEssentials
import Glibc
import Judge
import Results
import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("A proof on a busy machine")
struct MutationProofTests {
    /// Writes the result files that a worker may deliver.
    private func results(_ bench: WorkBench) throws {
        var late = try JSONDecoder().decode(CaseResult.self, from: Data(bench.pass()))
        late.verdict = .inconclusive
        late.reason = Reason(.lateHarness, "the harness was late")
        var failed = late
        failed.verdict = .fail
        failed.reason = Reason(.field, "nothing came")
        failed.checks = [CheckResult(requirement: "R-1", verdict: .fail)]
        try FileSystem.write(try bench.pass(), to: bench.folder + "/good.json")
        try FileSystem.write(Array(JSONEncoder().encode(late)), to: bench.folder + "/late.json")
        try FileSystem.write(Array(JSONEncoder().encode(failed)), to: bench.folder + "/bad.json")
    }

    /// The proof with a device that has one mutant and a worker that is `script`.
    ///
    /// In the script `$result` is the file to write, `$scratch` the folder of the device, and
    /// `$device` is `good` or `bad`.
    private func proof(
        _ bench: WorkBench, _ script: String, listener: (MutationProof.Progress) -> Void = { _ in }
    ) throws -> MutationProof.Outcome {
        try results(bench)
        let mutants = #"[{"name":"m","role":"sdl.app","requirements":["R-1"],"masks":[],"#
        let program = try bench.program(
            """
            if [ "$1" = mutants ]; then echo '\(mutants)"summary":""}]'; exit; fi
            cd \(bench.folder)
            order=$(sed 's,\\\\/,/,g' <&3)
            scratch=$(printf %s "$order" | sed 's/.*"scratch":"\\([^"]*\\)".*/\\1/')
            result=/proc/self/fd/3
            case $order in *proof/reference*) device=good ;; *) device=bad ;; esac
            \(script)
            """)
        return try MutationProof(
            suites: [(path: bench.suitePath, suite: bench.suite)], selection: .init(),
            device: program,
            options: RunSession.Options(
                executable: program, folder: bench.folder + "/proof", command: ["conform"],
                jobs: 1, network: .host)
        ).run(by: ScriptLauncher(program), listener: listener)
    }

    @Test("Only the cases that the machine was too busy to judge are executed again")
    func again() throws {
        let bench = try WorkBench()
        let outcome = try proof(
            bench,
            """
            echo $device >> executions
            case $scratch in *-2) cp $device.json $result ;;
            *) cp late.json $result ;; esac
            """)
        #expect(outcome.isProved)
        #expect(outcome.rows.map(\.outcome) == [.survived, .killed])
        #expect(outcome.runs.map(\.cases.count) == [1, 1])
        let executions = try String(contentsOfFile: bench.folder + "/executions", encoding: .utf8)
        #expect(executions == "good\nbad\ngood\nbad\n")
    }

    @Test("A machine that is always too busy proves nothing")
    func neverQuiet() throws {
        let bench = try WorkBench()
        let outcome = try proof(bench, "echo $device >> executions; cp late.json $result")
        #expect(!outcome.isProved)
        #expect(outcome.rows.map(\.outcome) == [.inconclusive, .survived])
        let executions = try String(contentsOfFile: bench.folder + "/executions", encoding: .utf8)
        #expect(executions.split(separator: "\n").count == 10, "each once, and four times more")
    }

    @Test("A case that has a verdict is not executed again")
    func once() throws {
        let bench = try WorkBench()
        let outcome = try proof(bench, "echo $device >> executions; cp $device.json $result")
        #expect(outcome.isProved)
        let executions = try String(contentsOfFile: bench.folder + "/executions", encoding: .utf8)
        #expect(executions == "good\nbad\n")
    }

    @Test("A proof that a signal interrupts reports the devices that were not run as such")
    func interrupted() throws {
        let bench = try WorkBench()
        let outcome = try proof(bench, "cp $device.json $result") { _ in
            pthread_kill(pthread_self(), SIGTERM)
        }
        #expect(outcome.interruption == .terminate)
        #expect(outcome.rows.map(\.outcome) == [.survived, .notRun])
        #expect(outcome.runs.count == 1)
    }
}
