import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: RPCs and their anomalies")
struct SDLRPCTests {
    private func message(
        _ payload: [UInt8], service: UInt8 = 7, version: UInt8 = 5
    ) throws -> SDL.Message {
        try #require(
            Wire.messages(Wire.frame(.single, payload, service: service, version: version)).first)
    }

    private func anomalies(
        _ type: SDL.RPCType, _ function: String, _ parameters: Value, correlationID: Int32 = 1
    ) throws -> [String] {
        let rpc = try #require(
            SDL.RPC(type, function, correlationID: correlationID, parameters: parameters))
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        let message = try #require(Wire.messages(encoder.encode(rpc)).first)
        return message.anomalies.map { "\($0.severity): \($0.text)" }
    }

    private let registration: Value = [
        "syncMsgVersion": ["majorVersion": 8, "minorVersion": 0], "appName": "A",
        "isMediaApplication": true, "languageDesired": "EN-US",
        "hmiDisplayLanguageDesired": "EN-US", "appID": "1",
    ]

    @Test("The binary header has type, function, signed correlation id, JSON size and bulk data")
    func binaryHeader() throws {
        let payload = Wire.rpc(
            #"{"syncFileName":"f","fileType":"BINARY"}"#, type: 0, function: 32, correlationID: 7,
            bulk: [1, 2, 3])
        let message = try message(payload, service: 15)
        #expect(message.name == "sdl.PutFile.request")
        #expect(message.anomalies.isEmpty)
        let fields = message.fields
        #expect(
            fields["rpc"] == [
                "type": 0, "type_name": "request", "function_id": 32, "function": "PutFile",
                "correlation_id": 7, "json_size": 40,
            ])
        #expect(fields["bulk"] == ["length": 3, "data": .bytes([1, 2, 3])])
        #expect(fields["params"]?["fileType"] == "BINARY")
        #expect(message.field(try #require(FieldPath("sdl.service_type"))) == 15)
    }

    @Test("The RPC type is part of a message's name")
    func names() throws {
        #expect(try message(Wire.rpc("{}", type: 1, function: 13)).name == "sdl.Show.response")
        #expect(try message(Wire.rpc("{}", type: 3, function: 13)).name == "sdl.Show.errorResponse")
        #expect(
            try message(Wire.rpc("{}", type: 2, function: 32768)).name
                == "sdl.OnHMIStatus.notification")
    }

    @Test("An unknown function keeps its number")
    func unknownFunction() throws {
        let message = try message(Wire.rpc("{}", function: 42))
        #expect(message.name == "sdl.UnknownFunction.request")
        #expect(message.field(try #require(FieldPath("rpc.function_id"))) == 42)
        #expect(message.anomalies.map(\.text) == ["the function 42 is not known"])
    }

    @Test("SPX-28: a reserved RPC type is found")
    func reservedType() throws {
        let message = try message(Wire.rpc("{}", type: 4))
        #expect(message.name == "sdl.malformed")
        #expect(message.anomalies.contains { $0.text.contains("RPC type 4") })
    }

    @Test("SPX-29: a JSON size beyond the message is found")
    func jsonSize() throws {
        let message = try message(Wire.rpc("{}", jsonSize: 3))
        #expect(message.name == "sdl.malformed")
        #expect(message.field(try #require(FieldPath("error_code"))) == "badLength")
        #expect(message.anomalies.contains { $0.text.contains("JSON size 3, but 2 byte(s)") })
    }

    @Test("SPX-29: bulk data on the RPC service is found")
    func bulkOnRPC() throws {
        let message = try message(Wire.rpc("{}", bulk: [1]))
        #expect(message.anomalies.map(\.text) == ["1 byte(s) of bulk data on the RPC service"])
    }

    @Test("SPX-27: version 2 and later without the binary header, and version 1 with it, are found")
    func headerByVersion() throws {
        let envelope = Array(#"{"request":{"name":"ListFiles","correlationID":1}}"#.utf8)
        #expect(try message(envelope, version: 1).name == "sdl.ListFiles.request")
        #expect(try message(envelope, version: 2).name == "sdl.malformed")
        #expect(try message(Wire.rpc("{}"), version: 1).name == "sdl.malformed")
    }

    @Test(
        "A body that is not a JSON object is malformed", arguments: ["{", "[]", "1", "{}x"])
    func badJSON(json: String) throws {
        #expect(try message(Wire.rpc(json)).name == "sdl.malformed")
    }

    @Test(
        "The first fault of a JSON body has its byte offset in the frame",
        arguments: [
            ("{", 25), ("{}x", 26), (#"{"a":1,}"#, 31), (#"{"a":tru}"#, 32), ("[]", 24),
            ("{\"a\":\"\u{1}\"}", 30), ("{}\0", 26),
        ])
    func faultOfJSON(json: String, offset: Int) throws {
        guard case .malformed(let error) = try message(Wire.rpc(json)).content else {
            Issue.record("it has been read")
            return
        }
        #expect(error.offset == offset)
        guard json != "[]", !json.hasSuffix("\0"),
            case .malformed(let former) = try message(Array(json.utf8), version: 1).content
        else { return }
        #expect(former.offset == offset - 16, "in version 1, which has 8 bytes of header")
    }

    @Test("A missing JSON body means no parameters")
    func emptyJSON() throws {
        let message = try message(Wire.rpc(""))
        #expect(message.name == "sdl.ListFiles.request")
        #expect(message.fields["params"] == .object([]))
    }

    @Test(
        "A version-1 envelope without its parts is malformed",
        arguments: [
            "{}", #"{"request":{},"response":{}}"#, #"{"error":{"name":"Show"}}"#,
            #"{"request":{"correlationID":1}}"#, #"{"request":{"name":"Show"}}"#,
            #"{"request":{"name":"Show","correlationID":4294967296}}"#, #"{"request":1}"#,
        ])
    func badEnvelope(json: String) throws {
        #expect(try message(Array(json.utf8), version: 1).name == "sdl.malformed")
    }

    @Test("A version-1 notification needs no correlation id, and an unknown name is kept")
    func envelope() throws {
        let status = #"{"notification":{"name":"OnHashChange","parameters":{"hashID":"x"}}}"#
        let message = try message(Array(status.utf8), version: 1)
        #expect(message.name == "sdl.OnHashChange.notification")
        #expect(message.anomalies.isEmpty)
        #expect(message.field(try #require(FieldPath("rpc.correlation_id"))) == nil)
        #expect(message.fields["rpc"]?["correlation_id"] == nil)
        #expect(message.fields["rpc"]?["function"] == "OnHashChange")
        let numbered = try self.message(
            Array(#"{"notification":{"name":"OnHashChange","correlationID":3}}"#.utf8), version: 1)
        #expect(numbered.field(try #require(FieldPath("rpc.correlation_id"))) == 3)
        let later = try self.message(Wire.rpc("{}", type: 2, function: 32_788, correlationID: -1))
        #expect(later.field(try #require(FieldPath("rpc.correlation_id"))) == -1)
        let odd = try self.message(
            Array(#"{"request":{"name":"Odd","correlationID":1}}"#.utf8), version: 1)
        #expect(odd.name == "sdl.UnknownFunction.request")
        #expect(odd.field(try #require(FieldPath("rpc.function"))) == "Odd")
    }

    @Test("NUL bytes after a version-1 envelope are a violation, and the message is still decoded")
    func envelopeNUL() throws {
        let json = #"{"request":{"name":"ListFiles","correlationID":1}}"#
        let message = try message(Array(json.utf8) + [0], version: 1)
        #expect(message.name == "sdl.ListFiles.request")
        #expect(
            message.anomalies.map { "\($0.severity): \($0.text)" }
                == ["violation: 1 NUL byte(s) after the JSON of the message"])
        #expect(message.fields["rpc"]?["json_size"] == .integer(Int64(json.utf8.count)))
        #expect(try self.message([0, 0], version: 1).name == "sdl.malformed")
    }

    @Test("SPX-48: a PutFile whose checksum does not match its data is found")
    func checksum() throws {
        // The check value of CRC-32.
        for (crc, count) in [(0xCBF4_3926, 0), (0xCBF4_3927, 1)] {
            let json =
                #"{"syncFileName":"a","fileType":"BINARY","crc":\#(crc),"length":9,"offset":0}"#
            let message = try message(
                Wire.rpc(json, function: 32, bulk: Array("123456789".utf8)), service: 15)
            #expect(message.name == "sdl.PutFile.request")
            #expect(message.anomalies.filter { $0.text.contains("checksum") }.count == count)
        }
    }

    @Test("A version-1 correlation id above 65536 is found")
    func envelopeID() throws {
        let json = #"{"request":{"name":"ListFiles","correlationID":65537}}"#
        #expect(
            try message(Array(json.utf8), version: 1).anomalies.map(\.text)
                == ["correlation id 65537, at most 65536 in version 1"])
    }

    @Test("SPX-33: a negative correlation id is a fault in a request, not in a notification")
    func negativeID() throws {
        #expect(
            try anomalies(.request, "ListFiles", [:], correlationID: -2)
                == ["violation: negative correlation id -2 in a request"])
        #expect(
            try anomalies(.notification, "OnHashChange", ["hashID": "x"], correlationID: -1) == [])
    }

    @Test(
        "SPX-40: a missing mandatory parameter is found, or a warning if it became mandatory later")
    func missing() throws {
        #expect(try anomalies(.request, "RegisterAppInterface", registration) == [])
        func without(_ name: String) throws -> [String] {
            let path = try #require(FieldPath(name))
            return try anomalies(
                .request, "RegisterAppInterface", registration.removing(path))
        }
        #expect(
            try without("appName") == ["violation: the mandatory params.appName is missing"])
        #expect(
            try without("syncMsgVersion.minorVersion")
                == ["violation: the mandatory params.syncMsgVersion.minorVersion is missing"])
        #expect(try without("appID").map { $0.prefix(8) } == ["warning:"])
    }

    @Test(
        "SPX-40: wrong types, ranges, lengths, counts and enumeration values are found",
        arguments: [
            ("appName", 5, "params.appName is an integer, expected a string"),
            (
                "isMediaApplication", "true",
                "params.isMediaApplication is a string, expected a boolean"
            ),
            (
                "languageDesired", "EN-XX",
                "params.languageDesired is 'EN-XX', which is not a Language"
            ),
            (
                "syncMsgVersion.majorVersion", 11,
                "params.syncMsgVersion.majorVersion is 11, allowed: 1 to 10"
            ),
            (
                "syncMsgVersion", "8.0",
                "params.syncMsgVersion is a string, expected a SyncMsgVersion"
            ),
            (
                "syncMsgVersion.minorVersion", 1.5,
                "params.syncMsgVersion.minorVersion is a number, expected an integer"
            ),
            ("vrSynonyms", [], "params.vrSynonyms has 0 element(s), allowed: 1 to 100"),
            ("vrSynonyms", "x", "params.vrSynonyms is a string, expected an array"),
            ("vrSynonyms", ["x", .null], "params.vrSynonyms[1] is null, expected a string"),
            (
                "ttsName", [["text": "x", "type": "TEXTS"]],
                "params.ttsName[0].type is 'TEXTS', which is not a SpeechCapabilities"
            ),
        ] as [(String, Value, String)])
    func wrongParameter(path: String, value: Value, expected: String) throws {
        let parameters = registration.setting(try #require(FieldPath(path)), to: value)
        #expect(
            try anomalies(.request, "RegisterAppInterface", parameters)
                == ["violation: \(expected)"])
    }

    @Test("SPX-40: a text above its maximum length, counted in characters, is found")
    func length() throws {
        let path = try #require(FieldPath("appName"))
        let fits = registration.setting(path, to: .string(String(repeating: "é", count: 100)))
        #expect(try anomalies(.request, "RegisterAppInterface", fits) == [])
        let long = registration.setting(path, to: .string(String(repeating: "é", count: 101)))
        #expect(
            try anomalies(.request, "RegisterAppInterface", long)
                == ["violation: params.appName has 101 characters, allowed: at most 100"])
    }

    @Test("A floating-point number may be written as an integer, and its range is checked")
    func floats() throws {
        func send(_ longitude: Value) throws -> [String] {
            try anomalies(
                .request, "SendLocation", ["longitudeDegrees": longitude, "latitudeDegrees": 1])
        }
        #expect(try send(180) == [])
        #expect(
            try send(180.5)
                == ["violation: params.longitudeDegrees is 180.5, allowed: -180.0 to 180.0"])
    }

    @Test("Parameters unknown to the specification are accepted, duplicates are not")
    func openWorld() throws {
        let path = try #require(FieldPath("futureParameter"))
        #expect(
            try anomalies(.request, "RegisterAppInterface", registration.setting(path, to: 1)) == []
        )
        let twice = Value.object([.init("x", 1), .init("x", 2)])
        #expect(
            try anomalies(.request, "ListFiles", twice)
                == ["violation: params.x appears more than once"])
    }

    @Test("A response with an error needs only the two common parameters")
    func refusal() throws {
        #expect(
            try anomalies(.response, "ListFiles", ["success": false, "resultCode": "DISALLOWED"])
                == [])
        #expect(
            try anomalies(.response, "ReadDID", ["success": false])
                == ["violation: the mandatory params.resultCode is missing"])
    }

    @Test("A message type that a function does not have is a violation")
    func wrongDirection() throws {
        #expect(
            try anomalies(.notification, "Show", [:]) == ["violation: Show has no notification"])
    }

    @Test("An RPC with an unknown name cannot be created")
    func unknownName() {
        #expect(SDL.RPC(.request, "Shou", correlationID: 1) == nil)
    }
}
