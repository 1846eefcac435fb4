import BuiltInProtocols
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestBench
import TestTraffic
import Testing
import Trace
import Wire

@testable import Offline

@Suite("What several devices do together")
struct FleetTests {
    private static func suite(_ rules: String, cases: String = reconnects) -> String {
        """
        conform: 1
        suite: fleet
        requirements: [catalogue.yaml]
        device: {role: any.client}
        roles: {any.client: {text: It comes back.}}
        peers: {server: {is: tcp.server, port: 5000}}
        defaults: {quiet: 0s}
        \(rules)
        cases:
        \(cases)
        """
    }

    private static let reconnects = """
          - id: reconnects
            title: It comes back after random waits
            checks: [R-1]
            steps:
              - expect: tcp.SYN
              - backoff:
                  {model: fixed, base: 10s, jitter: full, attempts: 6, early: 5ms, late: 30ms}
        """

    /// At most two attempts of all devices, and of each, within 500 ms.
    private static func rule(per scope: String) -> String {
        """
        rules:
          - id: no-herd
            title: No more than two attempts in half a second
            checks: [R-2]
            per: \(scope)
            whenever: beginning
            never: [{message: tcp.SYN, from: device, moreThan: 2, within: 500ms}]
        """
    }

    /// Writes a capture in which devices are refused after these waits, in milliseconds.
    private static func capture(
        _ waits: [[Int]], in bench: WorkBench, as name: String = "fleet", from number: Int = 0,
        at start: Int = 0
    ) throws -> String {
        var packets: [(milliseconds: Int, bytes: [UInt8])] = []
        let server = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 5000)
        for (device, waits) in zip(number..., waits) {
            let address = IPAddress(ipv4: 0x0A00_0101 + UInt32(device))
            var time = start + device * 5
            for (attempt, wait) in ([0] + waits).enumerated() {
                let port = UInt16(40_000 + attempt)
                let client = Endpoint(address: address, port: port)
                time += wait
                packets.append(
                    (
                        time,
                        TestTraffic.Segment(
                            from: client, to: server, sequence: 100, flags: [.syn]
                        ).packet
                    ))
                time += 1
                packets.append(
                    (
                        time,
                        TestTraffic.Segment(
                            from: server, to: client, sequence: 0, acknowledgement: 101,
                            flags: [.rst, .ack]
                        ).packet
                    ))
            }
        }
        packets.sort { $0.milliseconds < $1.milliseconds }
        let path = bench.folder + "/\(name).pcapng"
        try WorkBench.write(packets, to: path)
        return path
    }

    private func results(
        _ waits: [[Int]], suite: String, per grouping: Grouping
    ) throws -> [CaseResult] {
        let bench = try WorkBench(suite: suite)
        var options = CaptureCheck.Options(.builtIn)
        (options.grouping, options.isEndKnown) = (grouping, true)
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        let path = try Self.capture(waits, in: bench)
        return check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
    }

    /// The waits of six devices, all the same or all different.
    private static let (same, different) = (
        [[Int]](repeating: [9100, 700, 5300, 2900, 7700, 4100], count: 6),
        [
            [9100, 700, 5300, 2900, 7700, 4100], [300, 6200, 8800, 1500, 4700, 9600],
            [5100, 9400, 2200, 7100, 600, 3600], [7400, 1900, 3300, 9800, 5600, 200],
            [2500, 4400, 9900, 800, 6600, 8300], [8100, 3100, 100, 6900, 1200, 5800],
        ]
    )

    @Test("Devices of one capture that draw the same waits fail, others pass")
    func herd() throws {
        let herd = try results(Self.same, suite: Self.suite(""), per: .device)
        let failed = herd.filter { $0.verdict == .fail }
        #expect(failed.count == 1 && herd.count == 6, "\(herd.map { $0.reason?.summary ?? "" })")
        let summary = failed.first?.reason?.summary ?? ""
        #expect(summary.contains("the client draws the same waits"), "\(summary)")
        #expect(summary.contains("devices") && summary.contains("broken: chance"), "\(summary)")
        let spread = try results(Self.different, suite: Self.suite(""), per: .device)
        #expect(
            spread.map(\.verdict) == Array(repeating: .pass, count: 6),
            "\(spread.map { $0.reason?.summary ?? "" })")
    }

    @Test("A rule on all devices counts what they do together, whatever is judged per device")
    func together() throws {
        for grouping in [Grouping.capture, .device, .connection] {
            let results = try results(
                Self.same, suite: Self.suite(Self.rule(per: "trace")), per: grouping)
            let rules = try #require(results.first { $0.id == TestCase.rulesID })
            #expect(rules.verdict == .fail, "\(grouping)")
            #expect(rules.checks == [CheckResult(requirement: "R-2", verdict: .fail)])
            #expect(rules.reason?.explanation?.frames == [5], "\(grouping)")
            let summary = rules.reason?.summary ?? ""
            #expect(
                summary.contains("one of 3 within 10 ms where 2 within 500ms are allowed"),
                "\(summary)")
        }
    }

    @Test("A rule per device counts each by itself")
    func each() throws {
        let suite = Self.suite(Self.rule(per: "device"))
        let calm = try results(Self.same, suite: suite, per: .device)
        #expect(calm.first { $0.id == TestCase.rulesID }?.verdict == .pass)
        let storm = try results(Self.same + [[1, 1, 1]], suite: suite, per: .device)
        let rules = try #require(storm.first { $0.id == TestCase.rulesID })
        #expect(rules.verdict == .fail)
        #expect(rules.reason?.summary.contains("one of 3 within 4") == true)
    }

    @Test("A rule that follows one device does not judge several")
    func unclear() throws {
        let rule = """
            rules:
              - id: refused
                title: A refused attempt is repeated within a second
                checks: [R-2]
                whenever: {message: tcp.refused, from: server}
                then: [{expect: tcp.SYN, within: 1s}]
            """
        let results = try results(Self.same, suite: Self.suite(rule), per: .device)
        let rules = try #require(results.first { $0.id == TestCase.rulesID })
        #expect(rules.verdict == .error)
        #expect(rules.reason?.summary.hasPrefix("several devices talk to the peers") == true)
    }

    @Test("A capture of one of several devices does not show what all of them do")
    func severalCaptures() throws {
        let bench = try WorkBench(suite: Self.suite(Self.rule(per: "trace")))
        let rules = try #require(bench.suite.rulesCase)
        func verdicts(_ captures: [[String]], _ grouping: Grouping = .capture) -> [Verdict] {
            var options = CaptureCheck.Options(.builtIn)
            (options.grouping, options.isEndKnown) = (grouping, true)
            let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
            return check.run(captures: captures, folder: "", command: []) { _, _ in }.cases
                .filter { $0.id.hasPrefix(rules.id) }.map(\.verdict)
        }
        let together = try (0..<3).map {
            try Self.capture([Self.same[0]], in: bench, as: "device\($0)", from: $0)
        }
        let apart = try (0..<3).map {
            try Self.capture(
                [Self.same[0]], in: bench, as: "day\($0)", from: $0, at: 86_400_000 * $0)
        }
        for grouping in [Grouping.capture, .device, .connection] {
            #expect(
                verdicts(together.map { [$0] }, grouping)
                    == [.inconclusive, .inconclusive, .inconclusive], "\(grouping)")
            #expect(verdicts(apart.map { [$0] }, grouping) == [.pass, .pass, .pass], "\(grouping)")
        }
        #expect(verdicts([[together[0]]]) == [.pass])
        #expect(verdicts([together]) == [.fail])
        let storm = try Self.capture([[1, 1, 1]], in: bench, as: "storm", from: 3)
        #expect(verdicts([[storm], [together[0]]]) == [.fail, .inconclusive])
        // The waits of their devices are not judged together either, and a result says so.
        var options = CaptureCheck.Options(.builtIn)
        options.isEndKnown = true
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        let waits = check.run(captures: together.map { [$0] }, folder: "", command: []) { _, _ in }
            .cases.filter { $0.id.hasPrefix("reconnects") }
        #expect(
            waits.map { $0.remarks.contains { $0.contains("--join --per device") } }
                == [false, true, true])
    }
}
