import SDL
import Testing
import Wire

@testable import PeerKit

@Suite("A head unit's services") struct HeadUnitServiceTests {
    struct Negotiation: Sendable, CustomTestStringConvertible {
        let own: String
        let offered: String?
        let header: UInt8
        let stated: String?
        let payloadSize: UInt32?

        var testDescription: String { "unit \(own), app \(offered ?? "says nothing")" }
    }

    static let negotiations: [Negotiation] = [
        .init(own: "1.0.0", offered: "5.4.0", header: 1, stated: nil, payloadSize: 0),
        .init(own: "1", offered: nil, header: 1, stated: nil, payloadSize: 0),
        .init(own: "2.0.0", offered: "5.0.0", header: 2, stated: nil, payloadSize: 4),
        .init(own: "3.0.0", offered: nil, header: 3, stated: nil, payloadSize: 4),
        .init(own: "4.0.0", offered: "5.4.0", header: 4, stated: nil, payloadSize: 4),
        .init(own: "5.4.0", offered: nil, header: 4, stated: nil, payloadSize: 4),
        .init(own: "5.4.0", offered: "5.4.0", header: 5, stated: "5.4.0", payloadSize: nil),
        .init(own: "5.4.0", offered: "5.2.0", header: 5, stated: "5.2.0", payloadSize: nil),
        .init(own: "5.1.0", offered: "5.4.1", header: 5, stated: "5.1.0", payloadSize: nil),
        .init(own: "5.4.0", offered: "6.0.0", header: 5, stated: "5.4.0", payloadSize: nil),
        .init(own: "5.4.0", offered: "4.0.0", header: 4, stated: nil, payloadSize: 4),
        .init(own: "5.4.0", offered: "3.0.0", header: 3, stated: nil, payloadSize: 4),
        .init(own: "5.4.0", offered: "1.0.0", header: 1, stated: nil, payloadSize: 0),
    ]

    @Test("the version is the highest common one", arguments: negotiations)
    func negotiation(_ expected: Negotiation) throws {
        var bench = try HeadUnitBench(["protocol": .string(expected.own)])
        let answer = try bench.startSession(offering: expected.offered)
        #expect(answer.name == "sdl.StartServiceACK")
        #expect(answer.header.version == expected.header)
        #expect(answer["params.protocolVersion"]?.stringValue == expected.stated)
        if let size = expected.payloadSize { #expect(answer.header.dataSize == size) }
        #expect(answer.header.sessionID == 1)
        #expect(answer.anomalies.isEmpty)
        let hasHash = expected.header > 1
        #expect(answer["params.hashId"]?.integerValue == (hasHash ? 65_537 : nil))
        #expect((answer["params.mtu"] != nil) == (expected.header == 5))
    }

    @Test("parameters that are newer than the agreed version are left out of the ACK")
    func vehicleInformation() throws {
        var new = try HeadUnitBench()
        #expect(try new.startSession(offering: "5.4.0")["params.make"] != nil)
        var old = try HeadUnitBench()
        #expect(try old.startSession(offering: "5.3.0")["params.make"] == nil)
    }

    @Test(
        "without a fixed version the app's next frame sets it", arguments: [1, 2, 3, 4] as [UInt8])
    func versionOfNextFrame(_ version: UInt8) throws {
        var bench = try HeadUnitBench(["protocol": "5.4.0"], appVersion: version)
        #expect(try bench.startSession(offering: nil).header.version == 4)
        let answers = try bench.request("RegisterAppInterface", .registration)
        #expect(answers.first?["params.success"] == true)
        #expect(answers.allSatisfy { $0.header.version == version })
        #expect(answers.anomalies.isEmpty)
    }

    @Test("frames above the head unit's version are dropped")
    func versionTooHigh() throws {
        var bench = try HeadUnitBench(["protocol": "3.0.0"], appVersion: 5)
        _ = try bench.startSession(offering: "5.4.0")
        #expect(try bench.request("RegisterAppInterface", .registration).isEmpty)
    }

    @Test("session ids count up, and each session has its own hash and registration")
    func sessions() throws {
        var bench = try HeadUnitBench()
        let first = try bench.startSession(offering: "5.4.0")
        _ = try bench.request("RegisterAppInterface", .registration)
        let second = try bench.startSession(offering: "5.4.0")
        #expect(first.header.sessionID == 1)
        #expect(second.header.sessionID == 2)
        #expect(second["params.hashId"] == 65_538)
        let answers = try bench.request("ListFiles")
        #expect(answers.first?["params.resultCode"] == "APPLICATION_NOT_REGISTERED")
        bench.app.sessionID = 1
        #expect(try bench.request("ListFiles").first?["params.success"] == true)
    }

    @Test("session id, hash and MTU can be set")
    func settings() throws {
        var bench = try HeadUnitBench(["sessionId": 255, "hashId": -7, "mtu": 2000])
        let answer = try bench.startSession(offering: "5.4.0")
        #expect(answer.header.sessionID == 255)
        #expect(answer["params.hashId"] == -7)
        #expect(answer["params.mtu"] == 2000)
        #expect(try bench.startSession(offering: "5.4.0").header.sessionID == 1)
        let commands = bench.peer.observe(
            try #require(bench.lastSent), on: bench.connection, sentByPeer: false,
            withholdAnswer: false)
        #expect(!commands.isEmpty)
    }

    @Test("no frame is longer than the announced MTU")
    func frameLength() throws {
        var bench = try HeadUnitBench.started(["mtu": 500], registered: false)
        let rpc = try #require(
            SDL.RPC(
                .request, "RegisterAppInterface", correlationID: 1, parameters: .registration))
        var app = SDL.Encoder(version: 5, sessionID: 1)
        var stream = TestStream()
        let message = try #require(stream.decode(app.encode(rpc)).first)
        let commands = bench.peer.observe(
            message, on: bench.connection, sentByPeer: false, withholdAnswer: false)
        for case .write(_, let bytes) in commands {
            var start = 0
            while start < bytes.count {
                let size = bytes[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) } + 12
                #expect(size <= 500)
                start += size
            }
            #expect(start == bytes.count)
        }
        #expect(commands.count == 3)
    }

    @Test("the MTU of a session stays as it was acknowledged, whatever is configured later")
    func mtuOfSession() throws {
        var bench = try HeadUnitBench.started(["mtu": 500], registered: false)
        _ = try bench.peer.perform("configure", arguments: ["mtu": 131_072])
        let answers = try bench.request("RegisterAppInterface", .registration)
        #expect(answers.first?.frameCount ?? 0 > 1)
    }

    @Test(
        "EndService needs the session's hash from version 2 on",
        arguments: [2, 3, 4, 5] as [UInt8])
    func endService(_ version: UInt8) throws {
        var bench = try HeadUnitBench.started(version: version)
        for wrong in [.object([]), ["hashId": 0], ["hashId": 1]] as [Value] {
            let answer = try #require(
                try bench.control(.endService, parameters: wrong).first)
            #expect(answer.name == "sdl.EndServiceNAK")
            let rejected: Value? = version == 5 ? ["hashId"] : nil
            #expect(answer["params.rejectedParams"] == rejected)
            #expect(answer.anomalies.isEmpty)
        }
        #expect(try bench.request("ListFiles").first?["params.success"] == true)
        let answer = try bench.control(.endService, parameters: ["hashId": 65_537])
        #expect(answer.names == ["sdl.EndServiceACK"])
        #expect(answer.anomalies.isEmpty)
        #expect(try bench.request("ListFiles").isEmpty)
    }

    @Test("version 1 ends a service without a hash")
    func endServiceVersion1() throws {
        var bench = try HeadUnitBench.started(version: 1)
        #expect(try bench.control(.endService).names == ["sdl.EndServiceACK"])
    }

    @Test("a heartbeat is answered from version 3 on", arguments: [1, 2, 3, 4, 5] as [UInt8])
    func heartbeat(_ version: UInt8) throws {
        var bench = try HeadUnitBench.started(version: version)
        let answers = try bench.control(.heartbeat, service: .control)
        #expect(answers.names == (version < 3 ? [] : ["sdl.HeartbeatACK"]))
        #expect(answers.allSatisfy { $0.header.sessionID == 1 && $0.anomalies.isEmpty })
    }

    @Test("audio and video start after the registration, with the MTU and the requested parameters")
    func streamingServices() throws {
        var bench = try HeadUnitBench.started(registered: false)
        let early = try bench.control(.startService, service: .audio)
        #expect(early.names == ["sdl.StartServiceNAK"])
        #expect(early.first?["params.reason"] == "the app is not registered")
        _ = try bench.request("RegisterAppInterface", .registration)
        let audio = try bench.control(.startService, service: .audio)
        #expect(audio.names == ["sdl.StartServiceACK"])
        #expect(audio.first?["params.mtu"] == 131_072)
        let wanted: Value = [
            "height": 480, "width": 800, "videoProtocol": "RAW", "videoCodec": "H264",
        ]
        let video = try bench.control(.startService, service: .video, parameters: wanted)
        #expect(video.first?["params.width"] == 800)
        #expect(video.first?["params.videoCodec"] == "H264")
        #expect(video.first?.header.serviceType == 0x0B)
        #expect((early + audio + video).anomalies.isEmpty)
        let ended = try bench.control(.endService, service: .audio)
        #expect(ended.names == ["sdl.EndServiceACK"])
        let again = try bench.control(.endService, service: .audio)
        #expect(again.names == ["sdl.EndServiceNAK"])
    }

    @Test("unsupported requests are refused with a reason")
    func refusals() throws {
        var bench = try HeadUnitBench.started()
        let encrypted = try bench.control(.startService, sessionID: 1, isEncrypted: true)
        #expect(encrypted.names == ["sdl.StartServiceNAK"])
        #expect(encrypted.first?["params.reason"] == "encryption is not supported")
        let control = try bench.control(.startService, service: .control)
        #expect(control.names == ["sdl.StartServiceNAK"])
        let secondary = try bench.control(.registerSecondaryTransport)
        #expect(secondary.names == ["sdl.RegisterSecondaryTransportNAK"])
        #expect(secondary.first?["params.reason"] != nil)
        #expect((encrypted + control + secondary).anomalies.isEmpty)
    }

    @Test("an invalid version is refused without a reason, with session 0 and message id 0")
    func badVersion() throws {
        var bench = try HeadUnitBench(["protocol": "3.0.0"])
        let refused = try bench.control(
            .startService, parameters: ["protocolVersion": "five"], sessionID: 0, version: 1)
        #expect(refused.names == ["sdl.StartServiceNAK"])
        #expect(refused.first?.header.sessionID == 0)
        #expect(refused.first?.header.messageID == 0)
        #expect(refused.first?.header.version == 3)
        #expect(refused.first?["params.reason"] == nil)
    }
}
