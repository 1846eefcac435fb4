import BuiltInProtocols
import SuiteLanguage
import TCPIP
import TestBench
import TestSupport
import TestTraffic
import Testing
import Trace
import Wire

@testable import Offline

@Suite("The descriptions of Suites/examples")
struct DescribedExampleTests {
    private let scratch = TemporaryFolder()

    @Test("A DNS update that deletes has a record without data (RFC 2136 2.5)")
    func update() throws {
        let folder = "\(try #require(DescribedFramesTests.root))/Suites/examples/descriptions"
        let dns = try SuiteLoader(.builtIn).loadProtocol(path: "\(folder)/dns.yaml")
        let zone: [UInt8] = [1, 0x61, 0, 0, 6, 0, 1]
        for type in [1, 5, 255] as [UInt8] {
            let record: [UInt8] = [1, 0x62, 0, 0, type, 0, 255, 0, 0, 0, 0, 0, 0]
            let update = [0, 1, 0x28, 0, 0, 1, 0, 0, 0, 1, 0, 0] + zone + record
            let datagram = Datagram(
                from: Endpoint(address: IPAddress(ipv4: 0x0A00_0005), port: 4_000),
                to: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 53), update)
            let path = scratch.path + "/update.pcapng"
            try WorkBench.write([(0, datagram.packet)], to: path)
            var options = TraceOptions(.builtIn)
            options.decode([dns])
            let messages = try RecordedTrace(contentsOf: path, options: options).messages
            #expect(messages.map(\.name) == ["dns.query"])
            let records = messages.first?.content.fields["authorities"]?.arrayValue
            #expect(records?.first?["len_data"] == 0)
            #expect(records?.first?["data"] == nil)
        }
    }

    @Test("A DNS label in another encoding is a label (RFC 2181 11)")
    func label() throws {
        let folder = "\(try #require(DescribedFramesTests.root))/Suites/examples/descriptions"
        let dns = try SuiteLoader(.builtIn).loadProtocol(path: "\(folder)/dns.yaml")
        let question: [UInt8] = [4, 0x4B, 0xFC, 0x63, 0x68, 0, 0, 1, 0, 1]
        let datagram = Datagram(
            from: Endpoint(address: IPAddress(ipv4: 0x0A00_0005), port: 4_000),
            to: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 53),
            [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + question)
        let path = scratch.path + "/label.pcapng"
        try WorkBench.write([(0, datagram.packet)], to: path)
        var options = TraceOptions(.builtIn)
        options.decode([dns])
        let messages = try RecordedTrace(contentsOf: path, options: options).messages
        #expect(messages.map(\.name) == ["dns.query"])
        let questions = messages.first?.content.fields["questions"]?.arrayValue
        let labels = questions?.first?["name"]?["labels"]?.arrayValue
        #expect(labels?.first?["text"] == "K\u{FFFD}ch")
    }

    @Test("A structure that was read can be sent back, with what follows from its fields")
    func sentBack() throws {
        let folder = "\(try #require(DescribedFramesTests.root))/Suites/examples/descriptions"
        let dns = try SuiteLoader(.builtIn).loadProtocol(path: "\(folder)/dns.yaml")
        let query: [UInt8] = [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 28, 0, 1]
        guard case .message(let decoded, _) = dns.read(query, isDatagram: true) else {
            Issue.record("not read")
            return
        }
        let questions = try #require(decoded.value["questions"])
        #expect(questions.arrayValue?.first?["name"]?["text"] != nil)
        let path = try #require(FieldPath("questions"))
        let fields = [(path: path, value: Value?.some(questions))]
        let bytes = try dns.encode(
            "dns.response", fields, isDatagram: true, ignoresInstances: true)
        #expect(bytes.suffix(7) == query.suffix(7))
        #expect(throws: EvaluationError.self) {
            try dns.encode("dns.response", fields, isDatagram: true)
        }
    }

    @Test("A datagram is several messages if they say where they end and are the whole of it")
    func severalMessages() throws {
        let folder = "\(try #require(DescribedFramesTests.root))/Suites/examples/descriptions"
        let someIP = try SuiteLoader(.builtIn).loadProtocol(path: "\(folder)/someip.yaml")
        func call(_ session: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
            [0x12, 0x34, 0, 1, 0, 0, 0, UInt8(8 + payload.count), 0, 0, 0, session, 1, 1, 0, 0]
                + payload
        }
        func sessions(_ bytes: [UInt8]) throws -> [Value?] {
            let datagram = Datagram(
                from: Endpoint(address: IPAddress(ipv4: 0x0A00_0005), port: 4_000),
                to: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 30_501), bytes)
            let path = scratch.path + "/calls.pcapng"
            try WorkBench.write([(0, datagram.packet)], to: path)
            var options = TraceOptions(.builtIn)
            options.decode([someIP])
            let messages = try RecordedTrace(contentsOf: path, options: options).messages
            #expect(messages.allSatisfy { $0.name == "someip.request" && $0.frames == [1] })
            return messages.map { $0.content.fields["session"] }
        }
        #expect(try sessions(call(1)) == [1])
        #expect(try sessions(call(1) + call(2, [7, 8]) + call(3)) == [1, 2, 3])
        // What follows is not a message.
        #expect(try sessions(call(1) + [0, 0, 0]) == [1])
    }
}
