import SDL
import Testing
import Wire

@testable import PeerKit

@Suite("An app with several sessions and heartbeats")
struct AppHeartbeatTests {
    private static let millisecond: Int64 = 1_000_000

    private func started(_ settings: Value, version: UInt8 = 5) throws -> AppBench {
        var bench = try AppBench(settings)
        _ = try bench.perform("connect")
        _ = try bench.accept()
        _ = try bench.acknowledge(version: version, session: 7)
        return bench
    }

    @Test("A heartbeat is sent in each session after each interval")
    func beats() throws {
        var bench = try started(["heartbeat": "500ms"])
        #expect(bench.peer.nextDeadline == 500 * Self.millisecond)
        #expect(bench.advance(to: 499 * Self.millisecond).isEmpty)
        let first = bench.advance(to: 500 * Self.millisecond)
        #expect(first.names == ["sdl.Heartbeat"])
        #expect(first.first?.header.sessionID == 7 && first.first?.header.serviceType == 0)
        #expect(first.anomalies == [])
        _ = try bench.acknowledge(session: 8)
        #expect(
            bench.advance(to: 1000 * Self.millisecond).map(\.header.sessionID) == [7, 8])
        #expect(bench.peer.nextDeadline == 1500 * Self.millisecond)
    }

    @Test("No heartbeat is sent before version 3 or without the setting")
    func without() throws {
        let second = 1000 * Self.millisecond
        var former = try started(["heartbeat": "500ms", "protocol": "2.0.0"], version: 2)
        #expect(former.peer.nextDeadline == nil && former.advance(to: second).isEmpty)
        var silent = try started(.object([]))
        #expect(silent.peer.nextDeadline == nil && silent.advance(to: second).isEmpty)
        #expect(throws: PeerError.self) { try AppBench(["heartbeat": "0s"]) }
        #expect(throws: PeerError.self) { try AppBench(["heartbeat": 5]) }
    }

    @Test("An app that was delayed does not send the heartbeats that it missed")
    func late() throws {
        var bench = try started(["heartbeat": "100ms"])
        #expect(bench.advance(to: 5000 * Self.millisecond).count == 1)
        #expect(bench.peer.nextDeadline == 5000 * Self.millisecond)
    }

    @Test("A second session does not change the first, and each ends with its own hash")
    func secondSession() throws {
        var bench = try started(["upTo": "session"])
        #expect(try bench.send("sdl.StartService").first?.header.sessionID == 0)
        _ = try bench.acknowledge(version: 3, session: 8, ["hashId": 5])
        let request = try bench.send("sdl.ListFiles.request", [("sdl.session_id", 7)])
        #expect(request.first?.header.sessionID == 7 && request.first?.header.version == 5)
        let latest = try bench.send("sdl.ListFiles.request")
        #expect(latest.first?.header.sessionID == 8 && latest.first?.header.version == 3)
        let end = try bench.send("sdl.EndService", [("sdl.session_id", 7)])
        #expect(end.first?["params.hashId"] == 99 && end.first?.header.sessionID == 7)
    }

    @Test("An RPC is sent before a session exists if the suite names one")
    func beforeSession() throws {
        var bench = try AppBench(["upTo": "connection"])
        _ = try bench.perform("connect")
        _ = try bench.accept()
        #expect(throws: PeerError.self) { try bench.send("sdl.ListFiles.request") }
        let sent = try bench.send("sdl.ListFiles.request", [("sdl.session_id", 3)])
        #expect(sent.names == ["sdl.ListFiles.request"])
        #expect(sent.first?.header.sessionID == 3 && sent.first?.header.version == 5)
    }

    @Test("The app reports why it does not register")
    func refused() throws {
        var bench = try AppBench()
        _ = try bench.perform("connect")
        _ = try bench.accept()
        var encoder = SDL.Encoder(version: 5)
        let refusal = try bench.decoded(
            encoder.encode(.startServiceNAK, service: .rpc, parameters: ["reason": "not today"]))
        #expect(bench.show(refusal).isEmpty)
        #expect(
            bench.peer.takeUnansweredReasons() == [
                "did not register, because its session was refused: not today"
            ])
    }

    @Test("Messages are split at the app's own limit even if the head unit allows more")
    func ownLimit() throws {
        var bench = try started(["mtu": 112])
        let sent = try bench.send(
            "sdl.PutFile.request",
            [
                ("params.syncFileName", "a"), ("params.fileType", "BINARY"),
                ("bulk.data", .bytes([UInt8](repeating: 65, count: 30_000))),
            ])
        #expect(sent.first?["sdl.largest_frame"] == 112)
        #expect((sent.first?["sdl.frames"]?.integerValue ?? 0) > 300)
        #expect(sent.first?["sdl.frame_sizes[0]"] == 20)
        #expect(sent.anomalies == [])
    }
}
