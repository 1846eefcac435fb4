import SDL
import SuiteLanguage
import Testing

@testable import PeerKit

@Suite("Messages that an app sends for a suite")
struct AppSendingTests {
    @Test("A request has the mandatory parameters and a new correlation id")
    func requests() throws {
        var bench = try AppBench.started()
        _ = try bench.acknowledge()
        let show = try bench.send("sdl.Show.request", [("params.mainField1", "Hello")])
        let alert = try bench.send("sdl.AddCommand.request")
        #expect(show.first?["params.mainField1"] == "Hello")
        #expect(alert.first?["params.cmdID"] == 0)
        #expect((show + alert).map { $0["rpc.correlation_id"] } == [2, 3])
        #expect((show + alert).allSatisfy { $0.header.sessionID == 7 })
    }

    @Test("EndService carries the hash that the head unit sent")
    func endOfService() throws {
        var bench = try AppBench.started()
        _ = try bench.acknowledge()
        let end = try #require(try bench.send("sdl.EndService").first)
        #expect(end["params.hashId"] == 99)
        #expect(end.header.service == .rpc && end.header.sessionID == 7)
        let wrong = try bench.send("sdl.EndService", [("params.hashId", 1)])
        #expect(wrong.first?["params.hashId"] == 1)
    }

    @Test("StartService of another service is sent within the session, that of RPC without one")
    func services() throws {
        var bench = try AppBench.started(["upTo": "connection"])
        #expect(try bench.send("sdl.StartService").first?.header.sessionID == 0)
        _ = try bench.acknowledge()
        let video = try bench.send("sdl.StartService", [("sdl.service_type", 11)])
        #expect(video.first?.header.sessionID == 7 && video.first?.header.version == 5)
        #expect(video.first?.header.service == .video)
        #expect(try bench.send("sdl.StartService").first?.header.sessionID == 0)
    }

    @Test("A response answers the oldest request of its function")
    func responses() throws {
        var bench = try AppBench.started()
        _ = try bench.acknowledge()
        var encoder = SDL.Encoder(version: 5, sessionID: 7)
        for id in [Int32(5), 6] {
            let request = try #require(
                SDL.RPC(.request, "GetAppServiceData", correlationID: id))
            _ = bench.show(try bench.decoded(encoder.encode(request)))
        }
        let first = try bench.send("sdl.GetAppServiceData.response")
        let second = try bench.send("sdl.GetAppServiceData.response")
        #expect((first + second).map { $0["rpc.correlation_id"] } == [5, 6])
        #expect(code { _ = try bench.send("sdl.GetAppServiceData.response") } == .badField)
    }

    @Test("A send step without a session, or with a message that apps do not send, is refused")
    func refusals() throws {
        var bench = try AppBench()
        #expect(code { _ = try bench.send("sdl.Show.request") } == .noConnection)
        bench = try AppBench.started(["upTo": "connection"])
        #expect(code { _ = try bench.send("sdl.Show.request") } == .noSession)
        #expect(code { _ = try bench.send("ea.opened") } == .unknownMessage)
        #expect(code { _ = try bench.send("sdl.EndServiceACK") } == .badField)
        #expect(code { _ = try bench.send("sdl.Heartbeat") } == .noSession)
        #expect(try bench.send("sdl.Heartbeat", [("sdl.session_id", 3)]).count == 1)
        #expect(code { _ = try bench.send("ea.data", [("ea.data", .bytes([1]))]) } == .noSession)
    }

    private func code(_ body: () throws -> Void) -> PeerError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PeerError)?.code
        }
    }
}
