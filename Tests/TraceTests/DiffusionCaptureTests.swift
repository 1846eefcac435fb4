import Testing
import Wire

@testable import Trace

@Suite("Diffusion on captures", .enabled(if: RecordedData.isAvailable, "no recorded data"))
struct DiffusionCaptureTests {
    private func messages(_ file: String) throws -> [TraceMessage] {
        try RecordedData.trace("diffusion/\(file)").messages.filter {
            !$0.name.hasPrefix("tcp.")
        }
    }

    @Test("a lost session is resumed by its token, with the same id")
    func reconnect() throws {
        let trace = try RecordedData.trace("diffusion/reconnect-killed-listener.pcap")
        #expect(trace.statistics.undecodedBytes == 0)
        let messages = try self.messages("reconnect-killed-listener.pcap")
        let responses = messages.filter { $0.name == "diffusion.response" }
        #expect(responses.compactMap { $0.content.fields["code"]?.integerValue } == [100, 105])
        let ids = responses.compactMap { $0.content.fields["sessionId"]?.stringValue }
        #expect(ids == Array(repeating: "c11fef0600000001-0000000300000000", count: 2))
        let again = try #require(messages.first { $0.name == "diffusion.reconnect" })
        let token = try #require(responses.first?.content.fields["token"])
        #expect(again.content.fields["parameters"]?["c"] == token)
        #expect(again.content.fields["parameters"]?["ss"] == 2)
        #expect(!messages.contains { $0.name.hasSuffix("malformed") })
        #expect(messages.allSatisfy { $0.content.anomalies.isEmpty })
    }

    @Test("pings of the application occur every three seconds and are answered")
    func pings() throws {
        let messages = try self.messages("reconnect-killed-listener.pcap")
        let pings = messages.filter { $0.name == "diffusion.ping" }
        #expect(pings.count == 6)
        let answers = messages.filter { $0.name == "diffusion.serviceResponse" }
        #expect(
            pings.map { $0.content.fields["conversation"] }
                == answers.map { $0.content.fields["conversation"] })
        let gap = pings[1].time - pings[0].time
        #expect(gap > .milliseconds(2990) && gap < .milliseconds(3100))
    }

    @Test("a ping of the server is answered, and the connection is closed in order")
    func systemPing() throws {
        let messages = try self.messages("system-ping.pcap")
        let names = messages.map(\.name)
        #expect(names.contains("diffusion.systemPing"))
        #expect(names.suffix(2) == ["websocket.close", "websocket.close"])
        let close = try #require(messages.last?.content.fields["close"])
        #expect(close["status_code"] == 1000)
    }
}
