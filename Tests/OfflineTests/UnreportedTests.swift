import BuiltInProtocols
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestBench
import TestTraffic
import Testing
import Trace

@testable import Offline

@Suite("Cases that depend on reports of an app")
struct UnreportedTests {
    private static func suite(_ steps: String, taking peer: String = "") -> String {
        """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        \(peer)
        defaults: {unexpected: allow, quiet: 100ms, within: 1s}
        cases:
          - id: reports
            title: It opens the service and reports
            checks: [R-1]
            steps:
              - expect: sdl.StartService
        \(steps)
        """
    }

    private static let expecting =
        "      - expect: profile.activated\n        where: {profile.object: \"1\"}"
    private static let forbidding = "    never: [profile.activationFailed]"

    /// Returns the result for a device that opens the service.
    ///
    /// If there is a line, the device reports it on another connection.
    private func result(_ suite: String, reports line: String?) throws -> CaseResult? {
        let bench = try WorkBench(suite: suite)
        let device = IPAddress(ipv4: 0x0A00_0101)
        let host = IPAddress(ipv4: 0x0A00_0002)
        var service = Conversation(
            caller: Endpoint(address: device, port: 40_000),
            callee: Endpoint(address: host, port: 12_345))
        var report = Conversation(
            caller: Endpoint(address: device, port: 40_001),
            callee: Endpoint(address: host, port: 6_500))
        var segments = service.handshake()
        segments.append(service.segment(from: .caller, payload: [0x10, 7, 1, 0, 0, 0, 0, 0]))
        if let line {
            segments += report.handshake()
            segments.append(report.segment(from: .caller, payload: Array("\(line)\n".utf8)))
            segments.append(report.segment(from: .callee, payload: []))
        }
        segments.append(service.segment(from: .callee, payload: []))
        var packets = segments.enumerated().map { ($0.offset + 1, $0.element.packet) }
        packets.append((4_000, service.segment(from: .caller, payload: []).packet))
        let path = bench.folder + "/made.pcapng"
        try WorkBench.write(packets.map { (milliseconds: $0.0, bytes: $0.1) }, to: path)
        var options = CaptureCheck.Options(.builtIn)
        options.isEndKnown = true
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        return check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases.first
    }

    @Test("Without any report they are skipped, and say so", arguments: [expecting, forbidding])
    func unreported(steps: String) throws {
        let result = try result(Self.suite(steps), reports: nil)
        #expect(result?.verdict == .skipped)
        #expect(result?.reason?.summary.hasPrefix("not observable") == true)
    }

    @Test("The rest of a case that allows it is judged")
    func stripped() throws {
        func verdict(_ steps: String, reports line: String? = nil) throws -> CaseResult? {
            try result(
                Self.suite("\(steps)\n    withoutReports: true").replacing(
                    "      - expect: sdl.StartService\n",
                    with: "      - do: device.background\n      - expect: profile.available\n"
                        + "      - expect: sdl.StartService\n"), reports: line)
        }
        let passed = try verdict(Self.expecting)
        #expect(passed?.verdict == .pass)
        #expect(passed?.remarks.contains { $0.hasPrefix("without reports") } == true)
        let forbidden = try verdict("\(Self.expecting)\n    never: [sdl.StartService, profile.*]")
        #expect(forbidden?.verdict == .pass)
        // A report that is not shown may come at any time.
        let awaited = try verdict("\(Self.expecting)\n      - expect: sdl.EndService")
        #expect(awaited?.verdict == .inconclusive)
        let broken = try verdict("      - expect: sdl.EndService\n    never: [tcp.*]")
        #expect(broken?.verdict == .fail)
        let reported = try verdict(
            Self.expecting, reports: "{\"profile\":\"activated\",\"object\":1}")
        #expect(reported?.verdict != .pass)
        #expect(reported?.remarks.isEmpty == true)
    }

    @Test("With reports they are judged by them")
    func reported() throws {
        let suite = Self.suite(
            Self.expecting, taking: "  reports: {is: app.reports, port: 6500}")
        let good = try result(suite, reports: "{\"profile\":\"activated\",\"object\":1}")
        #expect(good?.verdict == .pass)
        let other = try result(suite, reports: "{\"profile\":\"activating\",\"object\":1}")
        #expect(other?.verdict == .fail)
    }

    @Test("Other cases are judged as always")
    func others() throws {
        #expect(try result(Self.suite(""), reports: nil)?.verdict == .pass)
    }
}
