import BuiltInProtocols
import Glibc
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestBench
import TestTraffic
import Testing
import Trace

@testable import Offline

@Suite("A case judged on every connection")
struct ConnectionCheckTests {
    private static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: fail, quiet: 100ms}
        cases:
          - id: opens
            title: It opens the service and shows something
            checks: [R-1]
            steps:
              - expect: sdl.StartService
              - expect: sdl.StartServiceACK
                from: hu
                within: 1s
              - expect: sdl.Show.request
                where:
                  params.mainField1: here
                  params.mainField2: {present: false}
                  params.softButtons[0].text: {present: false}
                  rpc.function: Show
                  sdl.session_id: 1
            never:
              - sdl.Heartbeat
        """

    /// What an app does after the service is opened.
    private enum Kind: CaseIterable {
        case asDemanded, withOtherText, withBrokenJSON, forbidden, nothingMore, inTwoFrames

        var frames: [[UInt8]] {
            switch self {
            case .asDemanded: [show(#"{"mainField1":"here"}"#)]
            case .withOtherText: [show(#"{"mainField1":"there"}"#)]
            case .withBrokenJSON: [show(#"{"mainField1":"here"#)]
            case .forbidden:
                [show(#"{"mainField1":"here"}"#), [0x50, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]]
            case .nothingMore: []
            case .inTwoFrames:
                [
                    [0x52, 7, 0, 1, 0, 0, 0, 8, 0, 0, 0, 7, 0, 0, 0, 33, 0, 0, 0, 1],
                    [0x53, 7, 0, 1, 0, 0, 0, 33, 0, 0, 0, 7]
                        + Array(show(#"{"mainField1":"here"}"#).dropFirst(12)),
                ]
            }
        }

        private func show(_ json: String) -> [UInt8] {
            let length = UInt8(json.utf8.count)
            return [0x51, 7, 0, 1, 0, 0, 0, length + 12, 0, 0, 0, 7]
                + [0, 0, 0, 13, 0, 0, 0, 3, 0, 0, 0, length] + Array(json.utf8)
        }
    }

    /// Returns a connection of an app with the head unit.
    private func conversation(port: UInt16) -> Conversation {
        Conversation(
            caller: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: port),
            callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 12_345))
    }

    /// Returns the packets of a connection, one millisecond apart.
    private func session(_ kind: Kind, port: UInt16) -> [[UInt8]] {
        var talk = conversation(port: port)
        return session(kind, &talk)
    }

    private func session(_ kind: Kind, _ talk: inout Conversation) -> [[UInt8]] {
        var segments = talk.handshake()
        segments.append(talk.segment(from: .caller, payload: [0x10, 7, 1, 0, 0, 0, 0, 0]))
        segments.append(
            talk.segment(from: .callee, payload: [0x50, 7, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1]))
        for frame in kind.frames { segments.append(talk.segment(from: .caller, payload: frame)) }
        return segments.map(\.packet)
    }

    /// Writes a pcap file of raw IP packets.
    ///
    /// The last packet comes two seconds after the others.
    private func write(_ packets: [[UInt8]], to path: String) throws {
        func words(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
        }
        var file = words([0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 101])
        for (index, packet) in packets.enumerated() {
            let isLast = index == packets.count - 1
            let count = UInt32(packet.count)
            file += words([isLast ? 1_002 : 1_000, UInt32(index) * 1_000, count, count]) + packet
        }
        try FileSystem.write(file, to: path)
    }

    /// A segment of another connection, so that time passes.
    private var ending: [UInt8] {
        let end = Endpoint(address: .loopback, port: 9)
        return Segment(from: end, to: end, sequence: 1, flags: [.ack]).packet
    }

    private typealias Segment = TestTraffic.Segment

    @Test("Counts and findings are those of each connection judged alone", arguments: [1, 2])
    func connectionsAreJudgedAlone(shares: Int) throws {
        let bench = try WorkBench(suite: Self.suite)
        let (path, alone) = try crowd(bench)
        let expected = Dictionary(grouping: alone.values, by: \.self).mapValues(\.count)
        let failing = alone.filter { $0.value != .pass }
        var options = CaptureCheck.Options(.builtIn)
        options.shares = shares
        let report = try ConnectionCheck(
            suite: bench.suite, selection: CaseSelection(), options: options
        ).run([path])
        #expect(report.connectionCount == 24)
        #expect(report.counts["opens"]?.filter { $0.value > 0 } == expected)
        #expect(
            Dictionary(
                uniqueKeysWithValues: report.findings.map {
                    ($0.group.caller?.port ?? 0, $0.verdict)
                }) == failing)
        #expect(
            report.findings.map { $0.group.flow ?? -1 }
                == failing.keys.map { Int($0) - 40_000 }.sorted())
        #expect(report.exit == .notConformant)
        // 24 services, 23 texts and one heartbeat; only the services are answered.
        #expect(report.requestCount == 48)
        #expect(report.answeredCount == 24)
        #expect(expected[.pass, default: 0] > 15)
        #expect(expected[.fail, default: 0] > 2)
    }

    @Test("Requests are only counted in protocols that are read by headers")
    func uncounted() {
        let report = ConnectionReport(suite: "web", cases: ["asks"], skipped: [])
        #expect(report.lines.count == 2)
        #expect(!report.lines.contains { $0.contains("request") })
    }

    @Test("A rule of the suite does not fail a case, but is judged by itself")
    func rules() throws {
        let bench = try WorkBench(
            suite: Self.suite + """

                rules:
                  - id: never-here
                    checks: [R-1]
                    whenever: sdl.StartService
                    never: [sdl.Show.request]
                """)
        let path = "\(bench.folder)/one.pcap"
        try write(session(.asDemanded, port: 40_000) + [ending], to: path)
        let report = try ConnectionCheck(
            suite: bench.suite, selection: CaseSelection(),
            options: CaptureCheck.Options(.builtIn)
        ).run([path])
        #expect(report.counts["opens"]?.filter { $0.value > 0 } == [.pass: 1])
    }

    /// Returns 24 simultaneous connections and the verdict of each judged alone.
    ///
    /// A third of them are not plain passes.
    private func crowd(_ bench: WorkBench) throws -> (path: String, alone: [UInt16: Verdict]) {
        var sessions: [[[UInt8]]] = []
        var alone: [UInt16: Verdict] = [:]
        for number in 0..<24 {
            let kind = Kind.allCases[number % 3 == 0 ? number / 3 % Kind.allCases.count : 0]
            let port = UInt16(40_000 + number)
            sessions.append(session(kind, port: port))
            let path = "\(bench.folder)/\(number).pcap"
            try write(sessions[number] + [ending], to: path)
            let check = CaptureCheck(suite: bench.suite, selection: CaseSelection())
            alone[port] = try check.judge(bench.testCase, on: path).verdict
        }
        // The packets of all connections, interleaved.
        let longest = sessions.map(\.count).max() ?? 0
        let mixed = (0..<longest).flatMap { place in
            sessions.compactMap { place < $0.count ? $0[place] : nil }
        }
        let path = "\(bench.folder)/all.pcap"
        try write(mixed + [ending], to: path)
        return (path, alone)
    }

    @Test(
        "A connection that is given up at the limit is inconclusive with that reason",
        arguments: [1, 2])
    func connectionsBeyondTheLimit(shares: Int) throws {
        let bench = try WorkBench(suite: Self.suite)
        let (path, alone) = try crowd(bench)
        var options = CaptureCheck.Options(.builtIn)
        options.shares = shares
        options.partsMax = 1
        let report = try ConnectionCheck(
            suite: bench.suite, selection: CaseSelection(), options: options
        ).run([path])
        #expect(report.connectionCount == 24)
        var givenUp = 0
        for finding in report.findings {
            let verdict = alone[finding.group.caller?.port ?? 0]
            if finding.reason?.contains("--limit judged=N") == true {
                givenUp += 1
                #expect(finding.verdict == .inconclusive)
            } else {
                #expect(finding.verdict == verdict)
            }
        }
        #expect(givenUp > 0)
        let passed = report.counts["opens"]?[.pass] ?? 0
        #expect(passed <= alone.values.count { $0 == .pass })
        #expect(passed + report.findings.count == 24)
    }

    @Test("The limit holds with reports of each connection too", arguments: [1, 3, 24])
    func resultsBeyondTheLimit(partsMax: Int) throws {
        let bench = try WorkBench(suite: Self.suite)
        let (path, alone) = try crowd(bench)
        var options = CaptureCheck.Options(.builtIn)
        options.grouping = .connection
        options.partsMax = partsMax
        var known: [String: PreparedCase] = [:]
        let results = try JudgedCapture([path], options).judge(
            [bench.testCase], of: bench.suite, prepared: &known)
        #expect(results.count == 24)
        let excess = results.filter { $0.reason?.summary.contains("--limit judged=N") == true }
        #expect(excess.allSatisfy { $0.verdict == .inconclusive })
        #expect(excess.isEmpty == (partsMax == 24))
        let whole = Dictionary(grouping: results, by: \.verdict).mapValues(\.count)
        let expected = Dictionary(grouping: alone.values, by: \.self).mapValues(\.count)
        for (verdict, count) in whole where verdict != .inconclusive {
            #expect(count <= expected[verdict, default: 0], "\(verdict)")
        }
        if partsMax == 24 { #expect(whole == expected) }
    }

    @Test(
        "A connection that continues after its pass is judged with everything that its steps took")
    func afterThePass() throws {
        let bench = try WorkBench(suite: Self.suite)
        var talk = conversation(port: 40_000)
        let pause = [[UInt8]](repeating: ending, count: 150)
        var packets = session(.asDemanded, &talk) + pause
        packets.append(talk.segment(from: .caller, flags: [.fin, .ack]).packet)
        packets.append(
            talk.segment(from: .callee, payload: [UInt8](repeating: 0xFF, count: 40)).packet)
        let path = "\(bench.folder)/after.pcap"
        try write(packets + [ending], to: path)
        #expect(try verdicts(bench, path) == (.pass, [.pass: 1]))
    }

    @Test("Actions of the app are not those of the head unit, where the head unit is the device")
    func calledDevice() throws {
        let bench = try WorkBench(
            suite: """
                conform: 1
                suite: bench
                title: A bench
                requirements: [catalogue.yaml]
                device: {role: sdl.head-unit}
                peers:
                  app: {is: sdl.app}
                defaults: {unexpected: allow, quiet: 100ms}
                cases:
                  - id: ends
                    title: It ends the connection
                    checks: [R-1]
                    steps:
                      - expect: tcp.FIN
                        within: 1s
                """)
        for isEndedByApp in [true, false] {
            var talk = conversation(port: 40_000)
            var packets = session(.nothingMore, &talk)
            packets.append(
                talk.segment(from: isEndedByApp ? .caller : .callee, flags: [.fin, .ack]).packet)
            let path = "\(bench.folder)/ends.pcap"
            try write(packets + [ending], to: path)
            let (alone, counts) = try verdicts(bench, path)
            #expect((alone == .pass) == !isEndedByApp)
            #expect(counts == [alone: 1])
        }
    }

    @Test("A connection of another device than the named one does not pass")
    func namedDevice() throws {
        let bench = try WorkBench(suite: Self.suite)
        let path = "\(bench.folder)/named.pcap"
        try write(session(.asDemanded, port: 40_000) + [ending], to: path)
        for (address, verdict) in [("10.0.0.1", Verdict.pass), ("10.0.0.9", .inconclusive)] {
            var options = CaptureCheck.Options(.builtIn)
            let end = Endpoint(address: try #require(IPAddress(address)), port: 0)
            options.roles.devices = [end: Step.device]
            #expect(try verdicts(bench, path, options).counts == [verdict: 1], "\(address)")
        }
    }

    /// Returns the verdict on a capture, and the number of its connections by verdict.
    private func verdicts(
        _ bench: WorkBench, _ path: String, _ options: CaptureCheck.Options = .init(.builtIn)
    ) throws -> (alone: Verdict, counts: [Verdict: Int]) {
        let check = CaptureCheck(suite: bench.suite, selection: CaseSelection())
        let report = try ConnectionCheck(
            suite: bench.suite, selection: CaseSelection(), options: options
        ).run([path])
        return (
            try check.judge(bench.testCase, on: path).verdict,
            report.counts[bench.testCase.id]?.filter { $0.value > 0 } ?? [:]
        )
    }

    @Test("A case that needs more than one connection is refused")
    func otherCasesAreRefused() throws {
        let bench = try WorkBench(
            suite: Self.suite.replacing(
                "  hu: {is: sdl.head-unit}",
                with: "  hu: {is: sdl.head-unit}\n  hu2: {is: sdl.head-unit, port: 12346}"))
        #expect(throws: CheckError.self) {
            _ = try ConnectionCheck(
                suite: bench.suite, selection: CaseSelection(), options: .init(.builtIn))
        }
    }
}
