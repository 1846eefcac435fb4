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

@Suite("Captures without a protocol of conform, and captures that cannot be recorded")
struct PlainRecordingTests {
    private let scratch = TemporaryFolder()

    /// Writes a capture of a client that sends lines and gets answers, at these milliseconds.
    private func capture(_ lines: [(at: Int, text: String, isAnswer: Bool)]) throws -> String {
        var talk = Conversation(
            caller: Endpoint(address: IPAddress(ipv4: 0x0A00_0005), port: 40_000),
            callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 2525))
        var packets = talk.handshake().map { (milliseconds: 0, bytes: $0.packet) }
        for line in lines {
            let segment = talk.segment(
                from: line.isAnswer ? .callee : .caller, payload: Array(line.text.utf8))
            packets.append((line.at, segment.packet))
        }
        let path = scratch.path + "/lines.pcapng"
        try WorkBench.write(packets, to: path)
        return path
    }

    private func record(_ path: String, stream: String? = nil) throws -> Recording {
        try Recording(
            captures: [path],
            options: Recording.Options(
                path: scratch.path + "/recorded.yaml",
                stream: try stream.map { try RecordedStream($0, .builtIn) },
                known: KnownMessages(.builtIn)))
    }

    private static let dialogue = [
        (at: 10, text: "HELO one\n", isAnswer: false), (20, "250 hello\n", true),
        (30, "QUIT\n", false), (40, "221 bye\n", true),
    ]

    @Test("A plain text protocol is recorded with the stream that its user states")
    func lines() throws {
        let path = try capture(Self.dialogue)
        for stream in ["until: \"\\n\"", "{until: 0a}"] {
            let recording = try record(path, stream: stream)
            #expect(try recording.check().map(\.verdict) == [.pass])
            let text = recording.suite.text
            #expect(text.contains("text: HELO one") && text.contains("is: tcp.server, stream: {"))
        }
        #expect(throws: RecordingError.self) { try record(path) }
        #expect(throws: InvalidInput.self) { try record(path, stream: "untl: 0a") }
    }

    @Test("A capture that lasts longer than a suite can wait is refused, with the reason")
    func years() throws {
        let hours = 3_600_000
        let path = try capture(
            Self.dialogue + [(at: 5000 * hours, text: "NOOP\n", isAnswer: false)])
        let error = #expect(throws: RecordingError.self) { try record(path, stream: "until: 0a") }
        #expect(error?.description.contains("5000 hours lie between its earliest") == true)
    }

    @Test("A capture whose clock runs backwards gives no verdict, and so no suite")
    func backwards() throws {
        let path = try capture([Self.dialogue[0], (at: -90_000, text: "250 a\n", isAnswer: true)])
        let outcome = try record(path, stream: "until: 0a").check()
        #expect(outcome.map(\.verdict) == [.inconclusive])
        #expect(outcome.first?.reason.contains("times of the capture run backwards") == true)
    }
}
