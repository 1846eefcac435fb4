import Protocols
import Suites
import Testing

@testable import Peers

struct ScriptedPeerTests {
    private static let connection = PeerConnection(address: .loopback, port: 40_000)
    private static let position = SourcePosition(file: "suite.yaml", line: 1, column: 1)

    private func server(_ settings: Value = [:]) throws -> any Peer {
        try PeerFactory.make(
            PeerDeclaration(
                name: "server", kind: "tcp.server", settings: settings, position: Self.position))
    }

    private func event(_ kind: TCPEvent.Kind) -> TCPEvent {
        let header = TCPHeader(
            sourcePort: 40_000, destinationPort: 80, sequence: TCPSequence(1), flags: [])
        return TCPEvent(
            kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0)
    }

    @Test("it answers the device's FIN with its own and says nothing else")
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

    @Test("close and reset act on the latest connection, once")
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

    @Test("plain bytes go on the connection that was opened last")
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

    @Test("a client calls when it is told, and knows its own connections")
    func client() throws {
        var client = try PeerFactory.make(
            PeerDeclaration(
                name: "c", kind: "tcp.client", settings: ["port": 80], position: Self.position))
        #expect(try client.perform("connect", arguments: .null) == [.connect])
        #expect(
            refusal { _ = try client.perform("close", arguments: .null) }?.code == .noConnection)
        _ = client.observe(
            event(.syn), on: Self.connection, sentByPeer: true, withholdAnswer: false)
        #expect(client.latestConnection == Self.connection)
        #expect(try client.perform("close", arguments: .null) == [.close(Self.connection)])
    }

    @Test("what it cannot do it refuses")
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
