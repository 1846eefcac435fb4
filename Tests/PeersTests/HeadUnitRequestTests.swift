import SDL
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("A head unit's answers") struct HeadUnitRequestTests {
    /// All functions that an app may request.
    static let functions: [String] = SDL.description.messages.compactMap { message in
        let parts = message.name.split(separator: ".")
        guard parts.count == 3, parts[2] == "request", parts[1] != "UnknownFunction" else {
            return nil
        }
        return String(parts[1])
    }

    @Test(
        "every request is answered with success, without anomalies, in every version",
        arguments: [1, 2, 3, 4, 5] as [UInt8])
    func everyRequest(_ version: UInt8) throws {
        #expect(Self.functions.count > 60)
        var bench = try HeadUnitBench.started(["checksRequests": false], version: version)
        let last = ["RegisterAppInterface", "UnregisterAppInterface"]
        for function in Self.functions where !last.contains(function) {
            let parameters = DefaultParameters.mandatory(of: "sdl.\(function).request")
            let answers = try bench.request(function, parameters)
            let answer = try #require(answers.first)
            #expect(answer.name == "sdl.\(function).response")
            #expect(answer["params.success"] == true, "\(function)")
            #expect(answer["params.resultCode"] == "SUCCESS", "\(function)")
            #expect(answer["rpc.correlation_id"] == bench.lastSent?["rpc.correlation_id"])
            #expect(answers.anomalies.isEmpty, "\(function): \(answers.anomalies)")
        }
    }

    @Test("answers contain the parameters that apps rely on")
    func usefulParameters() throws {
        var bench = try HeadUnitBench.started()
        #expect(try bench.request("ListFiles").first?["params.spaceAvailable"] == 104_857_600)
        let slider = try bench.request(
            "Slider", ["numTicks": 5, "position": 3, "sliderHeader": "x"])
        #expect(slider.first?["params.sliderPosition"] == 3)
        let file = try #require(
            SDL.RPC(
                .request, "PutFile", correlationID: 9,
                parameters: ["syncFileName": "a", "fileType": "BINARY"], bulk: [1, 2, 3]))
        let put = try bench.request(file)
        #expect(put.names == ["sdl.PutFile.response"])
        #expect(put.first?["params.spaceAvailable"] != nil)
    }

    @Test(
        "every system capability is answered with its own content",
        arguments: [
            "NAVIGATION", "PHONE_CALL", "VIDEO_STREAMING", "REMOTE_CONTROL", "APP_SERVICES",
            "SEAT_LOCATION", "DISPLAYS", "DRIVER_DISTRACTION",
        ])
    func systemCapability(_ type: String) throws {
        var bench = try HeadUnitBench.started()
        let answer = try #require(
            try bench.request("GetSystemCapability", ["systemCapabilityType": .string(type)])
                .first)
        #expect(answer["params.success"] == true)
        #expect(answer["params.systemCapability.systemCapabilityType"]?.stringValue == type)
        #expect(answer["params.systemCapability"]?.objectValue?.count == 2)
        #expect(answer.anomalies.isEmpty)
    }

    @Test("a negative correlation id is refused with INVALID_ID")
    func negativeID() throws {
        var bench = try HeadUnitBench.started()
        let answers = try bench.request("Show", correlationID: -5)
        #expect(answers.names == ["sdl.Show.response"])
        #expect(answers.first?["params.resultCode"] == "INVALID_ID")
        #expect(answers.first?["rpc.correlation_id"] == -5)
    }

    @Test("a correlation id that is still pending is refused, and the first request stays pending")
    func duplicateID() throws {
        var bench = try HeadUnitBench.started(["silent": ["sdl.Alert.request"]])
        #expect(try bench.request("Alert", correlationID: 7).isEmpty)
        let duplicate = try bench.request("Show", correlationID: 7)
        #expect(duplicate.first?["params.resultCode"] == "INVALID_ID")
        #expect(try bench.send("sdl.Alert.response").first?["rpc.correlation_id"] == 7)
        #expect(
            try bench.request("Show", correlationID: 7).first?["params.success"] == true)
    }

    @Test("an unknown function gets a GenericResponse", arguments: [1, 5] as [UInt8])
    func unknownFunction(_ version: UInt8) throws {
        var bench = try HeadUnitBench.started(version: version)
        let answers = try bench.request(SDL.RPC(.request, functionID: 999, correlationID: 5))
        #expect(answers.names == ["sdl.GenericResponse.response"])
        #expect(answers.first?["params.resultCode"] == "INVALID_DATA")
        #expect(answers.first?["rpc.correlation_id"] == 5)
        #expect(answers.anomalies.isEmpty)
    }

    @Test("requests in an unknown session are dropped")
    func unknownSession() throws {
        var bench = try HeadUnitBench.started()
        bench.app.sessionID = 9
        #expect(try bench.request("ListFiles").isEmpty)
    }

    @Test("only a change of resumable state is followed by a new hash")
    func hashChange() throws {
        var hashes: [[Value?]] = []
        for _ in 0..<2 {
            var bench = try HeadUnitBench.started()
            var seen: [Value?] = []
            let changes: [(String, Value)] = [
                ("AddCommand", ["cmdID": 0, "vrCommands": ["go"]]),
                ("DeleteCommand", ["cmdID": 0]),
                ("SubscribeButton", ["buttonName": "OK"]),
            ]
            for (function, parameters) in changes {
                let answers = try bench.request(function, parameters)
                #expect(
                    answers.names
                        == ["sdl.\(function).response", "sdl.OnHashChange.notification"])
                seen.append(answers.last?["params.hashID"])
            }
            #expect(Set(seen).count == 3)
            #expect(seen.allSatisfy { $0?.stringValue?.count == 32 })
            #expect(try bench.request("Show").count == 1)
            let plain: Value = ["moduleType": "RADIO"]
            #expect(try bench.request("GetInteriorVehicleData", plain).count == 1)
            #expect(
                try bench.request("GetInteriorVehicleData", plain.with("subscribe", true)).count
                    == 2)
            hashes.append(seen)
        }
        #expect(hashes[0] == hashes[1])
    }

    @Test("the silent setting leaves requests unanswered, by name or by pattern")
    func silent() throws {
        var bench = try HeadUnitBench.started(
            ["silent": ["sdl.Show.*", "sdl.ListFiles.request", "sdl.Heartbeat"]])
        #expect(try bench.request("Show").isEmpty)
        #expect(try bench.request("ListFiles").isEmpty)
        #expect(try bench.control(.heartbeat, service: .control).isEmpty)
        #expect(try bench.request("Alert").count == 1)
    }

    @Test("the head unit's own messages, responses and notifications get no answer")
    func noReaction() throws {
        var bench = try HeadUnitBench.started()
        _ = try bench.request("ListFiles")
        let message = try #require(bench.lastSent)
        #expect(try bench.show(message, sentByPeer: true).isEmpty)
        #expect(
            try bench.request(
                SDL.RPC(.response, functionID: 13, correlationID: 1)
            ).isEmpty)
        #expect(
            try bench.request(
                SDL.RPC(.notification, functionID: 32_768, correlationID: 1)
            ).isEmpty)
    }
}
