import Testing
import Wire

@testable import conform_device

@Suite("Control channel")
struct ControlTests {
    private func call(_ method: String, params: String? = nil) -> LifecycleInput {
        let tail = params.map { #","params":\#($0)"# } ?? ""
        return .controlLine(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)"\#(tail)}"#)
    }

    @Test("stop ends the session step by step, and is answered at once")
    func stop() {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.feed(call("stop"))
        #expect(rig.answers == [["jsonrpc": "2.0", "id": 7, "result": true]])
        #expect(rig.names.last == "UnregisterAppInterface.request")
        rig.answer("UnregisterAppInterface", ["success": true, "resultCode": "SUCCESS"])
        #expect(rig.names.last == "EndService")
        #expect(rig.exitCode == nil)
        rig.control(.endServiceACK)
        #expect(rig.exitCode == 0)
    }

    @Test("stop continues when the head unit does not answer")
    func stopWithoutAnswers() {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.feed(call("stop"))
        rig.feed(.timerFired(.stop))
        #expect(rig.names.last == "EndService")
        rig.feed(.timerFired(.stop))
        #expect(rig.exitCode == 0)
    }

    @Test("A request to terminate has one second to end the session")
    func terminate() {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.feed(.terminate)
        #expect(rig.names.last == "UnregisterAppInterface.request")
        #expect(rig.actions.last == .startTimer(.stop, milliseconds: 1000))
        rig.answer("UnregisterAppInterface", ["success": true, "resultCode": "SUCCESS"])
        #expect(rig.names.last == "EndService")
        let timers = rig.actions.filter { $0 == .startTimer(.stop, milliseconds: 1000) }
        #expect(timers.count == 1)
        rig.feed(.timerFired(.stop))
        #expect(rig.exitCode == 0)
    }

    @Test("Before the session is open, stopping ends at once")
    func stopEarly() {
        var rig = AppRig()
        rig.feed(.terminate)
        #expect(rig.exitCode == 0)
        #expect(rig.sent.isEmpty)
        #expect(rig.app.state == .exited)
    }

    @Test("state answers with the current configuration and what is known about the head unit")
    func state() throws {
        var rig = AppRig(.multilingual)
        rig.register(with: "DE-DE")
        rig.feed(call("background"))
        rig.feed(call("state"))
        let result = try #require(rig.answers.last?["result"])
        #expect(result["state"] == "registered")
        #expect(result["background"] == true)
        #expect(result["headUnitLanguage"] == "DE-DE")
        #expect(result["configuration"]?["language"] == "DE-DE")
        #expect(result["configuration"]?["appName"] == "Wetter")
    }

    @Test("set applies from the next registration on")
    func set() {
        var rig = AppRig(.multilingual)
        rig.register(with: "EN-US")
        let count = rig.sent.count
        rig.feed(call("set", params: #"{"appName":"Other"}"#))
        #expect(rig.sent.count == count)
        rig.reconnect()
        rig.startSession()
        #expect(rig.registrations.last?["appName"] == "Other")
    }

    @Test("Another app equals this one except for what the request changes")
    func otherApp() throws {
        var rig = AppRig(.multilingual)
        rig.feed(call("startApp", params: #"{"appID":"other","appName":"Second"}"#))
        guard
            case .startApp(let document)? = rig.actions.first(where: {
                if case .startApp = $0 { true } else { false }
            })
        else {
            Issue.record("no other app")
            return
        }
        let second = try LifecycleConfiguration(document: document)
        #expect(
            second
                == .multilingual.with {
                    $0.appID = "other"
                    $0.appName = "Second"
                    $0.show = .parameters(["mainField1": "Second"])
                })
        #expect(rig.answers.last?["result"] == true)
    }

    @Test("An app whose transport can reach head units waits for them without a limit")
    func reachable() {
        var rig = AppRig(.multilingual)
        rig.feed(.reachable)
        #expect(rig.actions.last == .stopTimer(.connectDeadline))
        rig.register(with: "EN-US")
        #expect(rig.isAlive)
    }

    @Test(
        "A request that cannot be carried out gets its JSON-RPC error",
        arguments: [
            (
                #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"iap":{"systemVersion":"8"}}}"#,
                -32602
            ),
            (#"{"jsonrpc":"2.0","id":1,"method":"set","params":{"transport":"iap"}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"startApp","params":{"appName":"x"}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"jump"}"#, -32601),
            (#"{"jsonrpc":"2.0","id":1,"method":"set","params":{"appNam":"x"}}"#, -32602),
            (#"{"id":1,"method":"stop"}"#, -32600),
            (#"[]"#, -32600),
            (#"stop"#, -32700),
        ])
    func errors(line: String, code: Int64) {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.feed(.controlLine(line))
        #expect(rig.answers.last?["error"]?["code"] == .integer(code))
        #expect(rig.isAlive)
    }

    @Test("A notification is carried out without an answer")
    func notification() {
        var rig = AppRig()
        rig.feed(.controlLine(#"{"jsonrpc":"2.0","method":"background"}"#))
        #expect(rig.app.isInBackground)
        #expect(rig.answers.isEmpty)
    }
}
