import Diffusion
import HTTP
import Testing

@testable import conform_device

@Suite("Session client, golden")
struct SessionClientTests {
    private func standing(_ configuration: SessionConfiguration = .init()) -> SessionRig {
        var rig = SessionRig(configuration)
        rig.feed(.started)
        return rig
    }

    private var token: String { "TOKEN-1-ABCDEFGHIJKLMNOP" }

    @Test("An active application opens a session, without a token (BOR-12)")
    func opens() {
        let rig = standing()
        #expect(rig.sent == ["SYN", "connect 60000"])
        #expect(rig.states == ["Connecting", "Connected Active"])
        #expect(
            rig.events == [
                .started, .applicationActive, .noSession, .sessionStateChange,
                .sessionStateChange, .sessionOpened, .pingTimerSet,
            ])
    }

    @Test("An application that is not active opens a session only when it becomes active")
    func opensLater() {
        var rig = standing(SessionConfiguration().with { $0.isActive = false })
        rig.advance(10_000)
        #expect(rig.sent.isEmpty)
        rig.control("foreground")
        #expect(rig.sent == ["SYN", "connect 60000"])
    }

    @Test("A session that cannot be opened is not tried again until the application is active")
    func openingFails() {
        var rig = SessionRig()
        rig.network = .refused
        rig.feed(.started)
        rig.advance(60_000)
        #expect(rig.attempts == [0])
        #expect(rig.states == ["Connecting", "Closed Failed"])
        rig.network = .up
        rig.control("background")
        rig.control("foreground")
        #expect(rig.attempts == [0, 60_000])
        #expect(rig.states.last == "Connected Active")
    }

    @Test("A lost connection goes through the states of the example's log and is resumed (BOR-9)")
    func resumes() {
        var rig = standing()
        rig.network = .refused
        rig.drop()
        rig.advance(500)
        rig.network = .up
        rig.advance(500)
        #expect(
            rig.states.dropFirst(2) == [
                "Failing", "Recovering Reconnect", "Failing", "Recovering Reconnect",
                "Connected Active",
            ])
        #expect(rig.sent.suffix(2) == ["SYN", "reconnect \(token)"])
        rig.control("state")
        #expect(
            rig.actions.contains(
                .answer([
                    "jsonrpc": "2.0", "id": 1,
                    "result": [
                        "state": "Connected Active", "active": true,
                        "sessionID": "0000000000006c60-0000000000000001", "resumed": 1,
                    ],
                ])))
    }

    @Test(
        "An answer that ends the session ends the attempts, and the next activity opens a new one",
        arguments: Diffusion.ResponseCode.allCases)
    func refusedResumption(code: Diffusion.ResponseCode) {
        var rig = standing()
        rig.resumptionCode = code
        rig.drop()
        rig.advance(1500)
        switch code {
        case .reconnected, .reconnectedWithMessageLoss:
            #expect(rig.states.last == "Connected Active")
        case .serverInitialising:
            #expect(rig.attempts == [0, 0, 1000])
        default:
            #expect(rig.states.last == "Closed By Server")
            #expect(rig.attempts.count == 2)
            rig.advance(60_000)
            #expect(rig.attempts.count == 2)
            rig.control("background")
            rig.control("foreground")
            #expect(rig.sent.suffix(2) == ["SYN", "connect 60000"])
        }
    }

    @Test("A session that is resumed with another id is not the client's")
    func otherSession() {
        var rig = standing()
        rig.identityShift = 1
        rig.drop()
        #expect(rig.states.last == "Closed Failed")
    }

    @Test("Pings come every three seconds from the opening, also after a reconnection (BOR-11)")
    func pings() {
        var rig = standing()
        rig.advance(6500)
        rig.network = .refused
        rig.drop()
        rig.advance(2900)
        rig.network = .up
        rig.advance(6000)
        #expect(rig.pings == [3000, 6000, 12_000, 15_000])
        #expect(rig.events.count { $0 == .pingSuccessful } == 4)
    }

    @Test("A late timer does not shift the pings after it")
    func latePing() {
        var rig = standing()
        rig.lose(1_000_000)
        rig.advance(3000)
        rig.advance(3000)
        #expect(rig.pings == [3001, 6001])
    }

    @Test("Back with a valid session, the client pings and opens no connection (BOR-13)")
    func shortPause() {
        var rig = standing()
        rig.advance(1000)
        rig.control("background")
        rig.advance(20_000)
        #expect(rig.pings.isEmpty)
        rig.control("foreground")
        rig.advance(3000)
        #expect(rig.pings == [21_000, 24_000])
        #expect(rig.attempts == [0])
    }

    @Test("In the background nothing is sent, whatever arrives (BOR-15)")
    func background() {
        var rig = standing()
        rig.control("background")
        let count = rig.wire.count
        rig.receive(.serviceRequest(service: Diffusion.systemPing, conversation: 3, body: []))
        rig.receive(WebSocket.Frame(.ping, [1]).bytes)
        rig.advance(30_000)
        #expect(rig.wire.count == count)
        rig.control("foreground")
        #expect(rig.sent.dropFirst(count) == ["serviceResponse", "websocket.pong", "ping"])
    }

    @Test("A connection lost in the background is opened again when the application is active")
    func backgroundFall() {
        var rig = standing()
        rig.control("background")
        rig.drop()
        rig.advance(30_000)
        #expect(rig.attempts == [0])
        rig.control("foreground")
        #expect(rig.sent.suffix(3) == ["SYN", "reconnect \(token)", "ping"])
    }

    @Test("Back with a session that the server has forgotten, the client opens a new one (BOR-14)")
    func longPause() {
        var rig = standing()
        rig.control("background")
        rig.drop()
        rig.sessions = [:]
        rig.advance(30_000)
        rig.control("foreground")
        #expect(
            rig.sent.dropFirst(2) == [
                "SYN", "reconnect \(token)", "FIN", "SYN", "connect 60000",
            ])
        #expect(rig.states.last == "Connected Active")
    }

    @Test("A session that is found lost after the application became active is replaced too")
    func lostLater() {
        var rig = standing()
        rig.control("background")
        rig.drop()
        rig.network = .refused
        rig.control("foreground")
        rig.advance(500)
        rig.network = .up
        rig.sessions = [:]
        rig.advance(500)
        #expect(
            rig.sent.suffix(5) == ["SYN", "reconnect \(token)", "FIN", "SYN", "connect 60000"])
        #expect(rig.events.contains(.sessionLost))
    }

    @Test("Back after the reconnection timeout, the client does not ask for the old session")
    func veryLongPause() {
        var rig = standing()
        rig.network = .refused
        rig.drop()
        rig.control("background")
        rig.network = .up
        rig.advance(60_000)
        rig.control("foreground")
        #expect(rig.sent.suffix(2) == ["SYN", "connect 60000"])
    }

    @Test("A session that the server ended in the background is replaced by a new one")
    func abortedInBackground() {
        var rig = standing()
        rig.control("background")
        rig.receive(.abort)
        rig.drop()
        rig.control("foreground")
        #expect(rig.sent.dropFirst(2) == ["SYN", "connect 60000"])
        #expect(rig.states.contains("Closed By Server"))
    }

    @Test("A session whose validating ping is refused or not answered is replaced by a new one")
    func invalid() {
        for isRefused in [true, false] {
            var rig = standing()
            rig.control("background")
            rig.answersPings = false
            rig.control("foreground")
            if isRefused { rig.receive(.serviceError(conversation: 0, body: [])) }
            rig.advance(isRefused ? 0 : 9999)
            #expect(rig.sent.contains("connect 60000") == true)
            #expect(rig.attempts.count == (isRefused ? 2 : 1))
            rig.advance(1)
            #expect(rig.attempts.count == 2)
            #expect(rig.sent.suffix(3) == ["FIN", "SYN", "connect 60000"])
        }
    }

    @Test("The pings of the server are answered while the application is active")
    func systemPing() {
        var rig = standing()
        rig.receive(.serviceRequest(service: Diffusion.systemPing, conversation: 7, body: []))
        #expect(rig.sent.last == "serviceResponse")
    }

    @Test("The close of a WebSocket is a lost connection, an abort is the end of the session")
    func ends() {
        var rig = standing()
        rig.receive(WebSocket.Frame(.close, [3, 232]).bytes)
        #expect(rig.sent.suffix(4) == ["websocket.close", "FIN", "SYN", "reconnect \(token)"])
        rig = standing()
        rig.receive(.abort)
        rig.advance(60_000)
        #expect(rig.states.last == "Closed By Server")
        #expect(rig.attempts == [0])
    }

    @Test("A stop closes the session; in the background the client ends without sending")
    func stops() {
        var rig = standing()
        rig.control("stop")
        #expect(rig.sent.suffix(4) == ["close", "websocket.close", "FIN", "exit"])
        #expect(rig.actions.last == .exit(0))
        #expect(rig.states.last == "Closed By Client")
        rig = standing()
        rig.control("background")
        rig.feed(.terminate)
        #expect(rig.sent == ["SYN", "connect 60000", "exit"])
    }

    @Test("An unknown control is refused with a list of the known ones")
    func unknownControl() {
        var rig = standing()
        rig.control("jump")
        guard case .answer(let answer)? = rig.actions.last else {
            Issue.record("no answer")
            return
        }
        #expect(answer["error"]?["code"] == -32601)
        #expect(
            answer["error"]?["message"]?.stringValue?.contains("background, foreground") == true)
    }
}
