import BuiltInProtocols
import Judge
import Results
import SDL
import SuiteLanguage
import TCPIP
import TestBench
import TestTraffic
import Testing
import Trace
import Wire

@testable import Offline

@Suite("Roles where peers call the device")
struct CallingPeersTests {
    private static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.head-unit}
        peers:
          app: {is: sdl.app, upTo: session}
        defaults: {unexpected: allow, quiet: 0s}
        cases:
          - id: opens
            checks: [R-1]
            steps:
              - expect: sdl.StartService
                from: app
              - expect: sdl.StartServiceACK
        """
    private static let device = Endpoint(address: IPAddress(ipv4: 0xC0A8_0005), port: 12_345)
    private static let phone = IPAddress(ipv4: 0xC0A8_0009)

    /// Two calls of one phone, each from its own port.
    ///
    /// The second one starts the service.
    private func capture(in bench: WorkBench, port: UInt16 = 12_345) throws -> String {
        let callee = Endpoint(address: Self.device.address, port: port)
        var first = Conversation(
            caller: Endpoint(address: Self.phone, port: 50_001), callee: callee)
        var second = Conversation(
            caller: Endpoint(address: Self.phone, port: 50_002), callee: callee)
        var encoder = SDL.Encoder(version: 1)
        let start = encoder.encode(.startService, service: .rpc)
        let ack = encoder.encode(.startServiceACK, service: .rpc, sessionID: 1)
        let segments =
            first.handshake() + second.handshake() + [
                second.segment(from: .caller, payload: start),
                second.segment(from: .callee, payload: ack),
            ]
        let path = bench.folder + "/foreign.pcapng"
        let packets = segments.enumerated().map { (milliseconds: $0 + 1, bytes: $1.packet) }
        try WorkBench.write(packets, to: path)
        return path
    }

    private func verdict(_ bench: WorkBench, _ path: String, _ roles: CaptureRoles) throws
        -> Verdict
    { try result(bench, path, roles).verdict }

    private func result(_ bench: WorkBench, _ path: String, _ roles: CaptureRoles) throws
        -> CaseResult
    {
        var options = CaptureCheck.Options(.builtIn)
        options.roles = roles
        return try CaptureCheck(suite: bench.suite, selection: .init(), options: options)
            .judge(bench.testCase, on: path)
    }

    @Test("In a foreign capture the caller of the device's port is the peer, on every connection")
    func foreign() throws {
        let bench = try WorkBench(suite: Self.suite)
        #expect(try verdict(bench, try capture(in: bench), .init()) == .pass)
        #expect(try verdict(bench, try capture(in: bench, port: 3000), .init()) == .pass)
    }

    @Test("The address of a peer is enough to identify it; the address of a stranger is not")
    func stated() throws {
        let bench = try WorkBench(suite: Self.suite)
        let path = try capture(in: bench)
        let phone = Endpoint(address: Self.phone, port: 0)
        #expect(try verdict(bench, path, .init(peers: ["app": phone])) == .pass)
        let stranger = Endpoint(address: .loopback, port: 0)
        #expect(try verdict(bench, path, .init(peers: ["app": stranger])) != .pass)
    }

    @Test("With two peers the caller is unclear, unless no step mentions one of them")
    func several() throws {
        let both = Self.suite.replacing(
            "  app: {is: sdl.app, upTo: session}",
            with: "  app: {is: sdl.app, upTo: session}\n  other: {is: sdl.app}")
        let idle = try WorkBench(suite: both)
        #expect(try verdict(idle, try capture(in: idle), .init()) == .pass)
        let text = both.replacing(
            "    steps:\n", with: "    preamble:\n      - do: other.connect\n    steps:\n")
        let bench = try WorkBench(suite: text)
        let path = try capture(in: bench)
        let result = try result(bench, path, .init())
        #expect(result.verdict == .error)
        #expect(result.reason?.summary.contains("--peer app=ADDRESS ") == true)
        #expect(result.reason?.summary.contains("192.168.0.9)") == true)
    }

    @Test("A device that calls another server first is judged at the port that the suite states")
    func otherServerFirst() throws {
        let bench = try WorkBench(
            suite: """
                conform: 1
                suite: bench
                requirements: [catalogue.yaml]
                device: {role: any.client}
                roles: {any.client: {text: It connects.}}
                peers: {server: {is: tcp.server, port: 7777}}
                defaults: {quiet: 0s}
                cases:
                  - id: connects
                    checks: [R-1]
                    steps:
                      - expect: tcp.SYN
                        where: {tcp.dstport: 7777}
                      - expect: tcp.data
                      - expect: tcp.FIN
                """)
        let segments = [UInt16(443), 7777].flatMap { port in
            var conversation = Conversation(
                caller: Endpoint(address: Self.phone, port: 50_000 + port % 10),
                callee: Endpoint(address: Self.device.address, port: port))
            return conversation.handshake() + [
                conversation.segment(from: .caller, payload: Array("hello".utf8)),
                conversation.segment(from: .caller, flags: [.fin, .ack]),
            ]
        }
        let path = bench.folder + "/foreign.pcapng"
        let packets = segments.enumerated().map { (milliseconds: $0 + 1, bytes: $1.packet) }
        try WorkBench.write(packets, to: path)
        let result = try result(bench, path, .init())
        #expect(result.verdict == .pass, "\(result.reason?.summary ?? "")")
    }

    @Test("An address with the port 0 means every port of that address, and no other address")
    func parties() {
        var parties = Parties(peers: [Endpoint(address: Self.phone, port: 0): "app"])
        parties.devicesByPeer[Endpoint(address: Self.phone, port: 0)] = "second"
        func message(_ source: Endpoint, _ destination: Endpoint) -> TraceMessage {
            TraceMessage(
                number: 1, time: Timestamp(nanoseconds: 0), frames: [], source: source,
                destination: destination,
                content: DeviceEvent(name: "device.made-up", fields: .object([])))
        }
        let call = message(Endpoint(address: Self.phone, port: 4000), Self.device)
        #expect(parties.sender(of: call) == "app" && parties.receiver(of: call) == "second")
        let answer = message(Self.device, Endpoint(address: Self.phone, port: 4001))
        #expect(parties.sender(of: answer) == "second" && parties.receiver(of: answer) == "app")
        let other = message(Endpoint(address: .loopback, port: 4000), Self.device)
        #expect(parties.sender(of: other) == nil)
    }
}
