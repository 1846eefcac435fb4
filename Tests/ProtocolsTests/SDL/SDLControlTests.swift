import Testing

@testable import HTTP
@testable import SDL
@testable import Wire

@Suite("SDL: control frames")
struct SDLControlTests {
    private func message(
        _ frame: SDL.ControlFrame, _ payload: [UInt8] = [], service: UInt8 = 7,
        session: UInt8 = 1, id: UInt32 = 0, version: UInt8 = 5, encrypted: Bool = false
    ) throws -> SDL.Message {
        try #require(
            Wire.messages(
                Wire.frame(
                    .control, payload, service: service, info: frame.rawValue, session: session,
                    id: id, version: version, encrypted: encrypted)
            ).first)
    }

    private func texts(_ message: SDL.Message) -> [String] {
        message.anomalies.map { "\($0.severity): \($0.text)" }
    }

    @Test("The first StartService has a version-1 header and BSON")
    func startService() throws {
        var encoder = SDL.Encoder(version: 5)
        let bytes = encoder.encode(
            .startService, service: .rpc, parameters: ["protocolVersion": "5.4.1"], sessionID: 0,
            version: 1)
        let wire: [UInt8] =
            [0x10, 7, 1, 0, 0, 0, 0, 32, 32, 0, 0, 0, 2] + Array("protocolVersion".utf8)
            + [0, 6, 0, 0, 0] + Array("5.4.1".utf8) + [0, 0]
        #expect(bytes == wire)
        let message = try #require(Wire.messages(bytes).first)
        #expect(message.name == "sdl.StartService")
        #expect(message.fields["params"] == ["protocolVersion": "5.4.1"])
        #expect(message.fields["sdl"]?["compressed"] == false)
        #expect(message.fields["sdl"]?["message_id"] == nil)
        #expect(message.anomalies.isEmpty)
    }

    @Test(
        "SPX-1, SPX-2: a first StartService with a later header or with encryption is a violation")
    func firstStartService() throws {
        #expect(
            texts(try message(.startService, session: 0, version: 3))
                == ["violation: the first StartService has a version-3 header, expected version 1"])
        #expect(
            texts(try message(.startService, session: 0, version: 1, encrypted: true))
                == ["violation: the first StartService asks for encryption"])
        #expect(texts(try message(.startService, session: 1, encrypted: true)) == [])
        #expect(
            texts(try message(.startService, service: 11, session: 0))
                == ["violation: StartService of service 11 has session id 0"])
    }

    @Test(
        "SPX-3: protocolVersion has three numbers", arguments: ["5.4", "5", "5.4.x", "", "v5.4.1"])
    func protocolVersion(text: String) throws {
        let payload = (["protocolVersion": .string(text)] as Value).bson
        let anomalies = texts(try message(.startService, payload, session: 0, version: 1))
        #expect(anomalies.count == 1)
        #expect(anomalies.first?.contains("expected the form major.minor.patch") == true)
    }

    @Test("SPX-5, SPX-7: an ACK with session 0 or another major version than its header is found")
    func acknowledgement() throws {
        #expect(
            texts(try message(.startServiceACK, session: 0))
                == ["violation: StartServiceACK assigns session id 0"])
        let payload = (["protocolVersion": "5.4.0"] as Value).bson
        #expect(texts(try message(.startServiceACK, payload)) == [])
        let lower = Wire.frame(.control, payload, info: 2, id: 0, version: 4)
        #expect(
            Wire.messages(lower).flatMap(texts)
                == ["violation: protocolVersion 5.4.0 in a version-4 header"])
    }

    @Test("SPX-23: the BSON types of the specification are written and checked")
    func types() throws {
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        let parameters: Value = [
            "hashId": 65537, "mtu": 131_072, "protocolVersion": "5.4.0",
            "audioServiceTransports": [1, 2], "secondaryTransports": ["TCP_WIFI"],
        ]
        let bytes = encoder.encode(.startServiceACK, service: .rpc, parameters: parameters)
        let document = try BSONDocument(bytes.span.bytes.extracting(droppingFirst: 12))
        #expect(document.types == [.int32, .int64, .string, .array, .array])
        #expect(Wire.messages(bytes).flatMap(texts) == [])
        let narrow = (["mtu": 1, "hashId": "x", "secondaryTransports": [1]] as Value).bson
        #expect(
            texts(try message(.startServiceACK, narrow)) == [
                "violation: params.mtu is BSON int32, expected int64",
                "violation: params.hashId is BSON string, expected int32",
                "violation: params.secondaryTransports holds something that is not a string",
            ])
        let transports = (["audioServiceTransports": ["1"]] as Value).bson
        #expect(
            texts(try message(.startServiceACK, transports)) == [
                "violation: params.audioServiceTransports holds something that is not an integer"
            ])
        let twice = Value.object([.init("reason", "a"), .init("reason", "b")]).bson
        #expect(
            texts(try message(.endServiceNAK, twice))
                == ["violation: params.reason appears more than once"])
    }

    @Test(
        "Before version 5 the hash is four raw bytes, most significant byte first",
        arguments: [2, 3, 4] as [UInt8])
    func rawHash(version: UInt8) throws {
        var encoder = SDL.Encoder(version: version, sessionID: 1)
        for frame in [SDL.ControlFrame.startServiceACK, .endService] {
            let bytes = encoder.encode(frame, service: .rpc, parameters: ["hashId": 65537])
            #expect(Array(bytes.dropFirst(12)) == [0, 1, 0, 1])
            let message = try #require(Wire.messages(bytes).first)
            #expect(message.fields["params"] == ["hashId": 65537])
        }
        let nak = encoder.encode(
            .startServiceNAK, service: .rpc, parameters: ["rejectedParams": ["x"]])
        #expect(nak.count == 12)
    }

    @Test("A payload that is neither BSON nor a hash is malformed, with the position")
    func badPayload() throws {
        let message = try message(.startServiceACK, [1, 2, 3, 4])
        #expect(message.name == "sdl.malformed")
        #expect(
            message.field(try #require(FieldPath("error"))).map { "\($0)" }?.contains(
                "StartServiceACK") == true)
        #expect(message.header.frameInfo == 2)
        #expect(message.fields["sdl"]?["session_id"] == 1)
        #expect(try self.message(.endService, [1, 2, 3], version: 3).name == "sdl.malformed")
    }

    @Test("SPX-24: a NAK with a session or a message id is found")
    func nak() throws {
        #expect(texts(try message(.startServiceNAK, session: 0)) == [])
        #expect(
            texts(try message(.startServiceNAK, session: 2, id: 9)) == [
                "warning: session id 2 in StartServiceNAK, expected 0",
                "warning: message id 9 in StartServiceNAK, expected 0",
            ])
    }

    @Test("SPX-35: EndService of the RPC service without the hash is a warning")
    func endService() throws {
        #expect(
            texts(try message(.endService)) == [
                "warning: EndService of the RPC service has no hash"
            ])
        #expect(texts(try message(.endService, version: 1)) == [])
        #expect(texts(try message(.endService, service: 11)) == [])
        #expect(texts(try message(.endService, (["hashId": 1] as Value).bson)) == [])
    }

    @Test("SPX-10: a message id that is the hash instead of a message number is a warning")
    func endServiceNumber() throws {
        let hash = (["hashId": 65537] as Value).bson
        #expect(
            texts(try message(.endService, hash, id: 65537)) == [
                "warning: the message id of EndService is the hash of the session"
            ])
        #expect(texts(try message(.endService, hash, id: 12)) == [])
    }

    @Test("A port without its address in TransportEventUpdate is a violation")
    func transportEventUpdate() throws {
        let port = (["tcpPort": 12345] as Value).bson
        #expect(
            texts(try message(.transportEventUpdate, port, service: 0))
                == ["violation: tcpPort without tcpIpAddress"])
    }

    @Test("SPX-22: session 0 in a control frame other than a start or a heartbeat is a violation")
    func sessionZero() throws {
        #expect(
            texts(try message(.endServiceACK, session: 0))
                == ["violation: session id 0 in EndServiceACK"])
        #expect(texts(try message(.heartbeat, service: 0, session: 0, version: 3)) == [])
    }

    @Test("A payload where none is defined is a warning")
    func unexpectedPayload() throws {
        let payload = (["x": 1] as Value).bson
        #expect(
            texts(try message(.heartbeatACK, payload, service: 0))
                == ["warning: HeartbeatACK has a payload, none is defined"])
    }

    @Test("ServiceDataACK carries raw bytes")
    func serviceDataACK() throws {
        let message = try message(.serviceDataACK, [0, 0, 0, 9], service: 11)
        #expect(message.fields["params"] == ["data": .bytes([0, 0, 0, 9])])
        #expect(message.anomalies.isEmpty)
    }

    @Test("An opening frame is recognised from its first eight bytes, whatever its version")
    func recognises() {
        let start = Wire.frame(.control, info: 1, session: 0, version: 1)
        for version: UInt8 in 1...5 {
            for info: UInt8 in [1, 2, 3, 7, 8, 9] {
                let bytes = Wire.frame(.control, info: info, session: 1, version: version)
                #expect(SDL.recognises(bytes.span.bytes) == true)
            }
        }
        for count in 0..<8 {
            #expect(SDL.recognises(start.span.bytes.extracting(first: count)) == nil)
        }
    }

    @Test(
        "Other protocols are not recognised as SDL",
        arguments: [
            "GET / HTTP/1.1\r\n", "SSH-2.0-OpenSSH", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}",
            "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "PRI * HTTP/2.0", "HTTP/1.1 101", "{}",
        ])
    func otherProtocols(text: String) {
        let bytes = [UInt8](text.utf8)
        #expect(SDL.recognises(bytes.span.bytes) == false)
    }
}
