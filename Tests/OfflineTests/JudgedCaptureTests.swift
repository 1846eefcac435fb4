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

@Suite("What a capture of another tool is judged on, and what it can prove")
struct JudgedCaptureTests {
    private static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow, quiet: 100ms, within: 1s}
        cases:
          - id: beats
            title: It opens the service and beats
            checks: [R-1]
            steps:
              - expect: sdl.StartService
              - expect: sdl.StartServiceACK
                from: hu
              - expect: sdl.Heartbeat
        """

    /// A message of one side, and its time.
    private struct Line {
        var device: UInt8 = 1
        var side = Conversation.Side.caller
        let milliseconds: Int
        let frame: [UInt8]

        static func start(_ at: Int, device: UInt8 = 1) -> Line {
            Line(device: device, milliseconds: at, frame: [0x10, 7, 1, 0, 0, 0, 0, 0])
        }

        static func accept(_ at: Int, session: UInt8 = 1, device: UInt8 = 1) -> Line {
            Line(
                device: device, side: .callee, milliseconds: at,
                frame: [0x50, 7, 2, session, 0, 0, 0, 0, 0, 0, 0, 1])
        }

        static func beat(_ at: Int, session: UInt8 = 1, device: UInt8 = 1) -> Line {
            Line(
                device: device, milliseconds: at,
                frame: [0x50, 0, 0, session, 0, 0, 0, 0, 0, 0, 0, 9])
        }

        /// Acknowledgements of both sides, which show that nothing was missed.
        static func idle(_ at: Int, device: UInt8 = 1) -> [Line] {
            [
                Line(device: device, milliseconds: at, frame: []),
                Line(device: device, side: .callee, milliseconds: at, frame: []),
            ]
        }
    }

    private func capture(_ lines: [Line], in bench: WorkBench) throws -> String {
        var talks: [UInt8: Conversation] = [:]
        var packets: [(milliseconds: Int, bytes: [UInt8])] = []
        for line in lines {
            if talks[line.device] == nil {
                let address = IPAddress(ipv4: 0x0A00_0100 + UInt32(line.device))
                var talk = Conversation(
                    caller: Endpoint(address: address, port: 40_000),
                    callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 12_345))
                packets += talk.handshake().map { (line.milliseconds, $0.packet) }
                talks[line.device] = talk
            }
            if let segment = talks[line.device]?.segment(from: line.side, payload: line.frame) {
                packets.append((line.milliseconds, segment.packet))
            }
        }
        let path = bench.folder + "/made.pcapng"
        try WorkBench.write(packets, to: path)
        return path
    }

    private func results(
        _ lines: [Line], suite: String = Self.suite,
        _ configure: (inout CaptureCheck.Options) -> Void = { _ in }
    ) throws -> [CaseResult] {
        let bench = try WorkBench(suite: suite)
        var options = CaptureCheck.Options(.builtIn)
        configure(&options)
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        let path = try capture(lines, in: bench)
        return check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
    }

    @Test("Sessions of one connection are judged separately")
    func sessions() throws {
        let results = try results(
            [
                .start(1), .accept(2), .start(10), .accept(12, session: 2), .beat(20),
            ] + Line.idle(4_000)
        ) { $0.grouping = .session }
        #expect(
            results.map(\.id) == ["beats@tcp.stream 0 session 1", "beats@tcp.stream 0 session 2"])
        #expect(results.map(\.verdict) == [.pass, .fail])
    }

    @Test("Several devices are never silently judged as one")
    func devices() throws {
        let lines =
            [
                .start(1), .accept(2), .start(3, device: 2), .accept(4, device: 2), .beat(20),
            ] + Line.idle(4_000) + Line.idle(4_000, device: 2)
        let together = try results(lines)
        #expect(together.map(\.verdict) == [.error])
        #expect(together[0].reason?.summary.contains("--per device") == true)
        let apart = try results(lines) { $0.grouping = .device }
        #expect(apart.map(\.id) == ["beats@device 10.0.1.1", "beats@device 10.0.1.2"])
        #expect(apart.map(\.verdict) == [.pass, .fail])
        let second = Endpoint(address: IPAddress(ipv4: 0x0A00_0102), port: 0)
        let named = try results(lines) { $0.roles.devices = [second: Step.device] }
        #expect(named.map(\.verdict) == [.fail])
    }

    @Test(
        "A message that a peer did not send is not the device's failure, one that came too late is")
    func omission() throws {
        let gone = try results([.start(1), .beat(20)] + Line.idle(4_000))
        #expect(gone.map(\.verdict) == [.inconclusive])
        #expect(gone[0].reason?.summary.contains("peer hu did not send") == true)
        let strict = Self.suite.replacing("unexpected: allow", with: "unexpected: fail")
        let continues = try results([.start(1), .beat(20)] + Line.idle(4_000), suite: strict)
        #expect(continues.map(\.verdict) == [.inconclusive])
        #expect(continues[0].reason?.summary.contains("peer hu did not send") == true)
        let early = try results(
            [.start(1), .beat(20), .accept(500)] + Line.idle(4_000), suite: strict)
        #expect(early.map(\.verdict) == [.fail])
    }

    @Test("Silence to the end passes only where the end is known")
    func quietToTheEnd() throws {
        let suite = Self.suite.replacing("quiet: 100ms", with: "quiet: end")
            .replacing("unexpected: allow", with: "unexpected: fail")
        let lines: [Line] = [.start(1), .accept(2), .beat(20)] + Line.idle(4_000)
        let open = try results(lines, suite: suite)
        #expect(open.map(\.verdict) == [.inconclusive])
        #expect(open[0].reason?.summary.contains("--assume complete") == true)
        let known = try results(lines, suite: suite) { $0.isEndKnown = true }
        #expect(known.map(\.verdict) == [.pass])
        let broken = try results(lines + [.beat(9_000)] + Line.idle(9_100), suite: suite) {
            $0.isEndKnown = true
        }
        #expect(broken.map(\.verdict) == [.fail])
    }

    @Test("Roles that contradict the metadata of our own capture are refused")
    func contradiction() throws {
        let bench = try WorkBench()
        let path = try bench.capture(TestBench.Segment.opening(extra: 0))
        for (port, verdict) in [(UInt16(12_345), Verdict.pass), (9, .error)] {
            var options = CaptureCheck.Options(.builtIn)
            options.roles.peers = ["hu": Endpoint(address: .loopback, port: port)]
            let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
            let run = check.run(captures: [[path]], folder: "", command: []) { _, _ in }
            #expect(run.cases.map(\.verdict) == [verdict])
        }
    }

    @Test("A capture on which nothing can be judged does not prevent judging others")
    func others() throws {
        let bench = try WorkBench()
        let good = try bench.capture(TestBench.Segment.opening(extra: 0))
        let bad = bench.folder + "/bad.pcap"
        try FileSystem.write(Array("no capture".utf8), to: bad)
        let check = CaptureCheck(suite: bench.suite, selection: .init())
        let run = check.run(captures: [[bad], [good]], folder: "", command: []) { _, _ in }
        #expect(run.cases.map(\.verdict) == [.error, .pass])
        #expect(run.exit == nil || run.exit == .couldNotJudge)
        var unjudged: [String] = []
        let none = CaptureCheck(
            suite: bench.suite, selection: .init(patterns: ["nothing"].map(CasePattern.init)))
        _ = none.run(
            captures: [[good]], folder: "", command: [], unjudged: { unjudged.append($0) }
        ) { _, _ in }
        #expect(unjudged == [good])
    }

    @Test(
        "Skipping messages that change nothing changes no verdict",
        arguments: [
            "app-js-core-wrong-language", "app-js-core-resume", "app-java-core-registration",
            "app-java-protocol-v2", "heartbeat",
        ])
    func screened(name: String) throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let captures = "/" + root + "/GoldenCaptures"
        for policy in [UnexpectedPolicy.fail, .allow] {
            var suite = try SuiteLoader(.builtIn).load(path: "\(captures)/suites/\(name).yaml")
            for index in suite.cases.indices { suite.cases[index].unexpected = policy }
            for file in ["sdl/\(name).pcap", "damaged/lost-26-30.pcap"] {
                let results = try [true, false].map { keepsEvidence in
                    var options = CaptureCheck.Options(.builtIn)
                    options.keepsEvidence = keepsEvidence
                    options.roles.peers["hu"] = Endpoint("127.0.0.1:12345")
                    return try CaptureCheck(
                        suite: suite, selection: .init(), options: options
                    ).judge(suite.cases[0], on: "\(captures)/\(file)")
                }
                #expect(results[0].verdict == results[1].verdict, "\(name) \(file)")
                #expect(results[0].reason?.summary == results[1].reason?.summary)
            }
        }
    }
}
