import Foundation
import TestSupport
import Testing
import Wire

@Suite("The companions of a device")
struct CompanionTests {
    private static let suite = "Suites/registration-language.yaml"
    private static let testCase = "same-language-changes-nothing"

    /// Runs the case on the reference app, or a mutant of it, with companions.
    private static func run(_ companions: String, mutant: String? = nil) throws -> JudgedRun {
        let words =
            ["\"\(ConformProgram.folder)/conform-device\"", "sdl-app", "--host"]
            + ["\"${host}\"", "--port", "\"${port}\"", "--config", "\"${config}\""]
            + (mutant.map { ["--device", "reference:\($0)"] } ?? [])
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try """
        name: App with companions
        role: sdl.app
        launch: [\(words.joined(separator: ", "))]
        env: {WHOSE: "the device's"}
        features: [sdl.change-registration]
        companions:
        \(companions)
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        return try JudgedRun(suite, ["--case", testCase, "--device", profile])
    }

    @Test("Companions share the device's home, start in order, and have their logs in the evidence")
    func together() throws {
        let run = try Self.run(
            """
              store:
                launch: [/bin/sh, -c, 'echo "$WHOSE" > "$HOME/store"; sleep 0.2; echo open; sleep 60']
                ready: {line: open, timeout: 30s}
              display:
                launch: [/bin/sh, -c, 'echo "found $(cat "$HOME/store")"; sleep 60']
                ready: {line: found, timeout: 30s}
                start: after
            """)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        let log = try String(
            contentsOfFile: "\(run.folder)/logs/registration-language.\(Self.testCase)"
                + ".companion.display.log", encoding: .utf8)
        #expect(log.contains("stdout: found the device's"))
        let lines = try Self.log(of: run)
        let open = try #require(lines.first { $0.text == "open" })
        let found = try #require(lines.first { $0.text == "found the device's" })
        #expect(open.stream == "store stdout" && found.stream == "display stdout")
        #expect(open.seconds < 0 && found.seconds > open.seconds)
        #expect(lines.contains { $0.stream == "conform" && $0.text.hasPrefix("launched: ") })
        try run.expectSameOffline()
    }

    @Test("A companion that ends by itself makes a case inconclusive, even one that would fail")
    func ending() throws {
        let companions = """
              display: {launch: [/bin/sh, -c, "echo no screen; sleep 0.1; exit 3"]EXIT}
            """
        for mutant in [nil, "changes-when-nothing-differs"] {
            let run = try Self.run(
                companions.replacingOccurrences(of: "EXIT", with: ""), mutant: mutant)
            #expect(run.outcome.status == 3, "\(run.outcome.output)\(run.outcome.errors)")
            #expect(run.results.verdicts == [Self.testCase: "inconclusive"])
            let words = run.results.summaries[Self.testCase] ?? ""
            #expect(
                words.hasPrefix(
                    "companion display of the device ended during the case: exit code 3, having "
                        + "printed \"no screen\""), "\(words)")
            try run.expectSameOffline()
        }
        let expected = try Self.run(
            companions.replacingOccurrences(of: "EXIT", with: ", exit: expected"))
        #expect(expected.outcome.status == 0, "\(expected.outcome.output)")
        #expect(expected.outcome.output.contains("companion display ended: exit code 3"))
        try expected.expectSameOffline()
    }

    @Test("A companion that does not become ready makes the case an error")
    func notReady() throws {
        for (companion, words) in [
            ("{launch: [sleep, '60'], ready: {line: up, timeout: 500ms}}", "is not ready after"),
            ("{launch: [/bin/false], ready: {line: up}}", "ended with exit code 1 before"),
            ("{launch: [/bin/sh, -c, no-such-program]}", "was not executed"),
            ("{launch: [/no/such/program]}", "there is no program /no/such/program"),
        ] {
            let run = try Self.run("  display: \(companion)")
            #expect(run.results.verdicts == [Self.testCase: "error"], "\(run.outcome.output)")
            #expect(run.results.summaries[Self.testCase]?.contains(words) == true, "\(words)")
        }
    }

    private static func log(
        of run: JudgedRun
    ) throws -> [(seconds: Double, stream: String, text: String)] {
        let file = "\(run.folder)/evidence/registration-language.\(testCase).json"
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        let evidence = try Value(json: bytes.span.bytes)["evidence"]
        return (evidence?["log"]?.arrayValue ?? []).map { line in
            (
                line["seconds"]?.numberValue ?? 0, line["stream"]?.stringValue ?? "",
                line["text"]?.stringValue ?? ""
            )
        }
    }
}
