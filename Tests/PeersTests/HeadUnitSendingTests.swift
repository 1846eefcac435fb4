import SDL
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit

@Suite("Messages that a head unit sends for a suite") struct HeadUnitSendingTests {
    @Test("the response that the suite sends decides a withheld registration")
    func withheldRegistration() throws {
        var bench = try HeadUnitBench.started(registered: false)
        let silence = try bench.request("RegisterAppInterface", .registration, withholding: true)
        #expect(silence.isEmpty)
        let early = try bench.request("ListFiles")
        #expect(early.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")

        _ = try bench.request("RegisterAppInterface", .registration, withholding: true)
        let request = try #require(bench.lastSent)
        let refused = try bench.send(
            "sdl.RegisterAppInterface.response",
            [("params.success", false), ("params.resultCode", "DISALLOWED")], answering: request)
        #expect(refused.count == 1)
        #expect(refused.first?["params"] == ["success": false, "resultCode": "DISALLOWED"])
        #expect(refused.first?["rpc.correlation_id"] == request["rpc.correlation_id"])
        #expect(try bench.request("ListFiles").first?["params.success"] == false)

        _ = try bench.request("RegisterAppInterface", .registration, withholding: true)
        let accepted = try bench.send(
            "sdl.RegisterAppInterface.response", [("params.language", "DE-DE")],
            answering: bench.lastSent)
        #expect(accepted.count == 3)
        #expect(accepted.first?["params.language"] == "DE-DE")
        #expect(accepted.first?["params.displayCapabilities"] != nil)
        #expect(try bench.request("ListFiles").first?["params.success"] == true)
    }

    @Test("a withheld answer that changes state is followed by its hash when the suite sends it")
    func withheldChange() throws {
        var bench = try HeadUnitBench.started()
        #expect(try bench.request("AddCommand", .spoken(1), withholding: true).isEmpty)
        let request = try #require(bench.lastSent)
        #expect(
            try bench.send("sdl.AddCommand.response", answering: request).names
                == ["sdl.AddCommand.response", "sdl.OnHashChange.notification"])
        #expect(try bench.request("AddCommand", .spoken(2), withholding: true).isEmpty)
        #expect(
            try bench.send(
                "sdl.AddCommand.response",
                [("params.success", false), ("params.resultCode", "INVALID_ID")],
                answering: bench.lastSent
            ).count == 1)
    }

    @Test("a withheld StartService starts the session that the suite's ACK names")
    func withheldStart() throws {
        var bench = try HeadUnitBench()
        let silence = try bench.control(
            .startService, parameters: ["protocolVersion": "5.4.0"], sessionID: 0, version: 1,
            withholding: true)
        #expect(silence.isEmpty)
        let request = try #require(bench.lastSent)
        let ack = try bench.send(
            "sdl.StartServiceACK",
            [
                ("sdl.session_id", 9), ("params.hashId", 77), ("params.mtu", nil),
                ("params.protocolVersion", "5.0.0"),
            ], answering: request)
        #expect(ack.first?.header.sessionID == 9)
        #expect(ack.first?["params.mtu"] == nil)
        bench.app.sessionID = 9
        #expect(try bench.request("RegisterAppInterface", .registration).count == 3)
        let ended = try bench.control(.endService, parameters: ["hashId": 77])
        #expect(ended.names == ["sdl.EndServiceACK"])
    }

    @Test("a NAK instead of the ACK starts nothing")
    func refusedStart() throws {
        var bench = try HeadUnitBench()
        _ = try bench.control(
            .startService, parameters: ["protocolVersion": "5.4.0"], sessionID: 0, version: 1,
            withholding: true)
        let refused = try bench.send(
            "sdl.StartServiceNAK", [("params.rejectedParams", ["protocolVersion"])])
        #expect(refused.first?["params.rejectedParams"] == ["protocolVersion"])
        #expect(refused.anomalies.isEmpty)
        #expect(throws: PeerError.self) {
            try bench.send("sdl.OnHMIStatus.notification")
        }
    }

    @Test("header and RPC fields can be replaced")
    func replacedHeaders() throws {
        var bench = try HeadUnitBench.started(["silent": ["sdl.Show.request"]])
        _ = try bench.request("Show")
        let sent = try bench.send(
            "sdl.Show.response",
            [
                ("sdl.service_type", 15), ("sdl.message_id", 99), ("rpc.correlation_id", 3),
                ("rpc.function_id", 12), ("rpc.type", 3), ("params.info", "x"),
            ], answering: bench.lastSent)
        let message = try #require(sent.first)
        #expect(message.name == "sdl.Alert.errorResponse")
        #expect(message.header.serviceType == 15)
        #expect(message.header.messageID == 99)
        #expect(message["rpc.correlation_id"] == 3)
        #expect(message["params.info"] == "x")
        let version = try bench.send("sdl.OnHashChange.notification", [("sdl.version", 3)])
        #expect(version.first?.header.version == 3)
    }

    @Test("every frame of a long message gets the replaced service")
    func replacedServiceOfLongMessage() throws {
        var bench = try HeadUnitBench.started(version: 2)
        let sent = try bench.send(
            "sdl.OnPermissionsChange.notification", [("sdl.service_type", 15)])
        #expect(sent.count == 1)
        #expect(sent.first?.header.serviceType == 15)
        #expect((sent.first?.frameCount ?? 0) > 5)
    }

    @Test("a message with bulk data uses the Bulk service")
    func bulk() throws {
        var bench = try HeadUnitBench.started()
        let sent = try bench.send(
            "sdl.OnSystemRequest.notification",
            [("params.requestType", "HTTP"), ("bulk.data", .bytes([1, 2]))])
        #expect(sent.first?.header.serviceType == 15)
        #expect(sent.first?["bulk.data"] == .bytes([1, 2]))
        #expect(sent.anomalies.isEmpty)
    }

    @Test("the default of every message that can be sent has no anomalies")
    func everyDefault() throws {
        for description in SDL.description.messages {
            let parts = description.name.split(separator: ".")
            guard parts.count == 3, parts[1] != "UnknownFunction" else { continue }
            var bench = try HeadUnitBench.started()
            let fields: [(String, Value?)] =
                ["response", "errorResponse"].contains(parts[2])
                ? [("rpc.correlation_id", 5)] : []
            let sent = try bench.send(description.name, fields)
            #expect(sent.first?.name == description.name)
            #expect(sent.anomalies.isEmpty, "\(description.name): \(sent.anomalies)")
        }
    }

    @Test("control frames can be sent unasked")
    func controlFrames() throws {
        var bench = try HeadUnitBench.started()
        let end = try bench.send("sdl.EndService")
        #expect(end.first?["params.hashId"] == 65_537)
        let update = try bench.send(
            "sdl.TransportEventUpdate", [("params.tcpPort", 5000)])
        #expect(update.first?["params.tcpPort"] == 5000)
        let heartbeat = try bench.send("sdl.Heartbeat")
        #expect(heartbeat.names == ["sdl.Heartbeat"])
        #expect((end + update + heartbeat).anomalies.isEmpty)
        _ = try bench.control(.endServiceACK)
        #expect(try bench.request("ListFiles").isEmpty)
    }

    @Test("Before the device's first StartService, control frames need a session id")
    func controlFramesWithoutSession() throws {
        var bench = try HeadUnitBench()
        try bench.show(.syn)
        try bench.show(.established)
        for frame in ["sdl.EndService", "sdl.Heartbeat", "sdl.TransportEventUpdate"] {
            #expect(throws: PeerError.self) { try bench.send(frame) }
            #expect(try bench.send(frame, [("sdl.session_id", 1)]).names == [frame])
        }
    }

    @Test("the streaming states of an OnHMIStatus follow from the level that the suite gives")
    func level() throws {
        var bench = try HeadUnitBench.started(registered: false)
        _ = try bench.request(
            "RegisterAppInterface", .registration.with("isMediaApplication", true))
        let sent = try bench.send(
            "sdl.OnHMIStatus.notification", [("params.hmiLevel", "FULL")])
        #expect(sent.first?["params.audioStreamingState"] == "AUDIBLE")
    }

    @Test("OnAppInterfaceUnregistered unregisters the app")
    func unregistered() throws {
        var bench = try HeadUnitBench.started()
        _ = try bench.send("sdl.OnAppInterfaceUnregistered.notification")
        let next = try bench.request("ListFiles")
        #expect(next.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")
    }

    @Test("OnLanguageChange sets the language of the next registration")
    func languageChange() throws {
        var bench = try HeadUnitBench.started()
        _ = try bench.send(
            "sdl.OnLanguageChange.notification", [("params.language", "DE-DE")])
        _ = try bench.request("UnregisterAppInterface")
        let answers = try bench.request("RegisterAppInterface", .registration)
        #expect(answers.first?["params.language"] == "DE-DE")
        #expect(answers.first?["params.resultCode"] == "WRONG_LANGUAGE")
    }

    struct Mistake: Sendable {
        let message: String
        let path: String?
        let value: Value?
        let code: PeerError.Code
        let text: String
    }

    static let mistakes: [Mistake] = [
        .init(
            message: "sdl.OnHMIStatsu.notification", path: nil, value: nil, code: .unknownMessage,
            text: "sdl.OnHMIStatus.notification"),
        .init(
            message: "sdl.AudioData", path: nil, value: nil, code: .unknownMessage,
            text: "cannot send"),
        .init(
            message: "tcp.SYN", path: nil, value: nil, code: .unknownMessage, text: "cannot send"),
        .init(
            message: "sdl.OnHMIStatus.notification", path: "sdl.sesion_id", value: 1,
            code: .unknownField, text: "sdl.session_id"),
        .init(
            message: "sdl.OnHMIStatus.notification", path: "hmiLevel", value: "FULL",
            code: .unknownField, text: "cannot be replaced"),
        .init(
            message: "sdl.OnHMIStatus.notification", path: "sdl.version", value: 6,
            code: .badField, text: "from 1 to 5"),
        .init(
            message: "sdl.OnHMIStatus.notification", path: "sdl.session_id", value: nil,
            code: .badField, text: "from 0 to 255"),
        .init(
            message: "sdl.OnPermissionsChange.notification", path: "params.permissionItem[9999]",
            value: 1, code: .badField, text: "no such element"),
        .init(
            message: "sdl.OnPermissionsChange.notification", path: "params.permissionItem[0]",
            value: nil, code: .badField, text: "cannot be taken out"),
        .init(
            message: "sdl.Show.response", path: nil, value: nil, code: .badField,
            text: "no Show request"),
        .init(
            message: "sdl.EndServiceACK", path: nil, value: nil, code: .badField,
            text: "no EndService"),
    ]

    @Test("a mistake in a send step is an error with the correct form", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        var bench = try HeadUnitBench.started()
        let fields = mistake.path.map { [($0, mistake.value)] } ?? []
        let error = try #require(
            #expect(throws: PeerError.self) { try bench.send(mistake.message, fields) })
        #expect(error.code == mistake.code)
        #expect("\(error)".contains(mistake.text), "\(error)")
    }

    @Test("a field that does not exist in the version is an error and is not dropped")
    func noPlace() throws {
        var bench = try HeadUnitBench.started(version: 4)
        _ = try bench.control(.registerSecondaryTransport, withholding: true)
        let error = #expect(throws: PeerError.self) {
            try bench.send("sdl.RegisterSecondaryTransportNAK", [("params.reason", "no")])
        }
        #expect(error?.code == .badField)
        #expect(error?.detail.contains("version 4") == true)
    }
}
