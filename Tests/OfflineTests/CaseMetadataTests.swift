import Judge
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Offline

@Suite("The metadata in a capture")
struct CaseMetadataTests {
    private let metadata = CaseMetadata(
        conform: "1.2.3", suite: "language", testCase: "first[x=1]", device: "reference",
        peers: [.init(name: "hu", address: "127.0.0.1", port: 12345)],
        start: Timestamp(nanoseconds: 5), end: Timestamp(nanoseconds: 9_000_000_007),
        cause: .deviceExited(.signal(11)), dropped: 3, parameters: "{\"limit\":3}",
        timeScale: TimeScale(2.5),
        events: [
            .init(
                name: "device.exited", fields: "{\"signal\":11}", time: Timestamp(nanoseconds: 8),
                afterFrame: 17)
        ])

    @Test("Metadata is read as it was written, alongside other comments")
    func roundTrip() throws {
        let comment = try metadata.sectionComment()
        #expect(try CaseMetadata(sectionComments: ["hello", comment]) == metadata)
    }

    @Test("An older capture without a time scale was made at 1")
    func realTime() throws {
        let comment = try metadata.sectionComment().replacing(",\"timeScale\":2.5", with: "")
        let older = try #require(try CaseMetadata(sectionComments: [comment]))
        #expect(!comment.contains("timeScale") && older.timeScale == nil)
    }

    @Test("Fifteen hundred stalls among other events fit, and keep their places")
    func stalls() throws {
        var metadata = metadata
        for index in 0..<1500 {
            let stall = DeviceEvent.stall(
                of: index % 3 == 0 ? DeviceEvent.harness : "device",
                length: .microseconds(index * 37))
            metadata.events.insert(
                .init(
                    name: stall.name, fields: stall.fields.jsonText(),
                    time: Timestamp(nanoseconds: Int64(5 + index * 1_000_003)),
                    afterFrame: index / 2),
                at: index < 700 ? index : index + 1)
        }
        let comment = try metadata.sectionComment()
        #expect(comment.utf8.count < 65_535)
        #expect(try CaseMetadata(sectionComments: [comment]) == metadata)
    }

    @Test("Metadata that one option of pcapng cannot hold is divided, and read as it was written")
    func long() throws {
        var metadata = metadata
        for index in 0..<9 {
            metadata.events.append(
                .init(
                    name: "peer.bytes",
                    fields: "{\"bytes\":\"\(String(repeating: "é\(index)", count: 7_000))\"}",
                    time: Timestamp(nanoseconds: 9), afterFrame: index))
        }
        let comments = try metadata.sectionComments()
        #expect(comments.count > 2 && comments.allSatisfy { $0.utf8.count <= 65_535 })
        #expect(try CaseMetadata(sectionComments: ["hello"] + comments) == metadata)
    }

    @Test(
        "A malformed stall is an error",
        arguments: ["", "1 2 3 device", "9 0 0 device 5", "0 x 0 device 5", "0 0 0 device -"])
    func noStall(text: String) throws {
        var comment = try metadata.sectionComment()
        comment.removeLast()
        comment += ",\"stalls\":[\"\(text)\"]}"
        #expect(throws: (any Error).self) { try CaseMetadata(sectionComments: [comment]) }
    }

    @Test("A capture without metadata is not ours")
    func foreign() throws {
        #expect(try CaseMetadata(sectionComments: ["made by another tool"]) == nil)
    }

    @Test("Damaged metadata is an error, not a foreign capture")
    func damaged() throws {
        let comment = try metadata.sectionComment().dropLast(5)
        #expect(throws: (any Error).self) {
            try CaseMetadata(sectionComments: [String(comment)])
        }
    }

    @Test("The endpoints of the peers determine the parties")
    func parties() {
        let endpoint = Endpoint(address: .loopback, port: 12345)
        #expect(metadata.parties.peers == [endpoint: "hu"])
    }
}
