import HTTP
import SDL
import Testing
import Wire

@testable import conform_device

@Suite("A head unit over plain TCP")
struct HeadUnitSessionTests {
    @Test(
        "It uses the highest version that both support, and sends the hash from version 2 on",
        arguments: [
            ("5.4.0", "5.4.0", UInt8(5), "5.4.0"), ("5.0.0", "5.4.0", 5, "5.0.0"),
            (nil, "5.4.0", 4, nil), (nil, "3.0.0", 3, nil), ("5.4.0", "2.0.0", 2, nil),
        ])
    func versions(offered: String?, own: String, header: UInt8, stated: String?) throws {
        var configuration = HeadUnitConfiguration()
        configuration.protocolVersion = try #require(ProtocolVersion(own))
        let rig = HeadUnitRig(configuration)
        let link = rig.call()
        let answer = try #require(rig.start(on: link, version: offered))
        #expect(answer.name == "sdl.StartServiceACK")
        #expect(answer.header.version == header && answer.header.sessionID == 1)
        #expect(answer.field("params.protocolVersion")?.stringValue == stated)
        #expect(answer.field("params.hashId") != nil)
        #expect(answer.anomalies == [])
    }

    @Test(
        "With an app of version 3 it continues in version 3, although it has answered in version 4")
    func formerApp() throws {
        let rig = HeadUnitRig()
        let link = rig.call()
        #expect(rig.start(on: link, version: nil)?.header.version == 4)
        var encoder = SDL.Encoder(version: 3, sessionID: 1)
        let rpc = try #require(
            SDL.RPC(
                .request, "RegisterAppInterface", correlationID: 7,
                parameters: HeadUnitRig.registration))
        let messages =
            rig.send(encoder.encode(rpc), on: link)
            + rig.send(encoder.encode(.heartbeat, service: .control), on: link)
        let versions = messages.compactMap { ($0 as? SDL.Message)?.header.version }
        #expect(versions == [3, 3, 3, 3])
        #expect(messages.flatMap(\.anomalies) == [])
    }

    @Test("Data that an app has set is restored with its hash, and with no other")
    func resumes() {
        let rig = HeadUnitRig()
        let command: Value = ["cmdID": 7, "vrCommands": ["seven"]]
        func comeBack(_ hash: String?) -> (code: String?, isTaken: Bool) {
            let link = rig.call()
            _ = rig.start(on: link)
            let registration = HeadUnitRig.registration.merging(
                hash.map { ["hashID": .string($0)] } ?? .object([]))
            let answer = rig.request("RegisterAppInterface", registration, on: link)
            let added = rig.request("AddCommand", command, on: link)
            _ = rig.handle(.disconnected(link, "test"))
            return (
                answer.first?.field("params.resultCode")?.stringValue,
                added.first?.field("params.success") == true
            )
        }
        #expect(comeBack(nil) == ("SUCCESS", true))
        #expect(comeBack("state 1") == ("SUCCESS", false))
        // The accepted hash was replaced by a new one.
        #expect(comeBack("state 1") == ("RESUME_FAILED", true))
        #expect(comeBack(nil) == ("SUCCESS", true))
    }

    @Test("Data that apps have set is restored in the head unit's next life")
    func outlivesTheIgnition() throws {
        let rig = HeadUnitRig()
        let link = rig.call()
        #expect(rig.register(on: link))
        let command: Value = ["cmdID": 7, "vrCommands": ["seven"]]
        let hash = try #require(
            rig.request("AddCommand", command, on: link).last?.field("params.hashID"))
        let end = rig.handle(.terminate)
        #expect(
            end.map(\.name) == ["sdl.OnAppInterfaceUnregistered.notification", "sdl.EndService"])
        #expect(end.compactMap { $0 as? SDL.Message }.flatMap(\.anomalies) == [])
        let kept = rig.actions.lazy.compactMap { action -> Value? in
            if case .keep(let kept) = action { kept } else { nil }
        }
        let next = HeadUnitRig(kept: kept.first)
        let again = next.call()
        _ = next.start(on: again)
        let registration = HeadUnitRig.registration.merging(["hashID": hash])
        let answer = next.request("RegisterAppInterface", registration, on: again)
        #expect(answer.first?.field("params.resultCode") == "SUCCESS")
        let added = next.request("AddCommand", command, on: again)
        #expect(added.first?.field("params.resultCode") == "INVALID_ID")
    }

    @Test("A language that the user chooses is reported and compared with later registrations")
    func changesLanguage() {
        let rig = HeadUnitRig()
        let link = rig.call()
        #expect(rig.register(on: link))
        let stated = rig.handle(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"language","params":{"language":"FR-CA"}}"#))
        #expect(stated.first?.name == "sdl.OnLanguageChange.notification")
        #expect(stated.first?.field("params.language") == "FR-CA")
        let other = rig.call()
        _ = rig.start(on: other)
        let answer = rig.request("RegisterAppInterface", HeadUnitRig.registration, on: other)
        #expect(answer.first?.field("params.resultCode") == "WRONG_LANGUAGE")
        #expect(answer.first?.field("params.language") == "FR-CA")
        #expect(
            rig.handle(.controlLine(#"{"jsonrpc":"2.0","id":2,"method":"language"}"#)).isEmpty)
    }

    @Test("The start of a reserved service is refused with its number")
    func reservedService() {
        let rig = HeadUnitRig()
        let link = rig.call()
        _ = rig.start(on: link)
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        var bytes = encoder.encode(.startService, service: .video)
        bytes[1] = 12
        let answer = rig.send(bytes, on: link).first as? SDL.Message
        #expect(answer?.name == "sdl.StartServiceNAK")
        #expect(answer?.header.serviceType == 12)
    }

    @Test("It registers an app, reports its level, and serves it until it unregisters")
    func registers() throws {
        let rig = HeadUnitRig()
        let link = rig.call()
        _ = rig.start(on: link)
        let early = rig.request("Show", on: link)
        #expect(early.first?.field("params.resultCode") == "APPLICATION_NOT_REGISTERED")
        let registered = rig.request(
            "RegisterAppInterface", HeadUnitRig.registration, on: link)
        #expect(
            registered.map(\.name) == [
                "sdl.RegisterAppInterface.response", "sdl.OnHMIStatus.notification",
                "sdl.OnPermissionsChange.notification",
            ])
        #expect(registered.first?.field("params.resultCode") == "SUCCESS")
        #expect(registered.flatMap(\.anomalies) == [])
        let again = rig.request("RegisterAppInterface", HeadUnitRig.registration, on: link)
        #expect(again.first?.field("params.resultCode") == "APPLICATION_REGISTERED_ALREADY")
        #expect(rig.request("Show", on: link).first?.field("params.success") == true)
        let files = rig.request("ListFiles", on: link)
        #expect(files.first?.field("params.spaceAvailable") != nil)
        #expect(files.flatMap(\.anomalies) == [])
        let other = rig.request("ReadDID", ["ecuName": 1, "didLocation": [1]], on: link)
        #expect(other.first?.field("params.resultCode") == "UNSUPPORTED_REQUEST")
        _ = rig.request("UnregisterAppInterface", on: link)
        #expect(rig.request("Show", on: link).first?.field("params.success") == false)
    }

    @Test("An incomplete registration is refused, another language gives WRONG_LANGUAGE")
    func registrations() {
        let rig = HeadUnitRig()
        let link = rig.call()
        _ = rig.start(on: link)
        let bare = rig.request("RegisterAppInterface", ["appName": "x"], on: link)
        #expect(bare.first?.field("params.resultCode") == "INVALID_DATA")
        let german = HeadUnitRig.registration.merging(["languageDesired": "DE-DE"])
        let answer = rig.request("RegisterAppInterface", german, on: link).first
        #expect(answer?.field("params.resultCode") == "WRONG_LANGUAGE")
        #expect(answer?.field("params.success") == true)
    }

    @Test("It acknowledges the end of the service only for its hash, and answers heartbeats")
    func control() throws {
        let rig = HeadUnitRig()
        let link = rig.call()
        let hash = try #require(rig.start(on: link)?.field("params.hashId"))
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        func frame(_ messages: [any DissectedMessage]) -> String? { messages.first?.name }
        #expect(
            frame(rig.send(encoder.encode(.heartbeat, service: .control), on: link))
                == "sdl.HeartbeatACK")
        let video = encoder.encode(.startService, service: .video)
        #expect(frame(rig.send(video, on: link)) == "sdl.StartServiceNAK")
        let wrong = encoder.encode(.endService, service: .rpc, parameters: ["hashId": 5])
        #expect(frame(rig.send(wrong, on: link)) == "sdl.EndServiceNAK")
        let right = encoder.encode(.endService, service: .rpc, parameters: ["hashId": hash])
        #expect(frame(rig.send(right, on: link)) == "sdl.EndServiceACK")
        #expect(frame(rig.send(right, on: link)) == "sdl.EndServiceNAK")
    }

    @Test("It closes connections of an unknown protocol, and waits while the start is incomplete")
    func beginnings() {
        let rig = HeadUnitRig()
        let http = rig.call()
        _ = rig.send(Array("GET / HTTP/1.1".utf8), on: http)
        #expect(rig.hasClosed(http))
        let slow = rig.call()
        var encoder = SDL.Encoder(version: 1)
        let bytes = encoder.encode(.startService, service: .rpc)
        for byte in bytes.dropLast() { #expect(rig.send([byte], on: slow).isEmpty) }
        #expect(rig.send(bytes.suffix(1), on: slow).first?.name == "sdl.StartServiceACK")
        #expect(!rig.hasClosed(slow))
    }

    @Test("Its controls bring apps to the foreground, report its state, and end it")
    func controls() {
        let rig = HeadUnitRig()
        _ = rig.handle(.controlLine(#"{"jsonrpc":"2.0","id":1,"method":"activate"}"#))
        guard case .answer(let refusal)? = rig.actions.last else {
            Issue.record("no answer")
            return
        }
        #expect(refusal["error"]?["message"]?.stringValue?.contains("no app") == true)
        let link = rig.call()
        #expect(rig.register(on: link))
        let stated = rig.handle(.controlLine(#"{"jsonrpc":"2.0","id":2,"method":"activate"}"#))
        #expect(stated.first?.field("params.hmiLevel") == "FULL")
        _ = rig.handle(.controlLine(#"{"jsonrpc":"2.0","id":3,"method":"state"}"#))
        guard case .answer(let state)? = rig.actions.last else {
            Issue.record("no answer")
            return
        }
        #expect(state["result"]?["apps"] == ["Test"])
        _ = rig.handle(.controlLine(#"{"jsonrpc":"2.0","id":4,"method":"stop"}"#))
        #expect(rig.actions.last == .exit(0) && rig.hasClosed(link))
    }

    @Test("A configuration with an unknown key or value is refused")
    func configuration() throws {
        let keys: [Value] = [
            ["nme": "x"], ["protocols": "all"], ["protocolVersion": "9.0.0"], ["language": 1],
        ]
        for document in keys {
            #expect(throws: ConfigurationError.self) {
                try HeadUnitConfiguration(document: document)
            }
        }
        let own = try HeadUnitConfiguration(document: ["protocols": ["a", "b"], "name": "N"])
        #expect(own.protocols == ["a", "b"] && own.name == "N")
    }
}
