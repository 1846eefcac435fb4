import BuiltInProtocols
import Foundation
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestSupport
import Testing
import Trace

@testable import Offline

@Suite("Golden captures of a protocol that a file describes")
struct DescribedRecordingTests {
    private let scratch = TemporaryFolder()

    private static let description = """
        meta: {id: chat, endian: be, encoding: UTF-8}
        seq:
          - {id: kind, type: u1, enum: kind}
          - {id: number, type: u2}
          - {id: len_words, type: u1}
          - {id: words, type: str, size: len_words}
        enums:
          kind: {1: ask, 2: tell, 3: bye}
        """

    private static let file = """
        conform-protocol: 1
        protocol: chat
        ksy: chat.ksy
        message: "chat.{kind}"
        tcp: {ports: [7000]}
        correlation: [number]
        messages: {ask: {answer: tell}}
        """

    /// Writes the two files and returns the protocol.
    private func chat() throws -> NamedProtocol {
        let folder = scratch.path + "/descriptions"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Self.description.write(
            toFile: folder + "/chat.ksy", atomically: true, encoding: .utf8)
        try Self.file.write(toFile: folder + "/chat.yaml", atomically: true, encoding: .utf8)
        return try SuiteLoader(.builtIn).loadProtocol(path: folder + "/chat.yaml")
    }

    private static func message(_ kind: UInt8, _ number: UInt8, _ words: String) -> [UInt8] {
        [kind, 0, number, UInt8(words.utf8.count)] + Array(words.utf8)
    }

    /// Writes a capture in which peer and device each ask and get an answer.
    private func capture(
        _ name: String, port: UInt16 = 7000, numbers: (peer: UInt8, device: UInt8) = (7, 9),
        answer: UInt8? = nil, words: String = "blue"
    ) throws -> String {
        var capture = SyntheticCapture(port: port, caller: IPAddress(ipv4: 0x7f01_0001))
        capture.wait(10)
        capture.send(Self.message(1, numbers.peer, "colour"), fromApp: false)
        capture.wait(10)
        capture.send(Self.message(2, answer ?? numbers.peer, words), fromApp: true)
        capture.wait(10)
        capture.send(Self.message(1, numbers.device, "and you"), fromApp: true)
        capture.wait(10)
        capture.send(Self.message(2, numbers.device, "red"), fromApp: false)
        capture.wait(10)
        capture.send(Self.message(3, 0, ""), fromApp: true)
        capture.wait(300)
        return try capture.write(to: scratch.path, as: name)
    }

    private func record(
        _ captures: [String], peers: [String: Endpoint] = [:]
    ) throws -> (recording: Recording, suite: Suite) {
        let recording = try Recording(
            captures: captures,
            options: Recording.Options(
                path: scratch.path + "/golden.yaml", peers: peers,
                known: KnownMessages(.builtIn, [chat()])))
        for file in [recording.suite, recording.catalogue] {
            try FileManager.default.createDirectory(
                at: URL(filePath: file.path).deletingLastPathComponent(),
                withIntermediateDirectories: true)
            try file.text.write(toFile: file.path, atomically: true, encoding: .utf8)
        }
        let suite = try SuiteLoader(.builtIn).load(path: recording.suite.path)
        #expect(suite.warnings.isEmpty, "\(suite.warnings)")
        for outcome in try recording.check() { #expect(outcome.isPass, "\(outcome)") }
        return (recording, suite)
    }

    private func judge(_ suite: Suite, _ path: String) throws -> CaseResult {
        try CaptureCheck(suite: suite, selection: CaseSelection())
            .judge(suite.cases[0], on: path)
    }

    @Test("Messages have their names and fields, and an answer has the number of its request")
    func records() throws {
        let (recording, suite) = try record([capture("golden")])
        #expect(suite.deviceRole == "chat.client")
        #expect(suite.cases[0].peers.map(\.kind.name) == ["tcp.server"])
        let text = recording.suite.text
        #expect(text.contains("protocols: [descriptions/chat.yaml]"))
        #expect(text.contains("server: {is: tcp.server, speaks: chat}"))
        #expect(text.contains("save: {number: number}"))
        #expect(text.contains("number: \"${number}\""))
        #expect(text.contains("words: blue"))
        #expect(suite.cases[0].preamble.count == 3, "up to the device's first question")

        let other = try capture("other-numbers", numbers: (1, 2))
        #expect(try judge(suite, other).verdict == .pass)
        let wrong = try judge(suite, capture("wrong-number", answer: 8))
        #expect(wrong.verdict != .pass && wrong.reason?.summary.contains("number") == true)
        let said = try judge(suite, capture("other-words", words: "green"))
        #expect(said.verdict != .pass && said.reason?.summary.contains("words") == true)
    }

    @Test("Where several captures differ, only what they have in common is demanded")
    func several() throws {
        let (recording, suite) = try record([
            capture("one", numbers: (1, 2)), capture("two", numbers: (3, 4), words: "green"),
        ])
        #expect(recording.suite.text.contains("words: {type: string}"))
        #expect(try judge(suite, capture("three", words: "none")).verdict == .pass)
    }

    @Test("On another port the user names the peer, also one that calls the device")
    func otherPort() throws {
        let path = try capture("elsewhere", port: 7100)
        let message = try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn)).messages
            .first { $0.name == "tcp.SYN" }
        let called = try #require(message?.destination)
        let (listens, _) = try record([path], peers: ["server": called])
        #expect(listens.suite.text.contains("{is: tcp.server, speaks: chat, port: 7100}"))
        let caller = try #require(message?.source?.party)
        let (calls, suite) = try record([path], peers: ["caller": caller])
        #expect(calls.suite.text.contains("{is: tcp.client, speaks: chat, port: 7100}"))
        #expect(suite.deviceRole == "chat.server")
    }
}
