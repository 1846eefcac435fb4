import SDL
import Testing

@testable import PeerKit

@Suite("Why a head unit does not answer") struct HeadUnitSilenceTests {
    private func isSilent(
        _ bench: inout HeadUnitBench, _ answers: [SDL.Message], because reason: String
    ) {
        #expect(answers.isEmpty)
        let reasons = bench.peer.takeUnansweredReasons()
        #expect(reasons.count == 1 && reasons.first?.contains(reason) == true, "\(reasons)")
        #expect(bench.peer.takeUnansweredReasons().isEmpty)
    }

    @Test("A frame above the head unit's version is dropped, and that is reported once")
    func version() throws {
        var bench = try HeadUnitBench(["protocol": "1.0.0"])
        let answers = try bench.control(.startService, sessionID: 0, version: 5)
        isSilent(
            &bench, answers,
            because: "dropped a frame of version 5 (sdl.StartService), because it speaks 1")
        _ = try bench.control(.startService, sessionID: 0, version: 5)
        #expect(bench.peer.takeUnansweredReasons().isEmpty)
    }

    @Test("Messages in a session that was not assigned are dropped")
    func session() throws {
        var bench = try HeadUnitBench.started()
        bench.app.sessionID = 77
        isSilent(
            &bench, try bench.request("ListFiles"),
            because: "dropped sdl.ListFiles.request in session 77")
    }

    @Test("A heartbeat before version 3 is not answered")
    func heartbeat() throws {
        var bench = try HeadUnitBench.started(version: 2)
        isSilent(
            &bench, try bench.control(.heartbeat, service: .control),
            because: "did not answer a heartbeat of version 2")
    }

    @Test("Answered messages give no reason")
    func answers() throws {
        var bench = try HeadUnitBench.started()
        #expect(try bench.request("ListFiles").count == 1)
        #expect(bench.peer.takeUnansweredReasons().isEmpty)
    }

    @Test("The number of reasons of one peer is limited")
    func limit() {
        var unansweredReasons = UnansweredReasons()
        for number in 0..<1000 { unansweredReasons.record("dropped \(number)") }
        #expect(unansweredReasons.take().count == UnansweredReasons.reasonsMax)
        unansweredReasons.record("one more")
        #expect(unansweredReasons.take().isEmpty)
    }

    @Test("After an answer in a higher version, the head unit accepts that version")
    func answeredAbove() throws {
        var bench = try HeadUnitBench(["protocol": "4.0.0", "silent": ["sdl.StartService"]])
        _ = try bench.control(.startService, sessionID: 0, version: 1)
        let answer = try bench.send("sdl.StartServiceACK", [("sdl.version", 5)])
        #expect(answer.first?.header.version == 5)
        bench.app.sessionID = try #require(answer.first).header.sessionID
        bench.app.version = 5
        let registered = try bench.request("RegisterAppInterface", .registration)
        #expect(registered.first?["params.success"] == true)
        #expect(registered.first?.header.version == 5)
    }

    @Test("An RPC is sent without a session if the suite names one")
    func withoutSession() throws {
        var bench = try HeadUnitBench()
        try bench.show(.syn)
        #expect(throws: PeerError.self) { try bench.send("sdl.OnHMIStatus.notification") }
        let sent = try bench.send("sdl.OnHMIStatus.notification", [("sdl.session_id", 9)])
        #expect(sent.names == ["sdl.OnHMIStatus.notification"])
        #expect(sent.first?.header.sessionID == 9 && sent.first?.header.version == 5)
    }

    @Test(
        "A file with the checksum of its data is accepted, with another it is refused",
        arguments: [("123456789", 0xCBF4_3926, "SUCCESS"), ("12345678", 0xCBF4_3926, nil)]
            as [(String, Int64, String?)])
    func checksum(text: String, crc: Int64, code: String?) throws {
        var bench = try HeadUnitBench.started()
        let rpc = try #require(
            SDL.RPC(
                .request, "PutFile", correlationID: 5,
                parameters: [
                    "syncFileName": "a.bin", "fileType": "BINARY", "crc": .integer(crc),
                ], bulk: Array(text.utf8)))
        let answer = try #require(try bench.request(rpc).first)
        #expect(answer["params.resultCode"]?.stringValue == code ?? "CORRUPTED_DATA")
        #expect(answer["params.success"]?.boolValue == (code != nil))
        #expect(answer.anomalies == [])
    }
}
