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

@Suite("Rules and cases on captures of other tools")
struct RulesOfCapturesTests {
    private static let suite = """
        conform: 1
        suite: line
        requirements: [catalogue.yaml]
        device: {role: any.client}
        roles: {any.client: {text: It says hello.}}
        peers: {s: {is: tcp.server, port: 2525, stream: {until: "\\n"}}}
        defaults: {quiet: 0s, unexpected: allow}
        rules:
          - id: never-shouts
            title: It never shouts
            checks: [R-1]
            whenever: beginning
            never: [{message: stream.message, from: device, where: {text: SHOUT}}]
        cases:
          - id: hello
            title: It says hello, then it resets
            checks: [R-1]
            steps:
              - {expect: stream.message, where: {text: hello}}
              - {expect: tcp.RST}
            never: [tcp.RST]
        """
    private static let client = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 40_000)
    private static let server = Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 2_525)

    /// Judges packets, which are one after the other at these times.
    private func verdicts(
        _ packets: [(milliseconds: Int, bytes: [UInt8])], per grouping: Grouping = .capture,
        device: Endpoint? = nil
    ) throws -> [String: Verdict] {
        let bench = try WorkBench(suite: Self.suite)
        let path = bench.folder + "/made.pcapng"
        try WorkBench.write(packets, to: path)
        var options = CaptureCheck.Options(.builtIn)
        (options.grouping, options.isEndKnown) = (grouping, true)
        if let device {
            options.roles = CaptureRoles(peers: ["s": Self.server])
            options.roles.devices = [device: "device"]
        }
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        let cases = check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
        return Dictionary(cases.map { ($0.id, $0.verdict) }, uniquingKeysWith: { $1 })
    }

    /// A connection on which the device says lines, which the server answers, and resets it.
    private func talk(_ lines: [String], resets: Int = 1) -> [[UInt8]] {
        var talk = Conversation(caller: Self.client, callee: Self.server)
        var segments = talk.handshake()
        for line in lines {
            segments.append(talk.segment(from: .caller, payload: Array("\(line)\n".utf8)))
            guard line != "hullo" else { continue }
            segments.append(talk.segment(from: .callee, payload: Array("OK\n".utf8)))
        }
        let reset = talk.segment(from: .caller, flags: [.rst, .ack])
        segments += [_](repeating: reset, count: resets)
        return segments.map(\.packet)
    }

    private func timed(_ packets: [[UInt8]]) -> [(milliseconds: Int, bytes: [UInt8])] {
        packets.enumerated().map { ($0, $1) }
    }

    @Test("A rule holds whatever a real peer sends")
    func peersMessages() throws {
        let shouts = try verdicts(timed(talk(["hello", "SHOUT"])))
        #expect(shouts["rules"] == .fail)
        #expect(try verdicts(timed(talk(["hello", "psst"])))["rules"] == .pass)
    }

    @Test("A reset that is captured twice is one")
    func copiedReset() throws {
        for count in 1...3 {
            #expect(try verdicts(timed(talk(["hello"], resets: count)))["hello"] == .pass)
        }
    }

    @Test("Connections of a protocol without sessions are the sessions")
    func sessions() throws {
        let right = try verdicts(timed(talk(["hello"])), per: .session)
        #expect(right == ["hello@tcp.stream 0": .pass, "rules": .pass])
        let later = Datagram(from: Self.client, to: Self.server, []).packet
        let wrong = try verdicts(timed(talk(["hullo"])) + [(9_000, later)], per: .session)
        #expect(wrong["hello@tcp.stream 0"] == .fail, "\(wrong)")
    }

    @Test("Rules on a capture that shows nothing of the device decide nothing")
    func otherDevice() throws {
        let packets = timed(talk(["hello"]))
        let other = Endpoint(address: IPAddress(ipv4: 0x0A00_0009), port: 0)
        #expect(try verdicts(packets, device: other)["rules"] == .inconclusive)
        #expect(
            try verdicts(packets, device: Endpoint(address: Self.client.address, port: 0))[
                "rules"] == .pass)
    }

    @Test("A clock that is set back between the packets of others decides nothing after it")
    func clockOfOthers() throws {
        let other = Datagram(from: Self.client, to: Self.server, []).packet
        let packets = talk(["hello"])
        for (step, verdict) in [(-1_000, Verdict.inconclusive), (-10, .pass)] {
            let before = [(milliseconds: 0, bytes: other), (2_000, other), (2_000 + step, other)]
            let after = packets.enumerated().map { (2_001 + step + $0, $1) }
            let verdicts = try verdicts(before + after)
            #expect(verdicts["hello"] == verdict, "\(step)")
            // A connection that begins later is not concerned.
            #expect(
                try self.verdicts(before + after, per: .connection)["hello@tcp.stream 0"] == .pass)
        }
    }
}
