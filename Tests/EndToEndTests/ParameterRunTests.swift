import Foundation
import TestSupport
import Testing
import Wire

private let suite = "Tests/EndToEndTests/Suites/parameters.yaml"

@Suite("Parameters of the device, from the command line to the check of the capture")
struct ParameterRunTests {
    private func reports() -> String { TemporaryFolder.lasting() + "/run" }

    @Test("A case without a value is skipped, and with one it runs")
    func skipped() throws {
        let bare = reports()
        let run = try ConformProgram.run(["run", suite, "--reports", bare])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(
            try Results(bare).verdicts == [
                "asks-for-its-language": "pass", "waits-for-the-answer": "skipped",
            ])
        let whole = reports()
        let full = try ConformProgram.run([
            "run", suite, "--reports", whole, "--parameter", "pause=100ms",
        ])
        #expect(full.status == 0, "\(full.output)\(full.errors)")
        let results = try Results(whole)
        #expect(results.verdicts.allSatisfy { $0.value == "pass" })
        let text = try String(contentsOfFile: whole + "/results.json", encoding: .utf8)
        #expect(text.contains("command line") && text.contains("100ms"))
        let check = try ConformProgram.run(
            ["check", suite] + results.captures.map { "\(whole)/\($0)" })
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(!check.output.contains("skipped: 1"))
    }

    @Test("A capture is judged with the values of its run, or with given ones")
    func checked() throws {
        let folder = reports()
        let run = try ConformProgram.run([
            "run", suite, "--reports", folder, "--case", "asks*", "--parameter", "language=DE-DE",
        ])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(run.output.contains("--parameter language=DE-DE"))
        let captures = try Results(folder).captures.map { "\(folder)/\($0)" }
        let same = try ConformProgram.run(["check", suite] + captures)
        #expect(same.status == 1, "\(same.output)\(same.errors)")
        let other = try ConformProgram.run(
            ["check", suite, "--parameter", "language=EN-US"] + captures)
        #expect(other.status == 0, "\(other.output)\(other.errors)")
    }

    @Test(
        "An unknown or unreadable parameter is refused",
        arguments: [
            ("langauge=X", "did you mean \"language\"?"), ("language", "takes NAME=VALUE"),
            ("language=[", "does not parse"), ("language=5", "bad-parameter"),
        ])
    func refused(value: String, message: String) throws {
        let run = try ConformProgram.run(["run", suite, "--parameter", value])
        #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
    }

    @Test("Lint reports how many cases it could not check")
    func lint() throws {
        let bare = try ConformProgram.run(["lint", suite])
        #expect(bare.status == 0 && bare.output.contains("1 case not checked"))
        let full = try ConformProgram.run(["lint", suite, "--parameter", "pause=1s"])
        #expect(!full.output.contains("not checked"), "\(full.output)")
    }
}
