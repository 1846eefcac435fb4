import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The operator", .serialized)
struct OperatorTests {
    private static let suite = "Suites/backoff-timing.yaml"
    private static let testCase = "becomes-active-without-session"
    private static let sentence = "bring the application to the front"

    /// A session client that comes to the foreground by hand, that is by a line in a pipe.
    private final class Hand {
        let folder = TemporaryFolder.lasting()
        let profile: String
        private let pipe: Int32

        init() throws {
            let path = folder + "/hand"
            profile = folder + "/device.yaml"
            mkfifo(path, 0o666)
            chmod(path, 0o666)
            pipe = open(path, O_RDWR | O_CLOEXEC)
            try """
            name: Client with a hand
            role: session.client
            launch: [/bin/sh, -c, "exec '\(ConformProgram.folder)/conform-device' session-client
                --host ${host} --port ${port} --config '${config}' < '\(path)'"]
            files: {read: [\(path), \(ConformProgram.folder)]}
            features: [session.lifecycle]
            controls:
              foreground: {operator: \(OperatorTests.sentence), timeout: 60s}
            """.write(toFile: profile, atomically: true, encoding: .utf8)
        }

        func bringToFront() {
            let line = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"foreground\"}\n".utf8)
            _ = write(pipe, line, line.count)
        }

        deinit { close(pipe) }
    }

    private static func requestCount(in output: [UInt8]) -> Int {
        String(decoding: output, as: UTF8.self).ranges(of: ">>> \(sentence)").count
    }

    /// Runs the case with a person that acts on each request, and returns the results.
    private func run(
        _ hand: Hand, person: (PseudoTerminal) -> Void
    ) throws -> (status: Int32, results: Results, folder: String) {
        let folder = hand.folder + "/run"
        let terminal = try PseudoTerminal(
            [
                "run", Self.suite, "--case", Self.testCase, "--device", hand.profile,
                "--reports", folder,
            ], columns: 160, variables: ["CONFORM_OPERATOR=anna"])
        // A case that the machine was too busy to judge is executed again.
        var count = 0
        while true {
            terminal.read { Self.requestCount(in: $0) > count }
            guard Self.requestCount(in: terminal.output) > count else { break }
            count += 1
            person(terminal)
        }
        let status = terminal.wait()
        return (status, try Results(folder), folder)
    }

    @Test("The operator's time before acting and until confirming does not count for the device")
    func slowPerson() throws {
        let hand = try Hand()
        let run = try run(hand) { terminal in
            usleep(2_000_000)
            hand.bringToFront()
            usleep(1_500_000)
            terminal.type("\n")
        }
        #expect(run.status == 0, "\(run.results.summaries)")
        let text = try String(contentsOfFile: run.folder + "/results.json", encoding: .utf8)
        #expect(text.contains("was confirmed by anna at "))
        try JudgedRun.expectSameOffline(
            run.results, of: Self.suite, in: run.folder, status: run.status)
    }

    @Test("The operator may confirm before the device reacts, and fails the case by doing nothing")
    func earlyPerson() throws {
        let hand = try Hand()
        let early = try run(hand) { terminal in
            terminal.type("\n")
            hand.bringToFront()
        }
        #expect(early.status == 0, "\(early.results.summaries)")
        try JudgedRun.expectSameOffline(
            early.results, of: Self.suite, in: early.folder, status: early.status)
        let idle = try run(try Hand()) { $0.type("\n") }
        #expect(idle.results.verdicts == [Self.testCase: "fail"], "\(idle.results.summaries)")
        try JudgedRun.expectSameOffline(
            idle.results, of: Self.suite, in: idle.folder, status: idle.status)
    }

    @Test("Without an operator the case is skipped, or is an error")
    func nobody() throws {
        let hand = try Hand()
        let words = ["--case", Self.testCase, "--device", hand.profile]
        let reports = hand.folder + "/run"
        let run = ConformProgram.command(["run", Self.suite, "--reports", reports] + words)
        _ = try ConformProgram.Started(
            ["CONFORM_OPERATOR=none"] + run, in: ConformProgram.root
        ).wait()
        let skipped = try Results(reports)
        #expect(skipped.verdicts == [Self.testCase: "skipped"])
        #expect(
            skipped.summaries[Self.testCase]
                == "control foreground asks a person, and there is nobody (CONFORM_OPERATOR=none)")
        let absent = try JudgedRun(Self.suite, words)
        #expect(absent.results.verdicts == [Self.testCase: "error"])
        #expect(
            absent.results.summaries[Self.testCase]?.contains("input has ended") == true,
            "\(absent.results.summaries)")
    }

    @Test("With a paused device the operator sees what to start before a case")
    func pause() throws {
        let folder = TemporaryFolder.lasting() + "/run"
        let terminal = try PseudoTerminal(
            [
                "run", "Suites/registration-language.yaml", "--case",
                "same-language-changes-nothing", "--device", "pause:reference", "--reports", folder,
            ], columns: 160)
        terminal.read { String(decoding: $0, as: UTF8.self).contains("Press Enter") }
        let shown = String(decoding: terminal.output, as: UTF8.self)
        #expect(shown.contains("peer hu listens at 127.0.0.1:12345"), "\(shown)")
        #expect(shown.contains("Press Enter, and conform starts "))
        terminal.type("\n")
        #expect(terminal.wait() == 0)
    }
}
