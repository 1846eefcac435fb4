import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@Suite(
    "Reconnecting clients on captures",
    .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
struct BackoffCaptureTests {
    private var data: String { ConformProgram.data ?? "" }

    private func check(
        _ capture: String, _ testCase: String, _ options: [String] = []
    ) throws -> ConformProgram.Outcome {
        try ConformProgram.run(
            [
                "check", "GoldenCaptures/by-hand/backoff.yaml", "\(data)/backoff/\(capture).pcap",
                "--case", testCase,
            ] + options)
    }

    @Test(
        "Each client passes under its own rule and fails under another one",
        arguments: [
            ("wget-linear-refused", "linear-from-one-second", 0, ""),
            ("wget-linear-refused", "one-attempt-into-a-black-hole", 1, "tcp.SYN"),
            ("variant-readme-resetrule", "reset-as-written", 0, ""),
            (
                "variant-readme-resetrule", "reset-as-coded", 1,
                "wait 3 (1 since the reset) took 2.000 s, 0 ms to 30 ms is allowed"
            ),
            ("variant-code-resetrule", "reset-as-coded", 0, ""),
            (
                "variant-code-resetrule", "reset-as-written", 1,
                "wait 3 took 0.22 ms, 1.999 s to 2.200 s is allowed, too early"
            ),
            (
                "variant-offbyone-refused", "outage", 1,
                "wait 1 took 1.000 s, 0 ms to 30 ms is allowed, too late"
            ),
            ("syn-retransmissions", "one-attempt-into-a-black-hole", 0, ""),
        ] as [(String, String, Int32, String)])
    func verdicts(capture: String, testCase: String, status: Int32, words: String) throws {
        let outcome = try check(capture, testCase)
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
        let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.isEmpty || text.contains(words), "\(outcome.output)")
    }

    @Test("Every wait is in results.json with its bounds, its measured time and its frame")
    func results() throws {
        let folder = TemporaryFolder.lasting()
        let outcome = try check(
            "wget-linear-refused", "linear-from-one-second", ["--reports", folder])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let text = try String(contentsOfFile: folder + "/results.json", encoding: .utf8)
        let results = try Value(json: Array(text.utf8).span.bytes)
        let steps = try #require(results["cases"]?.arrayValue?.first?["steps"]?.arrayValue)
        let waits = try #require(steps.last?["schedule"]?.arrayValue)
        let indices: [Int64] = waits.compactMap { $0["index"]?.integerValue }
        let frames: [Int64] = waits.compactMap { $0["frame"]?.integerValue }
        let odd: [Int64] = (1...13).map { number in number * 2 + 1 }
        #expect(indices == Array(1...13))
        #expect(frames == odd)
        for (index, wait) in waits.enumerated() {
            let nominal = min(Double(index + 1), 5)
            let measured = try #require(wait["measured"]?.numberValue)
            let lower = try #require(wait["lower"]?.numberValue)
            let upper = try #require(wait["upper"]?.numberValue)
            #expect(abs(measured - nominal) < 0.002)
            #expect(abs(lower - nominal + 0.001) < 1e-9)
            #expect(abs(upper - nominal * 1.1) < 1e-9)
            #expect(wait["isKept"] == true)
        }
        #expect(steps.first?["schedule"] == nil)
    }

    @Test("A failing schedule is reported with all of its waits")
    func table() throws {
        let outcome = try check("variant-code-resetrule", "reset-as-written")
        let rows = outcome.output.split(separator: "\n").filter {
            $0.contains("0.999s") || $0.contains("1.999s")
        }
        #expect(rows.contains { $0.contains(">") && $0.contains("19") }, "\(outcome.output)")
        #expect(outcome.output.contains("at least"))
    }
}

@Suite("Logs as traces")
struct LogCheckTests {
    private static let document = URL(filePath: ConformProgram.root).deletingLastPathComponent()
        .appending(path: "shared/source-documents/004_810df2fa561b775c.txt").path
    private static let suite = "GoldenCaptures/by-hand/reconnect-log.yaml"

    private func check(_ log: String, _ format: String) throws -> ConformProgram.Outcome {
        try ConformProgram.run([
            "check", Self.suite, log, "--log-format", "Suites/logs/\(format).yaml",
        ])
    }

    @Test(
        "The log in the document is accepted unchanged",
        .enabled(if: access(document, R_OK) == 0, "the source documents are not there"))
    func documentLog() throws {
        let outcome = try check(Self.document, "diffusion-console")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "The same log as JSON objects is accepted too",
        .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
    func fixture() throws {
        let log = "\(ConformProgram.data ?? "")/backoff/reconnect-log.json"
        let outcome = try check(log, "diffusion-events")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "An attempt that comes later in a changed log fails",
        .enabled(if: access(document, R_OK) == 0, "the source documents are not there"))
    func lateAttempt() throws {
        let text = try String(contentsOfFile: Self.document, encoding: .utf8)
        let late = text.replacingOccurrences(of: "10:27:54.876957", with: "10:27:54.976957")
        #expect(late != text)
        let path = TemporaryFolder.lasting() + "/late.log"
        try late.write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try check(path, "diffusion-console")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("wait 1 took 3.360 s"), "\(outcome.output)")
    }

    @Test(
        "Options that are only for captures are refused for a log",
        arguments: [
            (["x.log", "--join"], "--join"), (["x.log", "--follow", "1s"], "--follow"),
            (["-"], "(-)"),
        ])
    func onlyCaptures(_ more: [String], _ word: String) throws {
        let outcome = try ConformProgram.run(
            ["check", Self.suite, "--log-format", "Suites/logs/diffusion-console.yaml"] + more)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }

    @Test(
        "A log that lacks a time, or whose times run backwards, decides nothing",
        arguments: [
            ("1 ask 1\n3 ask 2\n", 0), ("\u{FEFF}1 ask 1\n3 ask 2\n", 0),
            ("1 ask 1\n1.5 ask 2\n", 1), ("1 ask 1\nsoon bad\n3 ask 2\n", 3),
            ("1 ask 1\n0.5 ask 2\n", 3), ("4 ask 1\n1 ask 1\n3 ask 2\n", 3),
        ])
    func doubtful(log: String, status: Int32) throws {
        let folder = TemporaryFolder.lasting()
        let files = [
            "x.log": log,
            "format.yaml": """
            conform-log: 1
            time: '^(?<time>\\S+) '
            messages:
              - {message: log.ask, matches: 'ask (?<n>\\d+)'}
              - {message: log.bad, matches: 'bad'}
            """,
            "catalogue.yaml": """
            conform-requirements: 1
            document: d
            requirements:
              A-1: {section: "1", text: It waits., derived: own}
            """,
            "suite.yaml": """
            conform: 1
            suite: log
            requirements: [catalogue.yaml]
            device: {role: a.program}
            roles: {a.program: {text: It asks.}}
            defaults: {quiet: 0s}
            cases:
              - id: waits
                title: It waits
                checks: [A-1]
                steps:
                  - {expect: log.ask, where: {n: 1}}
                  - {expect: log.ask, where: {n: 2}, after: 1s, within: 3s}
                never: [log.bad]
            """,
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let outcome = try ConformProgram.run([
            "check", "\(folder)/suite.yaml", "\(folder)/x.log", "--log-format",
            "\(folder)/format.yaml",
        ])
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    }

    @Test("A log without a message of the format is an error, not a verdict")
    func strangeLog() throws {
        let path = TemporaryFolder.lasting() + "/strange.log"
        try "nothing here\n".write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try check(path, "diffusion-console")
        #expect(outcome.status == 3, "\(outcome.status)")
        #expect(outcome.output.contains("none of the 1 record(s)"), "\(outcome.output)")
    }
}
