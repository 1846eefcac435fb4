import BuiltInProtocols
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestBench
import TestSupport
import TestTraffic
import Testing
import Trace

@testable import Offline

@Suite("Which connections belong to a peer whose port is known")
struct PeerPortTests {
    private static let suite = """
        conform: 1
        suite: ports
        requirements: [catalogue.yaml]
        device: {role: any.client}
        roles: {any.client: {text: It says alpha.}}
        peers: {s: {is: tcp.server, port: 2525, stream: {until: "\\n"}}}
        defaults: {quiet: 0s}
        cases:
          - id: alpha
            title: It says alpha
            checks: [R-1]
            steps:
              - {expect: tcp.SYN, within: 1s}
              - {expect: stream.message, where: {text: alpha}, within: 1s}
        """

    private static let web = """
        conform: 1
        suite: ports
        requirements: [catalogue.yaml]
        device: {role: http.client}
        peers: {s: {is: http.server, port: 2525}}
        defaults: {quiet: 0s}
        cases:
          - id: alpha
            title: It asks
            checks: [R-1]
            steps: [{expect: http.request, within: 1s}]
        """

    private static func end(_ host: UInt8, _ port: UInt16) -> Endpoint {
        Endpoint(address: IPAddress(ipv4: 0x0A00_0000 + UInt32(host)), port: port)
    }

    /// A connection, what its caller sends, and whether it is refused.
    private struct Call {
        let caller: Endpoint
        let callee: Endpoint
        var text = ""
        var refused = false
    }

    private func results(
        _ calls: [Call], per grouping: Grouping, suite: String = Self.suite
    ) throws -> [CaseResult] {
        let bench = try WorkBench(suite: suite)
        var segments: [TestTraffic.Segment] = []
        for call in calls {
            var talk = Conversation(caller: call.caller, callee: call.callee)
            if call.refused {
                segments.append(talk.segment(from: .caller, flags: [.syn]))
                segments.append(talk.segment(from: .callee, flags: [.rst, .ack]))
                continue
            }
            segments += talk.handshake()
            if !call.text.isEmpty {
                segments.append(talk.segment(from: .caller, payload: Array(call.text.utf8)))
            }
            segments.append(talk.segment(from: .callee))
            segments.append(talk.segment(from: .caller, flags: [.fin, .ack]))
            segments.append(talk.segment(from: .callee, flags: [.fin, .ack]))
            segments.append(talk.segment(from: .caller))
        }
        let path = bench.folder + "/made.pcapng"
        let last = Datagram(from: Self.end(9, 1), to: Self.end(8, 1), [])
        try WorkBench.write(
            segments.enumerated().map { (milliseconds: $0, bytes: $1.packet) }
                + [(5_000, last.packet)], to: path)
        var options = CaptureCheck.Options(.builtIn)
        (options.grouping, options.isEndKnown) = (grouping, true)
        let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
        return check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
    }

    private static let good = Call(caller: end(1, 40_000), callee: end(2, 2_525), text: "alpha\n")

    @Test(
        "A caller whose own port is that of a peer does not call the peer",
        arguments: [Grouping.capture, .connection, .device])
    func callersPort(grouping: Grouping) throws {
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let elsewhere = Call(caller: Self.end(1, 2_525), callee: Self.end(9, 443), text: get)
        for calls in [[Self.good, elsewhere], [elsewhere, Self.good]] {
            let results = try results(calls, per: grouping)
            #expect(results.map(\.verdict) == [.pass], "\(results.map(\.id))")
        }
        let asks = Call(caller: Self.end(1, 40_000), callee: Self.end(2, 2_525), text: get)
        for calls in [[asks, elsewhere], [elsewhere, asks]] where grouping != .connection {
            let results = try results(calls, per: grouping, suite: Self.web)
            #expect(results.map(\.verdict) == [.pass], "\(results.map(\.id))")
        }
    }

    @Test(
        "If both ends have the port of a peer, the SYN says who it is",
        arguments: [Grouping.capture, .connection, .device])
    func samePorts(grouping: Grouping) throws {
        let call = Call(caller: Self.end(1, 2_525), callee: Self.end(2, 2_525), text: "alpha\n")
        let results = try results([call], per: grouping)
        #expect(results.map(\.verdict) == [.pass])
    }

    @Test("A device that calls a peer's port is judged, whatever it says there")
    func silentDevices() throws {
        let calls = [
            Self.good, Call(caller: Self.end(3, 40_000), callee: Self.end(2, 2_525)),
            Call(caller: Self.end(4, 40_000), callee: Self.end(2, 2_525), text: "\u{16}\u{3}beta"),
            Call(caller: Self.end(5, 40_000), callee: Self.end(2, 2_525), refused: true),
            Call(caller: Self.end(6, 40_000), callee: Self.end(9, 443), text: "alpha\n"),
        ]
        let results = try results(calls, per: .device)
        #expect(
            results.map(\.id) == [1, 3, 4, 5].map { "alpha@device 10.0.0.\($0)" })
        #expect(results.map(\.verdict).prefix(3) == [.pass, .fail, .fail])
        #expect(results.last?.verdict != .pass)
        let web = try self.results(calls, per: .device, suite: Self.web)
        #expect(web.map(\.id) == results.map(\.id))
        #expect(web.map(\.verdict).prefix(3) == [.fail, .fail, .fail])
    }

    @Test(
        "A device that has the port of a peer when it asks another server is not the peer",
        arguments: [Grouping.capture, .device], [UInt16(123), 9_123])
    func datagramsElsewhere(grouping: Grouping, port: UInt16) throws {
        let bench = try WorkBench(
            suite: Self.suite.replacing(", stream: {until: \"\\n\"}", with: "")
                .replacing("tcp.server", with: "udp.server")
                .replacing("      - {expect: tcp.SYN, within: 1s}\n", with: "")
                .replacing("stream.message", with: "udp.datagram"))
        let (device, peer) = (Self.end(1, 40_000), Self.end(2, 2_525))
        let (client, other) = (Self.end(1, 2_525), Self.end(9, port))
        let elsewhere = [
            Datagram(from: client, to: other, [1]), Datagram(from: other, to: client, [2]),
        ]
        let own = [
            Datagram(from: device, to: peer, Array("alpha".utf8)),
            Datagram(from: peer, to: device, Array("ok".utf8)),
        ]
        for datagrams in [elsewhere + own, own + elsewhere] {
            let path = bench.folder + "/made.pcapng"
            let last = Datagram(from: Self.end(9, 1), to: Self.end(8, 1), [])
            try WorkBench.write(
                datagrams.enumerated().map { (milliseconds: $0, bytes: $1.packet) }
                    + [(5_000, last.packet)], to: path)
            var options = CaptureCheck.Options(.builtIn)
            (options.grouping, options.isEndKnown) = (grouping, true)
            let check = CaptureCheck(suite: bench.suite, selection: .init(), options: options)
            let cases = check.run(captures: [[path]], folder: "", command: []) { _, _ in }.cases
            #expect(cases.map(\.verdict) == [.pass], "\(cases.map(\.id))")
        }
    }

    @Test("The port of a client is not that of a described protocol")
    func datagrams() throws {
        let folder = "\(try #require(DescribedFramesTests.root))/Suites/examples/descriptions"
        let dns = try SuiteLoader(.builtIn).loadProtocol(path: "\(folder)/dns.yaml")
        let query: [UInt8] = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 1, 0, 1]
        /// Returns the names of the datagrams from each end to the next one.
        func names(_ ends: Endpoint...) throws -> [String] {
            let scratch = TemporaryFolder()
            let path = scratch.path + "/made.pcapng"
            let packets = zip(ends, ends.dropFirst()).enumerated().map {
                (milliseconds: $0, bytes: Datagram(from: $1.0, to: $1.1, query).packet)
            }
            try WorkBench.write(packets, to: path)
            var options = TraceOptions(.builtIn)
            options.datagramsByPort = [5_300: dns]
            return try RecordedTrace(contentsOf: path, options: options).messages.map(\.name)
        }
        let (device, peer, time) = (Self.end(1, 40_000), Self.end(2, 5_300), Self.end(9, 123))
        #expect(try names(device, peer) == ["dns.query"])
        #expect(try names(peer, device) == ["dns.query"])
        // A client does not have a system port, but what sends to the port of a peer may have one.
        let client = Self.end(1, 5_300)
        #expect(try names(client, time) == ["udp.datagram"])
        #expect(try names(client, time, client) == ["udp.datagram", "udp.datagram"])
        #expect(try names(Self.end(1, 161), peer) == ["dns.query"])
    }
}
