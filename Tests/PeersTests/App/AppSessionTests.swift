import SDL
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("An app that connects to a head unit")
struct AppSessionTests {
    @Test("The app connects on command, starts a session once connected, and registers")
    func registers() throws {
        var bench = try AppBench(["appName": "One", "appID": "1001", "language": "DE-DE"])
        #expect(try bench.perform("connect").isEmpty)
        #expect(bench.commands == [.connect])
        let start = try bench.accept()
        #expect(start.names == ["sdl.StartService"])
        #expect(start.first?.header.version == 1 && start.first?.header.sessionID == 0)
        #expect(start.first?["params.protocolVersion"] == "5.4.0")
        let registration = try bench.acknowledge()
        #expect(registration.names == ["sdl.RegisterAppInterface.request"])
        #expect(registration.first?.header.sessionID == 7)
        #expect(registration.first?["params.appName"] == "One")
        #expect(registration.first?["params.appID"] == "1001")
        #expect(registration.first?["params.languageDesired"] == "DE-DE")
        #expect(registration.first?["params.hashID"] == nil)
        #expect((start + registration).anomalies == [])
    }

    @Test(
        "The app proceeds by itself up to the given setting",
        arguments: [
            ("connection", [], []),
            ("session", ["sdl.StartService"], []),
            ("registration", ["sdl.StartService"], ["sdl.RegisterAppInterface.request"]),
        ])
    func upTo(word: String, onAccept: [String], onACK: [String]) throws {
        var bench = try AppBench(["upTo": .string(word)])
        _ = try bench.perform("connect")
        #expect(try bench.accept().names == onAccept)
        #expect(try bench.acknowledge().names == onACK)
    }

    @Test("The app uses the agreed version, but never a higher one than its own")
    func version() throws {
        for (own, stated, spoken) in [("5.4.0", UInt8(3), UInt8(3)), ("3.0.0", 4, 3), ("2", 2, 2)] {
            var bench = try AppBench(["protocol": .string(own)])
            _ = try bench.perform("connect")
            let start = try bench.accept()
            #expect((start.first?["params.protocolVersion"] == nil) == (own != "5.4.0"))
            let registration = try bench.acknowledge(version: stated, .object([]))
            #expect(registration.first?.header.version == spoken)
        }
    }

    @Test("Parameters of the registration are replaced, and null removes one")
    func registrationParameters() throws {
        var bench = try AppBench.started([
            "hashID": "h1",
            "registerAppInterface": ["appID": .null, "appHMIType": ["MEDIA"]],
        ])
        let registration = try #require(try bench.acknowledge().first)
        #expect(registration["params.appID"] == nil)
        #expect(registration["params.hashID"] == "h1")
        #expect(registration["params.appHMIType"] == ["MEDIA"])
    }

    @Test("The app answers a heartbeat, unless a step does or the app is set to be silent")
    func heartbeat() throws {
        var bench = try AppBench.started()
        _ = try bench.acknowledge()
        var encoder = SDL.Encoder(version: 5, sessionID: 7)
        let heartbeat = try bench.decoded(encoder.encode(.heartbeat, service: .control))
        #expect(bench.show(heartbeat).names == ["sdl.HeartbeatACK"])
        #expect(bench.show(heartbeat, withholding: true).isEmpty)
        _ = try bench.perform("configure", ["silent": ["sdl.Heartbeat"]])
        #expect(bench.show(heartbeat).isEmpty)
        #expect(try bench.send("sdl.HeartbeatACK", answering: heartbeat).count == 1)
    }

    @Test("The app closes its side after the head unit does, and then has no session")
    func ended() throws {
        var bench = try AppBench.started()
        _ = try bench.acknowledge()
        _ = bench.show(.fin)
        #expect(bench.commands.last == .close(bench.connection))
        let error = refusal { _ = try bench.peer.perform("close", arguments: .null) }
        #expect(error?.code == .noConnection)
        #expect(error?.advice.contains("app.connect") == true)
    }

    @Test("close and reset end the latest connection, and a refused attempt is not one")
    func ends() throws {
        var bench = try AppBench.started()
        let first = bench.connection
        _ = try bench.perform("connect")
        _ = try bench.accept()
        _ = try bench.perform("reset")
        _ = try bench.perform("close")
        #expect(bench.commands.suffix(2) == [.reset(bench.connection), .close(first)])
        _ = try bench.perform("connect")
        _ = bench.show(.syn, sentByPeer: true)
        _ = bench.show(.refused)
        #expect(bench.peer.latestConnection == nil)
    }

    @Test("Unknown settings and actions are refused with the valid ones")
    func refusals() throws {
        let cases: [(Value, PeerError.Code)] = [
            (["upTo": "moon"], .badSetting), (["langauge": "DE-DE"], .unknownSetting),
            (["protocol": "6.0.0"], .badSetting), (["systemVersion": "new"], .badSetting),
            (["appName": ""], .badSetting), (["silent": ["sdl.Nothing"]], .badSetting),
        ]
        for (settings, code) in cases {
            #expect(
                refusal { _ = try AppPeer(AppBench.declaration(settings)) }?.code == code,
                "\(settings)")
        }
        var bench = try AppBench()
        #expect(
            refusal { _ = try bench.peer.perform("conect", arguments: .null) }?.advice
                .contains("connect") == true)
        #expect(
            refusal { _ = try bench.peer.perform("connect", arguments: 1) }?.code == .badArgument)
        #expect(
            refusal { _ = try bench.peer.perform("open", arguments: "x") }?.code == .badArgument)
    }

    private func refusal(_ body: () throws -> Void) -> PeerError? {
        do {
            try body()
            return nil
        } catch {
            return error as? PeerError
        }
    }
}
