import Diffusion
import HTTP
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit

/// The answers of a session server without a suite's steps.
struct SessionServerPeerTests {
    private typealias Bench = SessionServerBench

    @Test("a connection is upgraded and given a session", arguments: Bench.Carrier.allCases)
    func opens(carrier: SessionServerBench.Carrier) throws {
        var bench = try Bench(["systemPing": "30s"])
        let answers = bench.connect(on: bench.dial(), carrier: carrier)
        #expect(answers.names == ["websocket.response", "diffusion.response"])
        #expect(answers.field("http.response.code", of: "websocket.response") == 101)
        #expect(
            answers.field("headers.sec-websocket-accept", of: "websocket.response")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answers.field("code") == 100)
        #expect(answers.field("sessionId") == "6c600e92e7b2bff0-0000000300000001")
        #expect(answers.field("pingPeriod") == 30_000)
        #expect(answers.field("maxMessageSize") == 0x7FFF_FFFF)
        #expect(answers.field("token")?.stringValue?.count == 24)
    }

    @Test(
        "the length of a response depends on the client's version",
        arguments: [("5", 43), ("6", 43), ("14", 51), ("15", 51), ("18", 55), ("25", 55)])
    func lengths(version: String, length: Int) throws {
        var bench = try Bench()
        let answers = bench.connect(on: bench.dial(), version: version)
        let response = try #require(answers.last as? Diffusion.ConnectResponse)
        #expect(response.bytes.count == length + 2)
        #expect(response.version == UInt8(version))
    }

    @Test("every session has a unique id and a unique token")
    func identities() throws {
        var bench = try Bench()
        let answers = (0..<50).map { _ in bench.connect(on: bench.dial()) }
        #expect(Set(answers.compactMap { $0.field("token")?.stringValue }).count == 50)
        #expect(Set(answers.compactMap { $0.field("sessionId")?.stringValue }).count == 50)
    }

    @Test("a lost session is resumed by its token with code 105 and the same id and token")
    func resumes() throws {
        var bench = try Bench()
        let first = bench.dial()
        let opened = bench.connect(on: first)
        let token = try #require(opened.field("token")?.stringValue)
        bench.event(.rst, on: first)
        let resumed = bench.connect(on: bench.dial(), token: token)
        #expect(resumed.field("code") == 105)
        #expect(resumed.field("sessionId") == opened.field("sessionId"))
        #expect(resumed.field("token") == opened.field("token"))
        #expect(resumed.field("recoverySequence") == 7)
    }

    @Test("a session that is resumed elsewhere closes its old connection")
    func moves() throws {
        var bench = try Bench()
        let first = bench.dial()
        let token = try #require(bench.connect(on: first).field("token")?.stringValue)
        #expect(bench.connect(on: bench.dial(), token: token).field("code") == 105)
        #expect(bench.takeOtherCommands() == [.close(first)])
        // Later events of the old connection do not affect the session.
        bench.event(.rst, on: first)
        #expect(bench.connect(on: bench.dial(), token: token).field("code") == 105)
    }

    @Test("an unknown token is answered by code 117, and the connection is closed")
    func unknown() throws {
        var bench = try Bench()
        let connection = bench.dial()
        let answers = bench.connect(on: connection, token: "AAAAAAAAAAAAAAAAAAAAAAAA")
        #expect(answers.field("code") == 117)
        #expect((answers.last as? Diffusion.ConnectResponse)?.bytes.count == 5)
        #expect(bench.takeOtherCommands() == [.close(connection)])
    }

    @Test("a session is kept for the time in the settings, which may be forever")
    func keeps() throws {
        for (keeps, wait, code) in [("2s", 1, 105), ("2s", 3, 117), ("forever", 9_999, 105)] {
            var bench = try Bench(["keeps": .string(keeps)])
            let first = bench.dial()
            let token = try #require(bench.connect(on: first).field("token")?.stringValue)
            bench.event(.fin, on: first)
            _ = bench.wait(.seconds(wait))
            let answers = bench.connect(on: bench.dial(), token: token)
            #expect(answers.field("code") == .integer(Int64(code)), "\(keeps) after \(wait) s")
        }
    }

    @Test("forget, abort and a client's close end sessions")
    func endings() throws {
        for ending in ["forget", "abort", "close"] {
            var bench = try Bench()
            let connection = bench.dial()
            let token = try #require(bench.connect(on: connection).field("token")?.stringValue)
            switch ending {
            case "close":
                #expect(bench.send(.close, on: connection).isEmpty)
                #expect(bench.takeOtherCommands() == [.close(connection)])
            case "abort":
                #expect(try bench.perform("abort").names == ["diffusion.abort"])
                #expect(bench.takeOtherCommands() == [.close(connection)])
            default: #expect(try bench.perform("forget").isEmpty)
            }
            let answers = bench.connect(on: bench.dial(), token: token)
            #expect(answers.field("code") == 117, "\(ending)")
        }
    }

    @Test("pings of the client are answered, unless the settings exclude it")
    func pings() throws {
        var bench = try Bench()
        let connection = bench.dial()
        _ = bench.connect(on: connection)
        func ping(_ conversation: UInt64) -> Diffusion.Message.Content {
            .serviceRequest(service: Diffusion.userPing, conversation: conversation, body: [])
        }
        let answers = bench.send(ping(300), on: connection)
        #expect(answers.names == ["diffusion.serviceResponse"])
        #expect(answers.field("conversation", of: "diffusion.serviceResponse") == 300)
        #expect(bench.send(ping(301), on: connection, withholding: true).isEmpty)
        _ = try bench.perform("configure", ["pings": "ignore"])
        #expect(bench.send(ping(302), on: connection).isEmpty)
    }

    @Test("the server pings in its period, and ends a session after an unanswered ping")
    func systemPings() throws {
        var bench = try Bench(["systemPing": "10s"])
        let connection = bench.dial()
        let token = try #require(bench.connect(on: connection).field("token")?.stringValue)
        #expect(bench.wait(.seconds(9)).isEmpty)
        let first = bench.wait(.seconds(1))
        #expect(first.names == ["diffusion.systemPing"])
        let answer = Diffusion.Message.Content.serviceResponse(conversation: 0, body: [])
        #expect(bench.send(answer, on: connection).isEmpty)
        #expect(bench.wait(.seconds(10)).names == ["diffusion.systemPing"])
        #expect(bench.peer.nextDeadline == bench.now + 10_000_000_000)
        #expect(bench.wait(.seconds(10)).names == ["diffusion.abort"])
        #expect(bench.takeOtherCommands() == [.close(connection)])
        #expect(bench.connect(on: bench.dial(), token: token).field("code") == 117)
    }

    @Test("an invalid handshake, or any if the settings say so, is refused with an HTTP status")
    func httpRefusals() throws {
        let cases: [(Value, String?, Int64)] = [
            ([:], "Sec-WebSocket-Key", 400), ([:], "Sec-WebSocket-Version", 426),
            (["open": 503], nil, 503),
        ]
        for (settings, missing, status) in cases {
            var bench = try Bench(settings)
            let connection = bench.dial()
            let answers = bench.connect(on: connection, without: missing)
            #expect(answers.names == ["http.response"])
            #expect(
                answers.field("http.response.code", of: "http.response") == .integer(status))
            #expect(bench.takeOtherCommands() == [.close(connection)])
        }
    }

    @Test("a request without a version is a protocol error, and another path is not found")
    func otherRequests() throws {
        var bench = try Bench()
        #expect(bench.connect(on: bench.dial(), version: nil).field("code") == 115)
        let connection = bench.dial()
        let head = HTTPHead(
            .request(method: "GET", target: "/chat"),
            fields: [HTTPHead.Field("Upgrade", "websocket")])
        let message = WebSocket.Message(.handshake(head), bytes: head.bytes)
        let commands = bench.peer.observe(
            message, on: connection, sentByPeer: false, withholdAnswer: false)
        guard case .write(_, let bytes)? = commands.first else {
            Issue.record("nothing was written")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 404 Not Found"))
        #expect(commands.last == .close(connection))
    }

    @Test("WebSocket frames are answered: a ping by a pong, a close by a close")
    func frames() throws {
        var bench = try Bench()
        let connection = bench.dial()
        _ = bench.connect(on: connection)
        let mask: [UInt8] = [9, 8, 7, 6]
        let ping = WebSocket.Frame(.ping, [1, 2], maskingKey: mask)
        let pong = bench.send(ping.bytes, on: connection)
        #expect(pong.names == ["websocket.pong"])
        #expect(pong.field("data", of: "websocket.pong") == .bytes([1, 2]))
        let close = WebSocket.Frame(.close, [3, 0xE8, 65], maskingKey: mask)
        let answer = bench.send(close.bytes, on: connection)
        #expect(answer.field("close.status_code", of: "websocket.close") == 1000)
        #expect(bench.takeOtherCommands() == [.close(connection)])
    }
}
