import FoundationEssentials
import Glibc
import Judge
import Results
import TestBench
import Testing

@testable import Live

@Suite("A run on a busy machine")
struct LateRunTests {
    /// The result of a run whose worker is `script`.
    ///
    /// In the script `$result` is the file to write and `$scratch` the folder of the device.
    private func run(_ bench: WorkBench, _ script: String, lateRetries: Int) throws -> CaseResult {
        var late = try JSONDecoder().decode(CaseResult.self, from: Data(bench.pass()))
        late.verdict = .inconclusive
        late.reason = Reason(.lateHarness, "the harness was late")
        try FileSystem.write(try bench.pass(), to: bench.folder + "/good.json")
        try FileSystem.write(Array(JSONEncoder().encode(late)), to: bench.folder + "/late.json")
        let program = try bench.program(
            """
            cd \(bench.folder)
            order=$(sed 's,\\\\/,/,g' <&3)
            scratch=$(printf %s "$order" | sed 's/.*"scratch":"\\([^"]*\\)".*/\\1/')
            result=/proc/self/fd/3
            capture=$(printf %s "$order" | sed 's/.*"capture":"\\([^"]*\\)".*/\\1/')
            echo packets > "/proc/self/fd/4/$capture"
            \(script)
            """)
        var options = RunSession.Options(
            executable: program, folder: bench.folder + "/run", command: ["conform"],
            network: .host)
        options.lateRetries = lateRetries
        let session = try RunSession(
            plan: RunPlan(
                suites: [(path: bench.suitePath, suite: bench.suite)], selection: .init(),
                device: .command(["none"])),
            options: options)
        let cases = try session.execute(by: ScriptLauncher(program)) { _, _ in }.result.cases
        try #require(cases.count == 1)
        return cases[0]
    }

    private static let lateFirst =
        "case $scratch in *-2) cp good.json $result ;; *) cp late.json $result ;; esac"

    @Test("A case that could not be judged is executed again, and the last capture is kept")
    func again() throws {
        let bench = try WorkBench()
        let result = try run(bench, Self.lateFirst, lateRetries: 1)
        #expect(result.verdict == .pass)
        #expect(
            result.remarks == [
                "executed again, because the machine was too busy: the harness was late"
            ])
        #expect(result.executions == nil)
        let capture = try #require(result.capture)
        #expect(capture.hasPrefix("captures/attempts/") && capture.hasSuffix("+2.pcapng"))
        #expect(access("\(bench.folder)/run/\(capture)", R_OK) == 0)
    }

    @Test("Nothing is executed again unless that is requested")
    func once() throws {
        let bench = try WorkBench()
        let result = try run(bench, Self.lateFirst, lateRetries: 0)
        #expect(result.verdict == .inconclusive)
        #expect(result.reason?.code == .lateHarness)
        #expect(access("\(bench.folder)/run/captures/attempts", F_OK) != 0)
    }
}
