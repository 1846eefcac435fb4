import Foundation
import TestSupport
import Testing

/// Peers without their own protocol, with devices in Python.
@Suite("Plain peers", .serialized)
struct PlainPeerTests {
    private static let folder = "Tests/EndToEndTests/Suites"

    private func run(_ suite: String, _ device: String, _ cases: String) throws -> JudgedRun {
        try JudgedRun(
            "\(Self.folder)/\(suite).yaml",
            ["--device", "\(Self.folder)/plain-\(device).yaml", "--case", cases])
    }

    @Test(
        "Datagrams and tables of answers pass, live and from the capture",
        arguments: [
            ("datagrams", "search", "answered"), ("datagrams", "refused", "refused"),
            ("datagrams-called", "called", "called"), ("answers", "asking", "asked"),
            ("datagram-answers", "search", "answered"),
            ("chat", "joining", "joins"), ("chat-called", "joined", "joins"),
        ])
    func datagrams(suite: String, device: String, testCase: String) throws {
        let run = try run(suite, device, testCase)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    @Test("A frame that is not what its message is called, or not its end, accuses no device")
    func frames() throws {
        let run = try run("chat", "leaving", "*-after-*")
        #expect(
            run.results.verdicts == [
                "leaves-after-a-reserved-frame": "pass", "leaves-after-a-wrong-length": "pass",
                "leaves-after-a-fragmented-text": "pass", "stays-after-a-reserved-frame": "fail",
            ], "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test("A datagram with other words fails the case, live and from the capture")
    func wrongDatagram() throws {
        let run = try run("datagrams", "search", "another-word")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains("text thanks HTTP/1.1"), "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test("A capture of datagrams is recorded as a suite")
    func recorded() throws {
        let run = try run("datagrams", "search", "answered")
        let capture = try #require(run.results.captures.first)
        let suite = TemporaryFolder.lasting() + "/recorded.yaml"
        let recording = try ConformProgram.run([
            "record", "\(run.folder)/\(capture)", "-o", suite,
        ])
        #expect(recording.status == 0, "\(recording.output)\(recording.errors)")
        let text = try String(contentsOfFile: suite, encoding: .utf8)
        #expect(text.contains("text: thanks HTTP/1.1"), "\(text)")
    }

    @Test(
        "A real program is the peer, with impairments of the link to it",
        arguments: ["echoed", "delayed"])
    func process(testCase: String) throws {
        let run = try run("process", "saying", testCase)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    @Test("The end of a peer's program is an error of the harness")
    func processEnds() throws {
        let run = try run("process", "saying", "ends")
        #expect(run.outcome.status == 3, "\(run.outcome.output)\(run.outcome.errors)")
        let text = run.outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("peer echo: its program ended"), "\(text)")
    }

    @Test("The example in the document works as an adapter, live and from the capture")
    func adapter() throws {
        let page = try String(
            contentsOfFile: ConformProgram.root + "/Documentation/adapter-peers.md",
            encoding: .utf8)
        let parts = page.components(separatedBy: "```python\n")
        let program = try #require(parts.last?.components(separatedBy: "```").first)
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 36)
        let folder = TemporaryFolder.lasting()
        for name in ["adapter.yaml", "plain-rules.yaml", "plain-device.py", "plain-asking.yaml"] {
            let text = try String(
                contentsOfFile: "\(ConformProgram.root)/\(Self.folder)/\(name)", encoding: .utf8)
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try program.write(
            toFile: folder + "/adapter-example.py", atomically: true, encoding: .utf8)
        let run = try JudgedRun(
            folder + "/adapter.yaml", ["--device", folder + "/plain-asking.yaml"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    @Test(
        "An adapter that breaks its protocol is an error of the harness",
        arguments: [
            ("crash", "its program ended: exit code 3"), ("deaf", "did not answer message"),
            ("babble", "\"sned\" is not a word of an order"),
        ])
    func adapterFaults(testCase: String, words: String) throws {
        let run = try run("adapter-faults", "saying", testCase)
        #expect(run.outcome.status == 3, "\(run.outcome.output)\(run.outcome.errors)")
        let text = run.outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(words), "\(text)")
    }
}
