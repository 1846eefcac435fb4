import Judge
import Offline
import Results
import SuiteLanguage
import TestBench
import Testing
import Wire

@testable import Live

/// The time scale on its way from the plan to the capture and the check.
@Suite("A run at a time scale")
struct TimeScaleTests {
    private static let suite = """
        conform: 1
        suite: bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow, quiet: 1s, tolerance: 0ms}
        cases:
          - id: opens
            checks: [R-1]
            steps:
              - expect: sdl.StartService
                within: 200ms
        """

    private let bench: WorkBench

    init() throws { bench = try WorkBench(suite: Self.suite) }

    private func plan(_ word: String, at scale: TimeScale) throws -> RunPlan {
        let profile = bench.folder + "/device.yaml"
        try FileSystem.write(
            Array("name: d\nrole: sdl.app\nlaunch: [d]\ntimeScale: \(word)\n".utf8), to: profile)
        return try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .profile(path: profile), timeScale: scale)
    }

    private func header(_ plan: RunPlan) -> RunHeader {
        RunHeader(
            plan: plan, options: RunSession.Options(executable: "", folder: "f", command: []))
    }

    @Test("Every case of a device whose clock cannot be scaled is skipped, and the reason says so")
    func skipped() throws {
        let ten = try #require(TimeScale(10))
        let plan = try plan("none", at: ten)
        let reason = try #require(plan.entries.first?.skipReason)
        #expect(reason.code == .notApplicable)
        #expect(reason.summary.contains("clock cannot be scaled"), "\(reason.summary)")
        #expect(try self.plan("env", at: ten).entries.first?.skipReason == nil)
        #expect(try self.plan("none", at: .real).entries.first?.skipReason == nil)
    }

    @Test("The scale is in the header, the task, and the command that repeats a case")
    func stated() throws {
        let plan = try plan("env", at: try #require(TimeScale(2.5)))
        #expect(header(plan).timeScale == TimeScale(2.5))
        #expect(header(try self.plan("env", at: .real)).timeScale == nil)
        let session = try RunSession(
            plan: plan,
            options: RunSession.Options(executable: "", folder: bench.folder + "/r", command: []))
        #expect(session.entries.count == 1)
        #expect(try session.job(0, attempt: 1).task.timeScale == plan.timeScale)
        let result = session.named(
            CaseResult(
                suite: bench.suite, testCase: bench.testCase, verdict: .error,
                reason: Reason(.setup, "")))
        #expect(result.reproduce?.contains("--time-scale 2.5") == true)
    }

    @Test("A capture is judged at the scale that it contains")
    func checked() throws {
        // The service is opened four milliseconds after the start.
        let slow = try bench.capture(Segment.opening(extra: 0))
        let fast = try bench.capture(
            Segment.opening(extra: 0), timeScale: TimeScale(10), name: "fast")
        let tooFast = try bench.capture(
            Segment.opening(extra: 0), timeScale: TimeScale(100), name: "too-fast")
        #expect(
            try [slow, fast, tooFast].map { try bench.judge($0).verdict } == [
                .pass, .pass, .fail,
            ])
        let check = CaptureCheck(suite: bench.suite, selection: .init())
        let one = check.run(captures: [[fast]], folder: "", command: []) { _, _ in }
        #expect(one.header.timeScale == TimeScale(10))
        #expect(one.cases.allSatisfy { $0.remarks.isEmpty })
        let mixed = check.run(captures: [[slow], [fast]], folder: "", command: []) { _, _ in }
        #expect(mixed.header.timeScale == nil)
        #expect(
            mixed.cases.map { $0.remarks.contains("judged at time scale 10") } == [false, true])
    }
}
