import SDL
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("Answers that differ from a peer's own")
struct AnswerTableTests {
    /// A head unit behind a table, and an app with a session.
    private struct Bench {
        var peer: any Peer
        var table: AnswerTable
        var app: SDL.Encoder
        var now: Int64 = 0
        let connection = PeerConnection(address: .loopback, port: 40_000)
        private var stream = TestStream()
        private var answers = TestStream()
        private var correlationID: Int32 = 10

        init(_ entries: [Value], registered: Bool = true) throws {
            peer = try HeadUnitPeer(
                PeerDeclaration(
                    name: "hu", kind: .headUnit, settings: [:],
                    position: SourcePosition(file: "test.yaml", line: 1, column: 1)))
            let none = try AnswerTable(.null) { SDL.registry.message(named: $0)?.response }
            table = none
            app = SDL.Encoder(version: 5, sessionID: 1)
            if registered {
                _ = try start()
                _ = try request("RegisterAppInterface", .registration)
            }
            try table.change(to: .array(entries))
        }

        mutating func start() throws -> [[SDL.Message]] {
            try show(
                app.encode(
                    .startService, service: .rpc, parameters: ["protocolVersion": "5.4.0"],
                    sessionID: 0, version: 1))
        }

        /// Returns the messages in each segment by which the head unit reacts at once.
        mutating func request(_ function: String, _ parameters: Value) throws -> [[SDL.Message]] {
            correlationID += 1
            let rpc = try #require(
                SDL.RPC(.request, function, correlationID: correlationID, parameters: parameters))
            return try show(app.encode(rpc))
        }

        mutating func show(_ bytes: [UInt8]) throws -> [[SDL.Message]] {
            let message = try #require(stream.decode(bytes).last)
            return segments(
                try table.observe(
                    message, on: connection, sentByPeer: false, withholdAnswer: false, by: &peer))
        }

        mutating func event(_ kind: TCPEvent.Kind) throws {
            let header = TCPHeader(
                sourcePort: connection.port, destinationPort: 12345, sequence: TCPSequence(1),
                flags: [])
            _ = try table.observe(
                TCPEvent(
                    kind, from: .loopback, to: .loopback, header: header, segmentLength: 0,
                    stream: 0), on: connection, sentByPeer: false, withholdAnswer: false, by: &peer)
        }

        mutating func wait(_ milliseconds: Int64) throws -> [[SDL.Message]] {
            now += milliseconds * 1_000_000
            return segments(try table.advance(to: now, by: &peer))
        }

        /// The commands other than writing since the beginning.
        var others: [PeerCommand] = []

        private mutating func segments(_ commands: [PeerCommand]) -> [[SDL.Message]] {
            var segments: [[SDL.Message]] = []
            for command in commands {
                if case .write(_, let bytes) = command {
                    segments.append(answers.decode(bytes))
                } else {
                    others.append(command)
                }
            }
            return segments
        }
    }

    private static let show: Value = ["mainField1": "a"]

    @Test("An answer comes later; the head unit takes the request only then")
    func later() throws {
        var bench = try Bench(
            [
                ["message": "sdl.RegisterAppInterface.request", "after": "2s"]
            ], registered: false)
        _ = try bench.start()
        #expect(try bench.request("RegisterAppInterface", .registration).isEmpty)
        #expect(bench.table.nextDeadline == 2_000_000_000)
        // Until then the app is not registered; other requests are answered at once.
        let early = try bench.request("Show", Self.show).flatMap(\.self)
        #expect(early.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")
        #expect(try bench.wait(1_999).isEmpty)
        let names = try bench.wait(1).flatMap(\.self).names
        #expect(names.first == "sdl.RegisterAppInterface.response")
        #expect(names.contains("sdl.OnHMIStatus.notification"))
        #expect(bench.table.nextDeadline == nil)
    }

    @Test("Fields of the answer are replaced and left out, as often as the entry says")
    func fields() throws {
        var bench = try Bench(
            [
                [
                    "message": "sdl.RegisterAppInterface.request", "times": 1,
                    "with": ["params.success": false, "params.resultCode": "DISALLOWED"],
                ],
                [
                    "message": "sdl.RegisterAppInterface.request",
                    "with": ["params.language": .null, "params.vehicleType": .null],
                ],
                ["message": "sdl.StartService", "with": ["params.mtu": .null]],
            ], registered: false)
        let started = try #require(try bench.start().first?.first)
        #expect(started.name == "sdl.StartServiceACK")
        #expect(started["params.mtu"] == nil)
        #expect(started["params.hashId"] != nil)
        let refused = try bench.request("RegisterAppInterface", .registration).flatMap(\.self)
        #expect(refused.names == ["sdl.RegisterAppInterface.response"])
        #expect(refused[0]["params.resultCode"] == "DISALLOWED")
        let accepted = try #require(
            try bench.request("RegisterAppInterface", .registration).first?.first)
        #expect(accepted["params.success"] == true)
        #expect(accepted["params.language"] == nil)
        #expect(accepted["params.vehicleType"] == nil)
        #expect(accepted["params.hmiDisplayLanguage"] == "EN-US")
    }

    @Test("Another message is the answer, or none is, and the connection ends after it")
    func others() throws {
        var bench = try Bench(
            [
                ["message": "sdl.StartService", "send": "sdl.StartServiceNAK", "times": 1],
                ["message": "sdl.RegisterAppInterface.request", "silent": true, "then": "reset"],
            ], registered: false)
        try bench.event(.syn)
        #expect(try bench.start().flatMap(\.self).names == ["sdl.StartServiceNAK"])
        #expect(try bench.start().flatMap(\.self).names == ["sdl.StartServiceACK"])
        #expect(try bench.request("RegisterAppInterface", .registration).isEmpty)
        #expect(bench.others == [.reset(bench.connection)])
        #expect(bench.peer.latestConnection == nil)
    }

    @Test("What follows an answer goes into its segment")
    func oneSegment() throws {
        let entry: Value = ["message": "sdl.RegisterAppInterface.request", "together": "ordered"]
        var bench = try Bench([entry], registered: false)
        _ = try bench.start()
        let segments = try bench.request("RegisterAppInterface", .registration)
        #expect(segments.count == 1)
        #expect(segments[0].names.first == "sdl.RegisterAppInterface.response")
        #expect(segments[0].names.contains("sdl.OnHMIStatus.notification"))
    }

    @Test(
        "Answers that wait together come in one segment, in their order or in reversed order",
        arguments: [("ordered", [12, 13, 14]), ("reversed", [14, 13, 12])])
    func together(order: String, ids: [Int64]) throws {
        var bench = try Bench([
            ["message": "sdl.Show.request", "after": "100ms", "together": .string(order)]
        ])
        for _ in 0..<3 {
            #expect(try bench.request("Show", Self.show).isEmpty)
            #expect(try bench.wait(20).isEmpty)
        }
        #expect(try bench.wait(39).isEmpty)
        let segments = try bench.wait(1)
        #expect(segments.count == 1)
        #expect(segments[0].compactMap { $0["rpc.correlation_id"]?.integerValue } == ids)
    }

    @Test("What waits on a connection is dropped when it ends")
    func dropped() throws {
        var bench = try Bench([["message": "sdl.*", "after": "100ms"]])
        #expect(try bench.request("Show", Self.show).isEmpty)
        try bench.event(.fin)
        #expect(bench.table.nextDeadline == nil)
        #expect(try bench.wait(200).isEmpty)
    }

    @Test("A table that cannot be read is refused, and nothing has changed")
    func refused() throws {
        var bench = try Bench([["message": "sdl.Show.request", "silent": true]])
        for wrong: Value in [
            [["after": "1s"]], [["message": "sdl.Show.request", "after": 1]],
            [["message": "sdl.Show.request", "then": "vanish"]],
            [["message": "sdl.Show.request", "whatever": true]], "sdl.Show.request",
        ] {
            #expect(throws: PeerError.self) { try bench.table.change(to: wrong) }
        }
        #expect(try bench.request("Show", Self.show).isEmpty)
        try bench.table.change(to: .null)
        #expect(try bench.request("Show", Self.show).flatMap(\.self).count == 1)
    }

    @Test("A field that the answer does not have is an error of the suite")
    func unknownField() throws {
        var bench = try Bench([["message": "sdl.Show.request", "with": ["parms.x": 1]]])
        #expect(throws: PeerError.self) { _ = try bench.request("Show", Self.show) }
    }
}
