import Judge
import Offline
import Results
import SuiteLanguage
import TestBench
import Testing
import Wire

@testable import Live

/// The carrier on its way from the command line to the peer and the device.
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

    @Test("The carrier is the bus, unless the suite or the command line says otherwise")
    func chosen() {
        let testCase = bench.testCase
        #expect(testCase.carrier == .bus)
        #expect(testCase.carried(by: nil).peers == testCase.peers)
        let carried = testCase.carried(by: .iap2)
        #expect(carried.carrier == .iap2)
        #expect(carried.peers.map { $0.settings["carrier"] } == ["iap2", nil])
        #expect(carried.carried(by: .bus).carrier == .bus)
    }

    @Test("The carrier is in the worker's task and in the command that repeats a case")
    func stated() throws {
        let plan = try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .command(["d"]), carrier: .iap2)
        let session = try RunSession(
            plan: plan,
            options: RunSession.Options(executable: "", folder: bench.folder + "/r", command: []))
        #expect(session.entries.count == 1)
        #expect(try session.job(0, attempt: 1).task.carrier == .iap2)
        let result = session.named(
            CaseResult(
                suite: bench.suite, testCase: bench.testCase, verdict: .error,
                reason: Reason(.setup, "")))
        #expect(result.reproduce?.contains("--parameter carrier=iap2") == true)
    }

    @Test("Cases with phones that conform plays are skipped over iAP2")
    func phones() throws {
        let phones = try WorkBench(
            suite: Self.suite
                .replacing("role: sdl.app", with: "role: sdl.head-unit")
                .replacing("acc: {is: iap.accessory}", with: "acc: {is: sdl.app, transport: iap}")
                .replacing("  hu: {is: sdl.head-unit}\n", with: "")
                .replacing(
                    "expect: ea.open\n        to: acc", with: "expect: ea.ready\n        to: acc"))
        func reasons(_ carrier: AccessoryCarrier?) throws -> [String] {
            try RunPlan(
                suites: [(phones.suitePath, phones.suite)], selection: .init(),
                device: .command(["d"]), carrier: carrier
            ).entries.compactMap { $0.skipReason?.summary }
        }
        #expect(try reasons(nil).isEmpty && reasons(.bus).isEmpty)
        #expect(try reasons(.iap2).map { $0.contains("acc opens its sessions") } == [true])
    }
}
