import Judge
import Offline
import Results
import TestBench
import Testing

@testable import Live

/// The seed on its way from the plan to the worker and the reports.
@Suite("The seed of random choices")
struct SeedTests {
    private let bench: WorkBench

    init() throws { bench = try WorkBench() }

    private func session(_ seed: UInt64?) throws -> RunSession {
        let plan = try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .command(["d"]), seed: seed)
        return try RunSession(
            plan: plan,
            options: RunSession.Options(executable: "", folder: bench.folder + "/r", command: []))
    }

    private func reproduce(_ session: RunSession) -> String {
        session.named(
            CaseResult(
                suite: bench.suite, testCase: bench.testCase, verdict: .error,
                reason: Reason(.setup, ""))
        ).reproduce ?? ""
    }

    @Test("The seed is in the worker's task, the run's header and the command that repeats a case")
    func stated() throws {
        let session = try session(7)
        #expect(try session.job(0, attempt: 1).task.seed == 7)
        #expect(session.header.seed == 7)
        #expect(reproduce(session).contains("--seed 7"))
    }

    @Test("Without a requested seed, the header has 0, and the task and the command have none")
    func silent() throws {
        let session = try session(nil)
        #expect(try session.job(0, attempt: 1).task.seed == nil)
        #expect(session.header.seed == 0)
        #expect(!reproduce(session).contains("--seed"))
    }
}
