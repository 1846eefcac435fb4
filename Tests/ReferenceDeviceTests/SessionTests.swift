import Testing
import Wire

@testable import conform_device

@Suite("Session, golden")
struct SessionTests {
    @Test("The first bytes are a StartService with a version-1 header and BSON")
    func startService() throws {
        var rig = AppRig()
        rig.feed(.connected)
        let message = try #require(rig.sent.first)
        #expect(message.name == "sdl.StartService")
        #expect(message.header.version == 1)
        #expect(message.header.sessionID == 0)
        #expect(message.header.service == .rpc)
        #expect(message.fields["params"] == ["protocolVersion": "5.4.0"])
        #expect(message.anomalies.isEmpty)
    }

    @Test(
        "The session uses the lower of both versions",
        arguments: [(5, 5), (4, 4), (3, 3), (1, 1)])
    func version(granted: UInt8, spoken: UInt8) throws {
        var rig = AppRig()
        rig.startSession(version: granted, sessionID: 9)
        let registration = try #require(rig.sent.last)
        #expect(registration.name == "sdl.RegisterAppInterface.request")
        #expect(registration.header.version == spoken)
        #expect(registration.header.sessionID == 9)
    }

    @Test("An app of version 4 starts without BSON and does not go above its version")
    func oldApp() throws {
        var rig = AppRig(
            LifecycleConfiguration().with {
                $0.protocolVersion = ProtocolVersion(major: 4, minor: 0, patch: 0)
            })
        rig.startSession(version: 5)
        #expect(rig.sent.first?.header.dataSize == 0)
        #expect(rig.sent.last?.header.version == 4)
    }

    @Test("Every message of a whole life is without anomalies, and each request has its own id")
    func wellFormed() {
        var rig = AppRig(.multilingual)
        rig.register(with: "DE-DE")
        rig.answerChange(success: true)
        rig.enter(level: "FULL")
        rig.control(.heartbeat, service: .control)
        rig.feed(.controlLine(#"{"jsonrpc":"2.0","id":1,"method":"stop"}"#))
        rig.answer("UnregisterAppInterface", ["success": true, "resultCode": "SUCCESS"])
        rig.control(.endServiceACK)
        #expect(
            rig.names == [
                "StartService", "RegisterAppInterface.request", "ChangeRegistration.request",
                "Show.request", "HeartbeatACK", "UnregisterAppInterface.request", "EndService",
            ])
        // Heartbeats are deprecated since version 4; here the head unit sends them.
        let own = rig.sent.filter { $0.name != "sdl.HeartbeatACK" }
        #expect(own.flatMap(\.anomalies) == [])
        #expect(rig.sent.last?.fields["params"] == ["hashId": 65_537])
        #expect(rig.exitCode == 0)
    }

    @Test("The registration contains the configuration, with the same value for both languages")
    func registration() throws {
        var rig = AppRig(.multilingual.with { $0.fullAppID = "full" })
        rig.startSession()
        let parameters = try #require(rig.registrations.last)
        #expect(
            parameters == [
                "syncMsgVersion": ["majorVersion": 8, "minorVersion": 0, "patchVersion": 0],
                "appName": "Weather", "ttsName": [["text": "weather", "type": "TEXT"]],
                "ngnMediaScreenAppName": "Wthr", "vrSynonyms": ["weather", "forecast"],
                "isMediaApplication": false, "languageDesired": "EN-US",
                "hmiDisplayLanguageDesired": "EN-US", "appHMIType": ["DEFAULT"],
                "appID": "c0f02e5", "fullAppID": "full",
            ])
    }

    @Test("A refused service closes the connection; the app stays without a session")
    func refusedService() {
        var rig = AppRig()
        rig.feed(.connected)
        rig.control(.startServiceNAK, ["reason": "full"])
        #expect(rig.actions.last == .close)
    }

    @Test("A refused registration ends the service; the app stays without a session")
    func refusedRegistration() {
        var rig = AppRig(.multilingual)
        rig.startSession()
        rig.answer("RegisterAppInterface", ["success": false, "resultCode": "DISALLOWED"])
        #expect(rig.names.last == "EndService")
        #expect(!rig.events.contains(.ready))
        rig.control(.endServiceACK)
        #expect(rig.exitCode == nil)
        #expect(rig.actions.last == .close)
        rig.feed(.disconnected("closed"))
        #expect(rig.exitCode == nil)
        rig.feed(.terminate)
        #expect(rig.exitCode == 0)
    }

    @Test("A heartbeat is answered in the session")
    func heartbeat() throws {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.control(.heartbeat, service: .control)
        let answer = try #require(rig.sent.last)
        #expect(answer.name == "sdl.HeartbeatACK")
        #expect(answer.header.sessionID == 1)
        #expect(answer.header.service == .control)
    }

    @Test("The first FULL of a session brings one Show, of the main window only")
    func show() {
        var rig = AppRig(
            LifecycleConfiguration().with { $0.show = .parameters(["mainField1": "a"]) })
        rig.register(with: "EN-US")
        rig.notify("OnHMIStatus", ["hmiLevel": "FULL", "windowID": 4])
        rig.enter(level: "LIMITED")
        #expect(rig.requests("Show").isEmpty)
        rig.enter(level: "FULL")
        rig.enter(level: "NONE")
        rig.enter(level: "FULL")
        #expect(rig.requests("Show").map(\.parameters) == [["mainField1": "a"]])
        rig.reconnect()
        rig.register(with: "EN-US")
        rig.enter(level: "FULL")
        #expect(rig.requests("Show").count == 2)
    }

    @Test("Without anything to show nothing is shown; by default the name is shown")
    func showDefaults() {
        var silent = AppRig(LifecycleConfiguration().with { $0.show = .nothing })
        silent.register(with: "EN-US")
        silent.enter(level: "FULL")
        #expect(silent.requests("Show").isEmpty)
        var rig = AppRig(.multilingual)
        rig.register(with: "DE-DE")
        rig.enter(level: "FULL")
        #expect(rig.requests("Show").map(\.parameters) == [["mainField1": "Wetter"]])
    }

    @Test("An end of service by the head unit is answered, and then the app connects again")
    func endedByHeadUnit() {
        var rig = AppRig()
        rig.register(with: "EN-US")
        rig.control(.endService, ["hashId": 65_537])
        #expect(rig.names.last == "EndServiceACK")
        #expect(rig.actions.contains(.close))
        #expect(rig.actions.last == .startTimer(.reconnect, milliseconds: 500))
    }

    @Test("An unregistered app closes, waits and registers again with its current configuration")
    func unregistered() {
        var rig = AppRig(.multilingual.with { $0.reconnectDelay = 70 })
        rig.register(with: "DE-DE")
        rig.notify("OnAppInterfaceUnregistered", ["reason": "IGNITION_OFF"])
        #expect(rig.actions.contains(.close))
        #expect(rig.actions.last == .startTimer(.reconnect, milliseconds: 70))
        rig.feed(.timerFired(.reconnect))
        #expect(rig.actions.last == .connect)
        rig.register(with: "DE-DE")
        #expect(rig.registrations.last?["languageDesired"] == "DE-DE")
        #expect(rig.registrations.last?["appName"] == "Wetter")
        #expect(rig.events.last == .languagesEqual)
    }

    @Test("A refused connection is tried again until the deadline, and logged once")
    func refusedConnection() {
        var rig = AppRig()
        rig.feed(.connectFailed("refused"))
        #expect(rig.actions.last == .startTimer(.connectAgain, milliseconds: 50))
        rig.feed(.timerFired(.connectAgain))
        #expect(rig.actions.last == .connect)
        rig.feed(.connectFailed("refused"))
        #expect(rig.events == [.started, .connecting, .connectRefused])
        rig.feed(.timerFired(.connectDeadline))
        #expect(rig.exitCode == 1)
    }

    @Test("The app ends after the configured number of reconnections")
    func reconnectLimit() {
        var rig = AppRig(LifecycleConfiguration().with { $0.maxReconnects = 1 })
        rig.register(with: "EN-US")
        rig.reconnect()
        rig.register(with: "EN-US")
        #expect(rig.exitCode == nil)
        rig.feed(.disconnected("test"))
        #expect(rig.exitCode == 0)
        #expect(rig.events.contains(.reconnectsExhausted))
    }

    @Test("Unknown messages and undecodable bytes change nothing")
    func unknown() {
        var rig = AppRig()
        rig.register(with: "EN-US")
        let before = rig.sent.count
        rig.notify("OnPermissionsChange", ["permissionItem": []])
        rig.notify("OnDriverDistraction", ["state": "DD_OFF"])
        rig.send(.request, "Show", id: 3, .object([]))
        rig.control(.transportEventUpdate, ["tcpPort": 1])
        rig.control(.serviceDataACK)
        #expect(rig.sent.count == before)
        #expect(rig.isAlive)
    }
}
