import BuiltInProtocols
import Judge
import Offline
import Results
import SuiteLanguage
import TestBench
import Testing
import Wire

@testable import Live

/// Values that depend on the device, from the profile to the plan, the capture and the check.
@Suite struct ParameterTests {
    private static let suite = """
        conform: 1
        suite: bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow, quiet: 1s, tolerance: 0ms}
        parameters:
          limit: {default: 5s}
          other:
        cases:
          - id: opens
            checks: [R-1]
            steps:
              - expect: sdl.StartService
                within: ${limit}
          - id: needs
            checks: [R-1]
            steps:
              - expect: sdl.StartService
                within: ${other}
        """

    private let bench: WorkBench

    init() throws { bench = try WorkBench(suite: Self.suite) }

    private func plan(
        _ parameters: String, _ overrides: [String: Value] = [:]
    ) throws -> RunPlan {
        let profile = bench.folder + "/device.yaml"
        try FileSystem.write(
            Array("name: d\nrole: sdl.app\nlaunch: [d]\nparameters: \(parameters)\n".utf8),
            to: profile)
        return try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .profile(path: profile), parameters: ParameterOverrides(values: overrides))
    }

    @Test("A plan has the device's values, and those of the command line override them")
    func values() throws {
        let plan = try plan("{limit: 2s, other: 1s, third: 3}", ["other": "7s"])
        #expect(plan.entries.map { $0.skipReason?.summary } == [nil, nil])
        #expect(
            plan.entries.map { $0.testCase.steps[0].within } == [.seconds(2), .seconds(7)])
        let header = RunHeader(
            plan: plan, options: RunSession.Options(executable: "", folder: "f", command: []))
        #expect(
            header.parameters == [
                RunParameter(suite: "bench", name: "limit", value: "2s", origin: .device),
                RunParameter(suite: "bench", name: "other", value: "7s", origin: .commandLine),
            ])
        #expect(plan.parameters.arguments == ["--parameter", "other=7s"])
    }

    @Test("A case is skipped if the device does not give a value it needs, and the reason names it")
    func missing() throws {
        let plan = try plan("{}")
        #expect(plan.entries[0].skipReason == nil)
        let reason = try #require(plan.entries[1].skipReason)
        #expect(reason.code == .notApplicable)
        #expect(reason.summary.contains("--parameter other=VALUE"), "\(reason.summary)")
        let header = RunHeader(
            plan: plan, options: RunSession.Options(executable: "", folder: "f", command: []))
        #expect(header.parameters?.map(\.origin) == [.fallback])
    }

    @Test("A value of a different kind than the default is an error of the plan")
    func kinds() throws {
        #expect(throws: InvalidInput.self) { try plan("{limit: 2}") }
    }

    /// The verdicts of `conform check` on a capture in which the service opens after 4 ms.
    private func verdicts(
        recorded: String?, _ overrides: [String: Value] = [:]
    ) throws -> RunResult {
        let capture = try bench.capture(Segment.opening(extra: 0), parameters: recorded)
        var options = CaptureCheck.Options(.builtIn)
        options.parameters = ParameterOverrides(values: overrides)
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        return check.run(captures: [[capture]], folder: "", command: []) { _, _ in }
    }

    @Test("A capture is judged with the values that it was made with")
    func recorded() throws {
        #expect(try verdicts(recorded: nil).cases.map(\.verdict) == [.pass])
        let late = try verdicts(recorded: "{\"limit\":\"1ms\"}")
        #expect(late.cases.map(\.verdict) == [.fail])
        #expect(
            late.header.parameters == [
                RunParameter(suite: "bench", name: "limit", value: "1ms", origin: .capture)
            ])
    }

    @Test("The command line overrides the values of a capture")
    func overridden() throws {
        let result = try verdicts(recorded: "{\"limit\":\"1ms\"}", ["limit": "9s"])
        #expect(result.cases.map(\.verdict) == [.pass])
        #expect(result.header.parameters?.map(\.origin) == [.commandLine])
    }

    @Test("Damaged values of a capture are an error, not the defaults")
    func damaged() throws {
        let result = try verdicts(recorded: "{\"limit\":")
        #expect(result.cases.map(\.verdict) == [.error])
        #expect(result.cases.first?.reason?.summary.contains("damaged") == true)
    }

    @Test("A check also skips a case without its values")
    func skipped() throws {
        let capture = try bench.capture(Segment.opening(extra: 0))
        let needy = try #require(bench.suite.cases.last)
        var suite = bench.suite
        suite.cases = [needy]
        suite.cases[0].id = bench.testCase.id
        let check = CaptureCheck(suite: suite, selection: .init())
        let result = check.run(captures: [[capture]], folder: "", command: []) { _, _ in }
        #expect(result.cases.map(\.verdict) == [.skipped])
    }

    @Test("Values are unchanged after a round trip through JSON")
    func text() throws {
        let values: [String: Value] = [
            "a": 1, "b": 2.0, "c": "x", "d": [1, ["e": .null]], "f": true, "g": .null,
        ]
        #expect(try ParameterText.values(ParameterText.json(values)) == values)
    }
}
