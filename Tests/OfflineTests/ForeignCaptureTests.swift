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

@Suite("What real peers do in a capture of another tool")
struct ForeignCaptureTests {
    @Test("A device that repeats what its peer did not answer is not failed")
    func repeatsUnanswered() throws {
        let suite = Self.suite(
            "web: {is: http.server, port: 80}",
            """
            - expect: http.request
            - {expect: http.response, from: web, where: {http.response.code: 200}}
            """)
        func result(_ lines: [Traffic.Line]) throws -> CaseResult {
            try Traffic(port: 80, lines).result(suite)
        }
        let get = "GET /a HTTP/1.1\r\nHost: w\r\n\r\n"
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
        let reset = try result([
            .call(get, 10), .answer("", 20, flags: [.rst, .ack]), .call(get, 1_000, on: 1),
            .answer(ok, 1_010, on: 1),
        ])
        #expect(reset.verdict == .inconclusive)
        #expect(reset.checks == [CheckResult(requirement: "R-1", verdict: .inconclusive)])
        #expect(reset.reason?.explanation?.step == 2)
        #expect(reset.reason?.summary.contains("peer web did not send") == true)
        for lines: [Traffic.Line] in [
            [
                .call(get, 10), .answer(busy, 20), .call(get, 1_000), .answer(ok, 1_010),
            ],
            [.call(get, 10), .call(get, 1_000, on: 1), .answer(ok, 1_010, on: 1)],
            [.call(get, 10), .answer(busy, 20), .call(get, 1_000)],
        ] {
            #expect(try result(lines).verdict == .inconclusive)
        }
        let impatient = try result([
            .call(get, 10), .call(get, 20), .answer(ok, 1_010), .answer(ok, 1_020),
        ])
        #expect(impatient.verdict == .fail)
        #expect(impatient.reason?.explanation?.step == 2)
        #expect(impatient.reason?.explanation?.frames.contains(5) == true)
    }

    @Test("Bytes that a step sends, and what a peer's script says, are not beyond the case")
    func sentBytes() throws {
        let sending = Self.suite(
            "c: {is: tcp.client, port: 5000, stream: {until: \"\\r\\n\"}}",
            """
            - {send: {text: "GET 1\\r\\n"}, from: c}
            - {expect: stream.message, where: {text: OK 1}}
            """, role: "any.device", case: "preamble: [{do: c.connect}]")
        let wrong = try Traffic(
            port: 5000, [.call("GET 1\r\n", 10), .answer("OK 7\r\n", 20)]
        ).result(sending)
        #expect(wrong.verdict == .fail)
        #expect(wrong.checks == [CheckResult(requirement: "R-1", verdict: .fail)])
        #expect(wrong.reason?.explanation?.step == 3)
        #expect(wrong.reason?.explanation?.frames == [5])
        let beyond = try Traffic(
            port: 5000,
            [.call("GET 1\r\n", 10), .call("GET 7\r\n", 15), .answer("OK 7\r\n", 20)]
        ).result(sending)
        #expect(beyond.verdict == .inconclusive)
        let greeted = Self.suite(
            """
            s: {is: tcp.server, port: 2525, stream: {until: "\\r\\n"}, greeting: "220 mx\\r\\n"}
            """, "- {expect: stream.message, where: {text: HELO}}", role: "any.device")
        for (greeting, verdict) in [("220 mx", Verdict.fail), ("421 go", .inconclusive)] {
            let result = try Traffic(
                port: 2525, [.answer("\(greeting)\r\n", 10), .call("BAD\r\n", 20)]
            ).result(greeted)
            #expect(result.verdict == verdict)
            #expect(result.reason?.explanation?.frames.contains(5) == true)
        }
    }

    @Test(
        "What a rule forbids stays forbidden after the FIN of the peer, which the device may follow"
    )
    func forbiddenAfterFIN() throws {
        let suite = Self.suite(
            "s: {is: tcp.server, port: 2525, stream: {until: \"\\n\"}}",
            "- {expect: stream.message, where: {text: B}}", role: "any.device",
            more: """
                rules:
                  - id: no-c
                    title: No C and no FIN after B
                    checks: [R-2]
                    per: connection
                    whenever: {message: stream.message, where: {text: B}}
                    never: [{message: stream.message, where: {text: C}}, tcp.FIN]
                """)
        func result(_ lines: [Traffic.Line]) throws -> CaseResult {
            try Traffic(port: 2525, [.call("B\n", 10)] + lines).result(suite, "rules")
        }
        let fin = TCPFlags.fin.union(.ack)
        let broken = try result([.answer("", 20, flags: fin), .call("C\n", 30)])
        #expect(broken.verdict == .fail)
        #expect(broken.checks == [CheckResult(requirement: "R-2", verdict: .fail)])
        #expect(broken.reason?.explanation?.frames == [4, 6])
        let closed = try result([.answer("", 20, flags: fin), .call("", 30, flags: fin)])
        #expect(closed.verdict == .pass)
        let first = try result([.call("", 20, flags: fin), .answer("", 30, flags: fin)])
        #expect(first.verdict == .fail)
    }

    @Test("A rule that depends on a configuration is not judged where none is known")
    func unknownConfiguration() throws {
        for condition in ["device.limit", "limit"] {
            let suite = Self.suite(
                "s: {is: tcp.server, port: 2525, stream: {until: \"\\n\"}}",
                "- {expect: stream.message, where: {text: B}}", role: "any.device",
                more: """
                    state:
                      limit: {starts: "${device.limit}", on: {message: tcp.RST, set: 1}}
                    rules:
                      - id: limited
                        title: The limit is 7
                        checks: [R-2]
                        whenever: stream.message
                        holds: {\(condition): 7}
                    """)
            let result = try Traffic(port: 2525, [.call("B\n", 10)]).result(suite, "rules")
            #expect(result.verdict == .skipped)
            #expect(result.checks == [])
            #expect(result.reason?.summary.contains("1 need the configuration") == true)
        }
    }

    @Test("Times that are all zero are not times, so that silence is not judged by them")
    func zeroTimes() throws {
        let suite = Self.suite(
            "s: {is: tcp.server, port: 2525, stream: {until: \"\\n\"}}",
            "- {expect: stream.message, where: {text: B}}", role: "any.device")
        let traffic = Traffic(port: 2525, [.call("B\n", 10), .call("C\n", 3_000)])
        #expect(try traffic.result(suite).verdict == .pass)
        let untimed = try traffic.result(suite) { _ in 0 }
        #expect(untimed.verdict == .inconclusive)
        #expect(untimed.reason?.code == .captureLoss)
        #expect(untimed.reason?.explanation?.frames == [1, 5])
        let sooner = Traffic(port: 2525, [.call("B\n", 10), .call("C\n", 20)])
        #expect(try sooner.result(suite).verdict == .fail)
    }

    @Test("A failure is not that of one device if another one comes later")
    func laterDevice() throws {
        let suite = Self.suite(
            "web: {is: http.server, port: 80}",
            "- {expect: http.request, where: {http.request.uri: /}}")
        func result(_ uris: [String]) throws -> CaseResult {
            let lines = uris.enumerated().map { index, uri in
                Traffic.Line.call(
                    "GET \(uri) HTTP/1.1\r\nHost: w\r\n\r\n", 10 + 5_000 * index, on: 10 * index)
            }
            return try Traffic(port: 80, lines).result(suite)
        }
        let confused = try result(["/admin", "/"])
        #expect(confused.verdict == .error)
        #expect(confused.reason?.summary.contains("--per device") == true)
        #expect(try result(["/admin"]).verdict == .fail)
        #expect(try result(["/", "/admin"]).verdict == .pass)
    }

    /// Returns a suite of one case with one peer.
    private static func suite(
        _ peer: String, _ steps: String, role: String = "http.client", more: String = "",
        case lines: String = "unexpected: fail"
    ) -> String {
        """
        conform: 1
        suite: foreign
        title: A capture of another tool
        requirements: [catalogue.yaml]
        device: {role: \(role)}
        roles: {any.device: {text: Any device.}}
        peers:
          \(peer)
        \(more)
        cases:
          - id: case
            title: A case
            checks: [R-1]
            quiet: 1s
            \(lines)
            steps:
        \(steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
        """
    }
}

/// Connections of 10.0.1.1, and of 10.0.1.2 from number 10 on, to a port of 10.0.0.2.
private struct Traffic {
    /// What one side sends.
    struct Line {
        let side: Conversation.Side
        let text: String
        let milliseconds: Int
        var connection = 0
        var flags: TCPFlags = [.ack]

        static func call(
            _ text: String, _ at: Int, on connection: Int = 0, flags: TCPFlags = [.ack]
        ) -> Line {
            Line(
                side: .caller, text: text, milliseconds: at, connection: connection, flags: flags)
        }

        static func answer(
            _ text: String, _ at: Int, on connection: Int = 0, flags: TCPFlags = [.ack]
        ) -> Line {
            Line(
                side: .callee, text: text, milliseconds: at, connection: connection, flags: flags)
        }
    }

    private var packets: [(milliseconds: Int, bytes: [UInt8])] = []

    init(port: UInt16, _ lines: [Line]) {
        var talks: [Int: Conversation] = [:]
        for line in lines {
            if talks[line.connection] == nil {
                var talk = Conversation(
                    caller: Endpoint(
                        address: IPAddress(ipv4: 0x0A00_0101 + UInt32(line.connection / 10)),
                        port: 40_000 + UInt16(line.connection)),
                    callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: port))
                packets += talk.handshake().map { (line.milliseconds, $0.packet) }
                talks[line.connection] = talk
            }
            guard
                let segment = talks[line.connection]?.segment(
                    from: line.side, flags: line.flags, payload: Array(line.text.utf8))
            else { continue }
            packets.append((line.milliseconds, segment.packet))
        }
        let end = (lines.last?.milliseconds ?? 0) + 8_000
        for connection in talks.keys.sorted() {
            for side in [Conversation.Side.caller, .callee] {
                if let segment = talks[connection]?.segment(from: side) {
                    packets.append((end, segment.packet))
                }
            }
        }
    }

    /// Returns the result of a case of a suite.
    func result(
        _ suite: String, _ id: String = "case", at milliseconds: (Int) -> Int = { $0 }
    ) throws -> CaseResult {
        let bench = try WorkBench(suite: suite)
        let path = bench.folder + "/made.pcapng"
        try WorkBench.write(
            packets.map { (milliseconds($0.milliseconds), $0.bytes) }, to: path)
        let check = CaptureCheck(suite: bench.suite, selection: .init())
        let cases = check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
        return try #require(cases.first { $0.id == id })
    }
}
