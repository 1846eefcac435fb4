import BuiltInProtocols
import Foundation
import SuiteLanguage
import TestSupport
import Testing
import Trace
import Wire

@testable import Commands
@testable import Reporting

@Suite("Statistics of messages")
struct MessageStatisticsTests {
    /// A message with the given content.
    private struct Message: DissectedMessage {
        let name: String
        let fields: Value
        let bytes: [UInt8]
        var anomalies: [Anomaly] { [] }
    }

    private func message(
        _ name: String, at milliseconds: Int, correlation: Int64, flow: Int = 0, bytes: Int = 10
    ) -> TraceMessage {
        TraceMessage(
            number: 1, time: Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000), frames: [1],
            flow: flow,
            content: Message(
                name: name,
                fields: .object([
                    .init("sdl", .object([.init("service_type", .integer(7))])),
                    .init("rpc", .object([.init("correlation_id", .integer(correlation))])),
                ]), bytes: [UInt8](repeating: 0, count: bytes)))
    }

    @Test("An answer belongs to the request of its connection and correlation")
    func answersFindTheirRequests() throws {
        var statistics = MessageStatistics(KnownMessages(.builtIn))
        statistics.add(message("sdl.Show.request", at: 0, correlation: 1))
        statistics.add(message("sdl.Show.request", at: 10, correlation: 2))
        statistics.add(message("sdl.Show.request", at: 20, correlation: 1, flow: 1))
        statistics.add(message("sdl.Alert.request", at: 30, correlation: 3))
        statistics.add(message("sdl.Show.response", at: 110, correlation: 2))
        statistics.add(message("sdl.Show.response", at: 200, correlation: 1))
        statistics.add(message("sdl.Show.response", at: 240, correlation: 9))
        let show = try #require(statistics.kinds["sdl.Show.request"])
        #expect(show.count == 3)
        #expect(show.bytes == 30)
        #expect(show.latency.count == 2)
        #expect(show.latency.minimum == 100_000_000)
        #expect(show.latency.maximum == 200_000_000)
        #expect(statistics.kinds["sdl.Alert.request"]?.latency.count == 0)
        #expect(statistics.kinds["sdl.Show.response"]?.count == 3)
        #expect(statistics.kinds["sdl.Show.response"]?.isRequest == false)
    }

    @Test("The file that describes a protocol says which messages are answers, and by which fields")
    func describedAnswers() throws {
        let folder = TemporaryFolder()
        try """
        meta: {id: chat}
        seq: [{id: kind, type: u1, enum: kind}, {id: number, type: u1}]
        enums: {kind: {1: ask, 2: tell}}
        """.write(toFile: folder.path + "/chat.ksy", atomically: true, encoding: .utf8)
        try """
        conform-protocol: 1
        protocol: chat
        ksy: chat.ksy
        message: "chat.{kind}"
        udp: {ports: [7000]}
        correlation: [number]
        messages: {ask: {answer: tell}}
        """.write(toFile: folder.path + "/chat.yaml", atomically: true, encoding: .utf8)
        let chat = try SuiteLoader(.builtIn).loadProtocol(path: folder.path + "/chat.yaml")
        func message(_ name: String, at milliseconds: Int, _ number: Int64) -> TraceMessage {
            TraceMessage(
                number: 1, time: Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000),
                frames: [1], flow: 0,
                content: Message(
                    name: name, fields: .object([.init("number", .integer(number))]), bytes: []))
        }
        var statistics = MessageStatistics(KnownMessages(.builtIn, [chat]))
        statistics.add(message("chat.ask", at: 0, 1))
        statistics.add(message("chat.ask", at: 10, 2))
        statistics.add(message("chat.tell", at: 30, 2))
        statistics.add(message("chat.tell", at: 40, 3))
        let requested = try #require(statistics.kinds["chat.ask"])
        #expect(requested.isRequest && requested.count == 2 && requested.latency.count == 1)
        #expect(requested.latency.maximum == 20_000_000)
        #expect(statistics.kinds["chat.tell"]?.isRequest == false)
    }

    @Test("Each of several captures has a line, and the totals follow")
    func several() throws {
        let listing = TraceListing(format: .text, columns: nil, style: .plain)
        var one = MessageStatistics(KnownMessages(.builtIn))
        for number in 0...10 {
            one.add(message("sdl.Show.request", at: number * 100, correlation: Int64(number)))
        }
        var seen = TraceStatistics()
        (seen.packets, seen.bytes, seen.flows, seen.gaps) = (20, 2000, 2, 1)
        seen.ignored = ["arp": 3]
        var several = SeveralStatistics(KnownMessages(.builtIn))
        #expect(several.table(listing).isEmpty)
        several.add(one, seen, of: "a.pcap")
        #expect(several.table(listing) == one.table() + listing.summary(of: seen, path: "a.pcap"))
        var other = MessageStatistics(KnownMessages(.builtIn))
        other.add(message("sdl.Show.request", at: 1_000_000, correlation: 1))
        other.add(message("sdl.Alert.request", at: 1_001_000, correlation: 2))
        several.add(other, seen, of: "b.pcap")
        let lines = several.table(listing)
        #expect(lines[0].hasPrefix("capture  messages  packets"))
        #expect(lines[1].split(separator: " ").prefix(3) == ["a.pcap", "11", "20"])
        #expect(lines[2].split(separator: " ").prefix(3) == ["b.pcap", "2", "20"])
        let show = try #require(lines.first { $0.hasPrefix("sdl.Show.request") })
        #expect(show.split(separator: " ")[1] == "12")
        #expect(show.contains(" 6.000 "), "12 in the 2 s that the captures last together: \(show)")
        #expect(
            lines.contains("2 captures: 40 packets, 4000 bytes, 4 TCP connections, 0 stream bytes"))
        #expect(lines.contains("    6 packets not dissected: arp"))
    }

    @Test("The table has a line for each kind, the most frequent first")
    func table() throws {
        var statistics = MessageStatistics(KnownMessages(.builtIn))
        #expect(statistics.table() == ["no messages"])
        statistics.add(message("sdl.Alert.request", at: 0, correlation: 1))
        for number in 0..<3 {
            let id = Int64(number + 10)
            statistics.add(message("sdl.Show.request", at: number * 100, correlation: id))
            statistics.add(message("sdl.Show.response", at: number * 100 + 50, correlation: id))
        }
        let lines = statistics.table()
        #expect(lines.count == 4)
        let columns = lines[1].split(separator: " ").map(String.init)
        #expect(
            columns == [
                "sdl.Show.request", "3", "30", "12.000", "3", "50.000", "50.000", "50.000",
                "50.000",
            ])
        #expect(lines[3].hasPrefix("sdl.Alert.request"))
        #expect(Set(lines.map(\.count)).count == 1)
        let objects = statistics.objects()
        #expect(
            objects[0].hasPrefix(
                #"{"message":"sdl.Show.request","count":3,"bytes":30,"perSecond":12.0,"answered":3"#
            ))
    }

    @Test("Percentiles are exact to a hundredth, over many orders of magnitude")
    func percentiles() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<30 {
            var distribution = LatencyDistribution()
            var values: [Int64] = []
            for _ in 0..<Int.random(in: 1...500, using: &generator) {
                let magnitude = Double.random(in: 0...36, using: &generator)
                let value = Int64(pow2(magnitude))
                values.append(value)
                distribution.add(value)
            }
            values.sort()
            for share in [0.01, 0.5, 0.9, 0.99, 1] {
                let rank = max(1, Int((Double(values.count) * share).rounded(.up)))
                let exact = Double(values[rank - 1])
                let found = Double(distribution.percentile(share))
                #expect(abs(found - exact) <= exact * 0.011 + 1, "\(share): \(found), \(exact)")
            }
        }
    }

    private func pow2(_ exponent: Double) -> Double {
        let whole = exponent.rounded(.down)
        return Double(Int64(1) << Int64(whole)) * (1 + exponent - whole)
    }
}
