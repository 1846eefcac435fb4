import BuiltInProtocols
import HTTP
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import ScriptedPeers
@testable import SuiteLanguage

struct ScriptedPeerTests {
    private static let connection = PeerConnection(address: .loopback, port: 40_000)
    private static let position = SourcePosition(file: "suite.yaml", line: 1, column: 1)

    private func server(_ settings: Value = [:]) throws -> any Peer {
        try PeerFactory.builtIn.make(
            PeerDeclaration(
                name: "server", kind: .tcpServer, settings: settings, position: Self.position))
    }

    private func event(_ kind: TCPEvent.Kind) -> TCPEvent {
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 80, sequence: TCPSequence(1), flags: [])
        return TCPEvent(
            kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0)
    }

    @Test("a server answers the device's FIN with its own and sends nothing else")
    func fin() throws {
        var server = try server(["port": 80])
        for kind in TCPEvent.Kind.allCases where kind != .fin {
            let commands = server.observe(
                event(kind), on: Self.connection, sentByPeer: false, withholdAnswer: false)
            #expect(commands == [], "\(kind)")
        }
        let commands = server.observe(
            event(.fin), on: Self.connection, sentByPeer: false, withholdAnswer: false)
        #expect(commands == [.close(Self.connection)])
    }

    @Test("a device that sends no more gets the answers that wait before the end")
    func halfClosed() throws {
        var server = try scripted(.tcpServer) {
            $0.answers = [answer(to: "Q", ["A"]) { $0.after = .milliseconds(50) }]
        }
        _ = server.observe(
            event(.syn), on: Self.connection, sentByPeer: false, withholdAnswer: false)
        let request = StreamUnit(Array("Q".utf8), endedBy: 0)
        var commands = server.observe(
            request, on: Self.connection, sentByPeer: false, withholdAnswer: false)
        commands += server.observe(
            event(.fin), on: Self.connection, sentByPeer: false, withholdAnswer: false)
        #expect(commands == [])
        #expect(server.nextDeadline == 50_000_000)
        #expect(
            server.advance(to: 50_000_000)
                == [.write(Self.connection, Array("A".utf8)), .close(Self.connection)])
        _ = server.observe(
            event(.fin), on: Self.connection, sentByPeer: true, withholdAnswer: false)
        #expect(
            refusal { _ = try server.perform("close", arguments: .null) }?.code == .noConnection)
    }

    @Test("a device that sends no more gets the response that a step sends before the end")
    func stepAnswersHalfClosed() throws {
        var server = try scripted(.httpServer) { _ in }
        _ = server.observe(
            event(.syn), on: Self.connection, sentByPeer: false, withholdAnswer: false)
        let head = HTTPHead(.request(method: "GET", target: "/"), fields: [])
        var commands = server.observe(
            HTTP.Message(.head(head), bytes: []), on: Self.connection, sentByPeer: false,
            withholdAnswer: true)
        commands += server.observe(
            event(.fin), on: Self.connection, sentByPeer: false, withholdAnswer: false)
        #expect(commands == [])
        let code = try #require(FieldPath("http.response.code"))
        func send(_ status: Int64) throws -> [PeerCommand] {
            try server.send(
                "http.response", fields: [(code, .integer(status))],
                answering: nil, on: Self.connection)
        }
        #expect(try send(100).count == 1)
        let last = try send(200)
        #expect(last.count == 2 && last.last == .close(Self.connection))
    }

    @Test("close and reset act once on the latest connection")
    func actions() throws {
        var server = try server()
        let second = PeerConnection(address: .loopback, port: 40_001)
        for connection in [Self.connection, second] {
            _ = server.observe(
                event(.syn), on: connection, sentByPeer: false, withholdAnswer: false)
        }
        let commands = [
            try server.perform("reset", arguments: .null),
            try server.perform("close", arguments: .null),
        ]
        #expect(commands == [[.reset(second)], [.close(Self.connection)]])
        #expect(
            refusal { _ = try server.perform("close", arguments: .null) }?.code == .noConnection)
    }

    private func refusal(_ body: () throws -> Void) -> PeerError? {
        do {
            try body()
            return nil
        } catch {
            return error as? PeerError
        }
    }

    @Test("plain bytes are sent on the connection that was opened last")
    func latest() throws {
        var server = try server()
        #expect(server.latestConnection == nil)
        let second = PeerConnection(address: .loopback, port: 40_001)
        for connection in [Self.connection, second] {
            _ = server.observe(
                event(.syn), on: connection, sentByPeer: false, withholdAnswer: false)
        }
        #expect(server.latestConnection == second)
        _ = server.observe(event(.rst), on: second, sentByPeer: false, withholdAnswer: false)
        #expect(server.latestConnection == Self.connection)
    }

    @Test("a client connects on command and tracks its own connections")
    func client() throws {
        var client = try PeerFactory.builtIn.make(
            PeerDeclaration(
                name: "c", kind: .tcpClient, settings: ["port": 80], position: Self.position))
        #expect(try client.perform("connect", arguments: .null) == [.connect])
        #expect(
            refusal { _ = try client.perform("close", arguments: .null) }?.code == .noConnection)
        _ = client.observe(
            event(.syn), on: Self.connection, sentByPeer: true, withholdAnswer: false)
        #expect(client.latestConnection == Self.connection)
        #expect(try client.perform("close", arguments: .null) == [.close(Self.connection)])
    }

    private func scripted(
        _ kind: PeerKind, _ configure: (inout PeerScript) -> Void
    ) throws -> any Peer {
        var declaration = PeerDeclaration(
            name: "peer", kind: kind, settings: [:], position: Self.position)
        configure(&declaration.script)
        return try PeerFactory.builtIn.make(declaration)
    }

    private func answer(
        to text: String?, _ sends: [String],
        _ configure: (inout PeerScript.Answer) -> Void = { _ in }
    ) -> PeerScript.Answer {
        var answer = PeerScript.Answer()
        if let text {
            answer.conditions = [
                FieldCondition(
                    path: .answeredData, matcher: .starts(ByteExpression(Array(text.utf8))),
                    position: Self.position)
            ]
        }
        answer.sends = sends.map { .bytes(ByteExpression(Array($0.utf8))) }
        configure(&answer)
        return answer
    }

    private func datagram(_ text: String, from port: UInt16 = 40_000) -> UDPDatagram {
        UDPDatagram(
            from: .loopback, to: .loopback,
            header: UDPHeader(
                sourcePort: port, destinationPort: 53, length: 8 + text.utf8.count), stream: 0,
            bytes: Array(text.utf8))
    }

    private func packet(_ text: String, to port: UInt16 = 40_000) -> PeerCommand {
        .packet(PeerConnection(address: .loopback, port: port), Array(text.utf8))
    }

    private func query(
        _ peer: inout any Peer, _ text: String, from port: UInt16 = 40_000
    ) -> [PeerCommand] {
        peer.observe(
            datagram(text, from: port), on: PeerConnection(address: .loopback, port: port),
            sentByPeer: false, withholdAnswer: false)
    }

    @Test("the first matching answer is sent, and times limits it on each connection")
    func answers() throws {
        var peer = try scripted(.udpServer) {
            $0.answers = [
                answer(to: "a", ["first"]) { $0.times = 1 }, answer(to: "a", ["later", "twice"]),
                answer(to: "s", []), answer(to: nil, ["else"]),
            ]
        }
        #expect(query(&peer, "ab") == [packet("first")])
        #expect(query(&peer, "ab") == [packet("later"), packet("twice")])
        #expect(query(&peer, "silence") == [])
        #expect(query(&peer, "b") == [packet("else")])
        #expect(query(&peer, "ab", from: 2) == [packet("first", to: 2)])
        #expect(peer.latestConnection?.port == 2)
    }

    @Test("a peer that cannot decide which answer fits has a fault, and answers nothing")
    func undecided() throws {
        for (kind, isSlow) in [(PeerKind.udpServer, true), (.udpServer, false)] {
            let pattern = try TextPattern(isSlow ? "^(a+)+$" : "^a+$")
            var peer = try scripted(kind) {
                $0.answers = [
                    answer(to: nil, ["slow"]) {
                        $0.conditions = [
                            FieldCondition(
                                path: .answeredData, matcher: .matches(pattern),
                                position: Self.position)
                        ]
                    }, answer(to: nil, ["else"]),
                ]
            }
            let text = String(repeating: "a", count: 40) + "b"
            #expect(query(&peer, text) == (isSlow ? [] : [packet("else")]))
            #expect(peer.fault?.code == (isSlow ? .undecided : nil))
        }
    }

    @Test("an answer that has no value is a fault of the peer, not silence")
    func withoutValue() throws {
        let absent = try ByteExpression([.expression(.variable("absent"))], .text)
        var peer = try scripted(.udpServer) {
            $0.answers = [
                answer(to: "a", ["x"]), answer(to: "b", []) { $0.sends = [.bytes(absent)] },
            ]
        }
        #expect(query(&peer, "a") == [packet("x")] && peer.fault == nil)
        #expect(query(&peer, "b") == [])
        #expect(peer.fault?.code == .badField)
    }

    @Test("an answer is sent after its delay, and a step that answers withholds it")
    func later() throws {
        var peer = try scripted(.udpServer) {
            $0.answers = [answer(to: nil, ["x"]) { $0.after = .milliseconds(20) }]
        }
        _ = peer.advance(to: 1_000)
        #expect(query(&peer, "a") == [])
        #expect(peer.nextDeadline == 20_001_000)
        #expect(peer.advance(to: 20_000_999) == [])
        #expect(peer.advance(to: 20_001_000) == [packet("x")])
        let withheld = peer.observe(
            datagram("a"), on: Self.connection, sentByPeer: false, withholdAnswer: true)
        #expect(withheld == [] && peer.nextDeadline == nil)
    }

    @Test("a connection is greeted when it is established, kept alive, and closed by an answer")
    func stream() throws {
        var peer = try scripted(.tcpServer) {
            $0.greeting = [.bytes(ByteExpression(Array("220".utf8)))]
            $0.answers = [answer(to: "QUIT", ["221"]) { $0.end = .close }]
            $0.keepAlive = .init(interval: .seconds(1), sends: [.bytes(ByteExpression([0]))])
        }
        func see(_ kind: TCPEvent.Kind, _ text: String = "") -> [PeerCommand] {
            let header = TCPHeader(
                sourcePort: 40_000, destinationPort: 80, sequence: TCPSequence(1), flags: [])
            let event = TCPEvent(
                kind, from: .loopback, to: .loopback, header: header,
                segmentLength: text.utf8.count, stream: 0, count: text.utf8.count,
                bytes: Array(text.utf8))
            return peer.observe(
                event, on: Self.connection, sentByPeer: false, withholdAnswer: false)
        }
        #expect(see(.established) == [], "for an unknown connection")
        #expect(see(.syn) == [])
        #expect(see(.established) == [.write(Self.connection, Array("220".utf8))])
        #expect(see(.data, "HELP") == [])
        #expect(
            see(.data, "QUIT") == [
                .write(Self.connection, Array("221".utf8)), .close(Self.connection),
            ])
        #expect(peer.advance(to: 999_999_999) == [])
        #expect(peer.advance(to: 1_000_000_000) == [.write(Self.connection, [0])])
        _ = see(.rst)
        #expect(peer.nextDeadline == nil)
    }

    @Test("a datagram of a step goes to the latest sender, or to the step's address")
    func datagrams() throws {
        var peer = try scripted(.udpServer) { _ in }
        func send(_ fields: [(String, Value)]) throws -> [PeerCommand] {
            try peer.send(
                "udp.datagram",
                fields: fields.compactMap { item in
                    FieldPath(item.0).map { ($0, item.1) }
                }, answering: nil, on: nil)
        }
        #expect(refusal { _ = try send([("text", "x")]) }?.code == .noConnection)
        _ = query(&peer, "a")
        #expect(try send([("text", "x")]) == [packet("x")])
        #expect(
            try send([("data", .bytes([1])), ("ip.dst", "239.1.2.3"), ("udp.dstport", 9)]) == [
                .packet(PeerConnection(address: IPAddress(ipv4: 0xEF01_0203), port: 9), [1])
            ])
        #expect(refusal { _ = try send([("udp.stream", 1)]) }?.code == .unknownField)
        #expect(refusal { _ = try send([("udp.dstport", 70_000)]) }?.code == .badField)
    }

    @Test("a group must be a multicast address")
    func group() throws {
        func make(_ group: Value) throws {
            _ = try PeerFactory.builtIn.make(
                PeerDeclaration(
                    name: "p", kind: .udpServer, settings: ["group": group],
                    position: Self.position))
        }
        try make("239.1.2.3")
        for group in ["10.0.0.1", "x"] as [Value] {
            #expect(refusal { try make(group) }?.code == .badSetting)
        }
    }

    @Test("invalid actions, arguments, messages and settings are refused")
    func refusals() throws {
        var server = try server()
        let action = refusal { _ = try server.perform("clse", arguments: .null) }
        #expect(action?.code == .unknownAction && action?.advice.contains("close") == true)
        let argument = refusal { _ = try server.perform("close", arguments: 1) }
        #expect(argument?.code == .badArgument)
        let message = refusal {
            _ = try server.send("tcp.SYN", fields: [], answering: nil, on: nil)
        }
        #expect(message?.code == .unknownMessage)
        let setting = refusal { _ = try self.server(["protocol": "5"]) }
        #expect(setting?.code == .unknownSetting)
    }
}
