import BuiltInProtocols
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit

/// Fates of connections, and messages that the server sends for a suite.
struct SessionServerFateTests {
    private typealias Bench = SessionServerBench

    @Test("each connection has its fate in order, and after the last one the settings apply")
    func fates() throws {
        var bench = try Bench([
            "connections": [
                ["answer": 111], ["answer": 503], ["accept": false],
                ["accept": false, "then": "reset"], ["after": "2s", "then": "reset"],
                ["then": "abort"],
            ]
        ])
        let refused = bench.dial()
        #expect(bench.connect(on: refused).field("code") == 111)
        let unavailable = bench.dial()
        #expect(bench.connect(on: unavailable).names == ["http.response"])
        let closed = bench.dial()
        let aborted = bench.dial()
        let expected: [PeerCommand] = [
            .close(refused), .close(unavailable), .close(closed), .reset(aborted),
        ]
        #expect(bench.takeOtherCommands() == expected)

        let short = bench.dial()
        #expect(bench.connect(on: short).field("code") == 100)
        #expect(bench.peer.nextDeadline == bench.now + 2_000_000_000)
        _ = bench.wait(.milliseconds(1900))
        #expect(bench.takeOtherCommands().isEmpty)
        _ = bench.wait(.milliseconds(100))
        #expect(bench.takeOtherCommands() == [.reset(short)])

        let ended = bench.dial()
        let answers = bench.connect(on: ended)
        #expect(answers.names == ["websocket.response", "diffusion.response", "diffusion.abort"])
        #expect(bench.takeOtherCommands() == [.close(ended)])
        #expect(bench.connect(on: bench.dial()).field("code") == 100)
        #expect(bench.takeOtherCommands().isEmpty)
    }

    @Test("an attempt that is refused at the port uses up no fate")
    func refusedAttempt() throws {
        var bench = try Bench(["connections": [["answer": 111]]])
        let refused = PeerConnection(address: .loopback, port: 39_999)
        bench.event(.syn, on: refused)
        bench.event(.refused, on: refused, sentByPeer: true)
        #expect(bench.connect(on: bench.dial()).field("code") == 111)
    }

    @Test("answer and configure change the following answers")
    func changes() throws {
        var bench = try Bench()
        _ = try bench.perform("answer", 119)
        #expect(bench.connect(on: bench.dial()).field("code") == 119)
        #expect(bench.connect(on: bench.dial()).field("code") == 100)
        _ = try bench.perform("configure", ["open": 113, "connections": [["answer": 114]]])
        #expect(bench.connect(on: bench.dial()).field("code") == 114)
        #expect(bench.connect(on: bench.dial()).field("code") == 113)
    }

    @Test("a withheld answer still sends the upgrade, and a suite's response opens the session")
    func withheld() throws {
        var bench = try Bench()
        let connection = bench.dial()
        let upgrade = bench.connect(on: connection, withholding: true)
        #expect(upgrade.names == ["websocket.response"])
        let answers = try bench.command(
            "diffusion.response",
            [
                ("sessionId", "00000000000000aa-00000000000000bb"),
                ("token", "abcdefghijklmnopqrstuvwx"), ("pingPeriod", 5), ("version", 28),
            ])
        #expect(answers.field("sessionId") == "00000000000000aa-00000000000000bb")
        #expect(answers.field("token") == "abcdefghijklmnopqrstuvwx")
        #expect(answers.field("pingPeriod") == 5)
        #expect(answers.field("version") == 28)
        bench.event(.rst, on: connection)
        let resumed = bench.connect(on: bench.dial(), token: "abcdefghijklmnopqrstuvwx")
        #expect(resumed.field("code") == 105)
        #expect(resumed.field("sessionId") == "00000000000000aa-00000000000000bb")
    }

    @Test("a suite can refuse, ping, abort and send any frame")
    func sends() throws {
        var bench = try Bench()
        let refused = bench.dial()
        _ = bench.connect(on: refused, withholding: true)
        let refusal = try bench.command("diffusion.response", [("code", 116)])
        #expect(refusal.field("code") == 116)
        #expect(refusal.field("sessionId") == nil)
        #expect(bench.takeOtherCommands() == [.close(refused)])

        let connection = bench.dial()
        _ = bench.connect(on: connection)
        let sent: [(String, [(String, Value?)])] = [
            ("diffusion.systemPing", [("conversation", 9)]),
            ("diffusion.serviceResponse", [("conversation", 70_000), ("body", .bytes([1]))]),
            ("diffusion.serviceError", []), ("diffusion.serviceRequest", [("service", 12)]),
            ("diffusion.topicValue", [("topic", 5), ("body", "x")]), ("diffusion.topicDelta", []),
            ("diffusion.other", [("type", 0x33)]), ("diffusion.ping", []), ("diffusion.close", []),
            ("websocket.text", [("text", "é")]), ("websocket.ping", [("data", .bytes([7]))]),
            ("websocket.pong", []), ("websocket.reserved", [("websocket.opcode", 11)]),
            ("websocket.text", [("websocket.fin", true), ("websocket.rsv", 4)]),
        ]
        for (name, fields) in sent {
            let messages = try bench.command(name, fields)
            #expect(messages.names == [name])
            for (path, value) in fields {
                let expected: Value? = value == "x" ? .bytes([0x78]) : value
                #expect(messages.field(path, of: name) == expected, "\(path) of \(name)")
            }
        }
        let masked = try bench.command("websocket.binary", [("websocket.mask", true)])
        #expect(masked.last?.anomalies.isEmpty == false)
        let closing = try bench.command(
            "websocket.close", [("close.status_code", 1001), ("close.reason", "away")])
        #expect(closing.field("close.status_code", of: "websocket.close") == 1001)
        #expect(closing.field("close.reason", of: "websocket.close") == "away")
        #expect(bench.takeOtherCommands() == [.close(connection)])
    }

    @Test("a handshake that is left open gets no answer, and no session message can be sent")
    func handshake() throws {
        var bench = try Bench(["connections": [["accept": false, "then": "nothing"]]])
        let connection = bench.dial()
        #expect(bench.connect(on: connection).isEmpty)
        #expect(bench.takeOtherCommands().isEmpty)
        #expect(throws: PeerError.self) { _ = try bench.command("diffusion.abort") }
    }

    @Test("invalid actions, messages and fields are refused with the reason")
    func refusals() throws {
        func refusal(_ body: (inout SessionServerBench) throws -> Void) throws -> PeerError? {
            var bench = try Bench()
            _ = bench.connect(on: bench.dial())
            do {
                try body(&bench)
                return nil
            } catch {
                return error as? PeerError
            }
        }
        #expect(try refusal { _ = try $0.perform("abrot") }?.advice == "did you mean \"abort\"?")
        #expect(try refusal { _ = try $0.perform("ping", 1) }?.code == .badArgument)
        #expect(try refusal { _ = try $0.perform("answer", 700) }?.code == .badSetting)
        #expect(try refusal { _ = try $0.command("diffusion.connect") }?.code == .unknownMessage)
        #expect(try refusal { _ = try $0.command("diffusion.pong") }?.code == .unknownMessage)
        let field = try refusal { _ = try $0.command("diffusion.systemPing", [("converse", 1)]) }
        #expect(field?.code == .unknownField)
        let range = try refusal { _ = try $0.command("diffusion.topicValue", [("topic", -1)]) }
        #expect(range?.code == .badField)
        #expect(try refusal { _ = try $0.command("websocket.response") }?.code == .badField)
        var idle = try Bench()
        #expect(throws: PeerError.self) { _ = try idle.perform("close") }
        _ = idle.dial()
        #expect(throws: PeerError.self) { _ = try idle.perform("ping") }
    }

    @Test("every setting that a suite may name is accepted, and invalid values are not")
    func settings() throws {
        let kind = try #require(ProtocolRegistry.builtIn.peer(named: "session.server"))
        let good: [String: Value] = [
            "open": 100, "resume": 106, "unknown": 404, "pings": "ignore", "systemPing": "0s",
            "keeps": "forever", "connections": [[:]], "port": 80,
        ]
        let bad: [String: Value] = [
            "open": 256, "resume": "105", "unknown": 299, "pings": "drop", "systemPing": "soon",
            "keeps": 60, "connections": [["after": "1s"]], "port": 80,
        ]
        for setting in kind.settings.map(\.path) + ["port"] {
            _ = try Bench(.object([Value.Member(setting, try #require(good[setting]))]))
            guard setting != "port" else { continue }
            #expect(throws: PeerError.self, "\(setting)") {
                _ = try Bench(.object([Value.Member(setting, try #require(bad[setting]))]))
            }
        }
        #expect(throws: PeerError.self) { _ = try Bench(["connections": [["accpet": true]]]) }
    }
}
