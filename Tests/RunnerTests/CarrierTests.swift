import Protocols
import Suites
import Testing
import Verdicts

@testable import Runner

/// From the command line to the peer and the device.
@Suite("The carrier of accessories' sessions")
struct CarrierTests {
    private static let suite = """
        conform: 1
        suite: bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          acc: {is: iap.accessory}
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow}
        cases:
          - id: opens
            checks: [R-1]
            steps:
              - expect: ea.open
                to: acc
        """

    private let bench: WorkBench

    init() throws { bench = try WorkBench(suite: Self.suite) }

    @Test("is the bus, unless the suite or the command line says otherwise")
    func chosen() {
        let testCase = bench.testCase
        #expect(testCase.carrier == .bus)
        #expect(testCase.carried(by: nil).peers == testCase.peers)
        let carried = testCase.carried(by: .iap2)
        #expect(carried.carrier == .iap2)
        #expect(carried.peers.map { $0.settings["carrier"] } == ["iap2", nil])
        #expect(carried.carried(by: .bus).carrier == .bus)
    }

    @Test("is in the worker's order and in the command that repeats a case")
    func told() throws {
        let plan = try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .command(["d"], features: []), carrier: .iap2)
        let session = try RunSession(
            plan: plan,
            options: RunSession.Options(executable: "", folder: bench.folder + "/r", command: []))
        #expect(try session.jobs(attempt: 1).map(\.order.carrier) == [.iap2])
        let result = session.named(
            CaseResult(
                suite: bench.suite, testCase: bench.testCase, verdict: .error,
                reason: Reason(.setup, "")))
        #expect(result.reproduce?.contains("--carrier iap2") == true)
    }
}
