import Testing
import Wire

@testable import PeerKit

@Suite("A head unit's registration") struct HeadUnitRegistrationTests {
    struct Outcome: Sendable {
        let request: [String: String]
        let settings: Value
        let resultCode: String
        let hasInfo: Bool

        init(
            _ resultCode: String, _ request: [String: String] = [:],
            _ settings: Value = .object([]),
            hasInfo: Bool = false
        ) {
            self.request = request
            self.settings = settings
            self.resultCode = resultCode
            self.hasInfo = hasInfo
        }
    }

    static let outcomes: [Outcome] = [
        Outcome("SUCCESS"),
        Outcome("WRONG_LANGUAGE", ["languageDesired": "DE-DE"]),
        Outcome("WRONG_LANGUAGE", ["hmiDisplayLanguageDesired": "DE-DE"]),
        Outcome("WRONG_LANGUAGE", [:], ["language": "FR-CA"]),
        Outcome("WRONG_LANGUAGE", [:], ["hmiDisplayLanguage": "FR-CA"]),
        Outcome("WRONG_LANGUAGE", [:], ["registerAppInterface": ["language": "FR-CA"]]),
        Outcome("SUCCESS", ["languageDesired": "DE-DE"], ["language": "DE-DE"]),
        Outcome("SUCCESS", ["hashID": ""]),
        Outcome("RESUME_FAILED", ["hashID": "abc"], hasInfo: true),
        Outcome("WRONG_LANGUAGE", ["hashID": "abc", "languageDesired": "DE-DE"], hasInfo: true),
        Outcome("WARNINGS", [:], ["registerAppInterface": ["resultCode": "WARNINGS"]]),
        Outcome(
            "RESUME_FAILED", ["hashID": "abc"],
            ["registerAppInterface": ["resultCode": "WARNINGS"]], hasInfo: true),
    ]

    @Test("the result code is that of the worst difference, with success", arguments: outcomes)
    func resultCode(_ outcome: Outcome) throws {
        var bench = try HeadUnitBench.started(outcome.settings, registered: false)
        let request = outcome.request.reduce(Value.registration) {
            $0.with($1.key, .string($1.value))
        }
        let answers = try bench.request("RegisterAppInterface", request)
        let answer = try #require(answers.first)
        #expect(answer["params.success"] == true)
        #expect(answer["params.resultCode"]?.stringValue == outcome.resultCode)
        #expect((answer["params.info"] != nil) == outcome.hasInfo)
        #expect(answers.anomalies.isEmpty)
    }

    @Test("the response has languages and capabilities", arguments: [1, 2, 3, 4, 5] as [UInt8])
    func response(_ version: UInt8) throws {
        let settings: Value = ["language": "FR-CA", "hmiDisplayLanguage": "ES-MX"]
        var bench = try HeadUnitBench.started(settings, version: version, registered: false)
        let answers = try bench.request("RegisterAppInterface", .registration, correlationID: 4711)
        let answer = try #require(answers.first)
        #expect(answer["params.language"] == "FR-CA")
        #expect(answer["params.hmiDisplayLanguage"] == "ES-MX")
        #expect(answer["params.syncMsgVersion.majorVersion"] == 8)
        #expect(answer["params.displayCapabilities.textFields[0].name"] == "mainField1")
        #expect(answer["rpc.correlation_id"] == 4711)
        #expect(
            answers.names == [
                "sdl.RegisterAppInterface.response", "sdl.OnHMIStatus.notification",
                "sdl.OnPermissionsChange.notification",
            ])
        #expect(answers[1]["params.hmiLevel"] == "NONE")
        #expect(answers.anomalies.isEmpty)
    }

    @Test(
        "the level is sent after NONE, and only media apps are audible", arguments: [true, false])
    func level(_ isMedia: Bool) throws {
        var bench = try HeadUnitBench.started(["hmiLevel": "FULL"], registered: false)
        let answers = try bench.request(
            "RegisterAppInterface", .registration.with("isMediaApplication", .bool(isMedia)))
        let states = answers.filter { $0.name == "sdl.OnHMIStatus.notification" }
        #expect(states.map { $0["params.hmiLevel"] } == ["NONE", "FULL"])
        #expect(
            states.map { $0["params.audioStreamingState"] }
                == ["NOT_AUDIBLE", isMedia ? "AUDIBLE" : "NOT_AUDIBLE"])
        #expect(answers.last?.name == "sdl.OnHMIStatus.notification")
    }

    @Test("notifications can be switched off")
    func noNotifications() throws {
        var bench = try HeadUnitBench.started(["notifications": false], registered: false)
        #expect(try bench.request("RegisterAppInterface", .registration).count == 1)
    }

    @Test("parameters of the response can be replaced, merged and removed")
    func replacedParameters() throws {
        let changes: Value = [
            "vehicleType": ["make": "Other"], "sdlVersion": .null, "supportedDiagModes": [1],
        ]
        var bench = try HeadUnitBench.started(["registerAppInterface": changes], registered: false)
        let answer = try #require(
            try bench.request("RegisterAppInterface", .registration).first)
        #expect(answer["params.vehicleType.make"] == "Other")
        #expect(answer["params.vehicleType.model"] == "Bench")
        #expect(answer["params.sdlVersion"] == nil)
        #expect(answer["params.supportedDiagModes"] == [1])
    }

    @Test("a registration that the settings refuse gets only the refusal and registers nothing")
    func refused() throws {
        let changes: Value = ["success": false, "resultCode": "DISALLOWED"]
        var bench = try HeadUnitBench.started(["registerAppInterface": changes], registered: false)
        let answers = try bench.request("RegisterAppInterface", .registration)
        #expect(answers.count == 1)
        #expect(
            answers.first?["params"] == ["success": false, "resultCode": "DISALLOWED"])
        let next = try bench.request("ListFiles")
        #expect(next.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")
    }

    @Test("a registration is required, cannot be repeated, and is possible again after its end")
    func lifeCycle() throws {
        var bench = try HeadUnitBench.started(registered: false)
        let early = try bench.request("Show")
        #expect(early.names == ["sdl.Show.response"])
        #expect(early.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")
        _ = try bench.request("RegisterAppInterface", .registration)
        let second = try bench.request("RegisterAppInterface", .registration)
        #expect(second.count == 1)
        #expect(second.first?["params.resultCode"] == "APPLICATION_REGISTERED_ALREADY")
        #expect(second.first?["params.success"] == false)
        let ended = try bench.request("UnregisterAppInterface")
        #expect(ended.first?["params.success"] == true)
        #expect(try bench.request("Show").first?["params.success"] == false)
        #expect(try bench.request("RegisterAppInterface", .registration).count == 3)
        #expect((early + second + ended).anomalies.isEmpty)
    }

    @Test("configure changes the next registration and nothing that was already sent")
    func configure() throws {
        var bench = try HeadUnitBench.started()
        let commands = try bench.peer.perform("configure", arguments: ["language": "DE-DE"])
        #expect(commands.isEmpty)
        _ = try bench.request("UnregisterAppInterface")
        let answers = try bench.request("RegisterAppInterface", .registration)
        #expect(answers.first?["params.resultCode"] == "WRONG_LANGUAGE")
        #expect(answers.first?["params.hmiDisplayLanguage"] == "EN-US")
    }
}
