import Foundation
import TestSupport
import Testing

private let suite = "Suites/registration-language.yaml"

@Suite("conform record, as a user runs it")
struct RecordCommandTests {
    private let folder = TemporaryFolder.lasting()

    /// Records and lints a suite, judges the captures by it, and checks that all of that succeeds.
    private func record(_ captures: [String], as name: String) throws -> String {
        let path = "\(folder)/\(name).yaml"
        let record = try ConformProgram.run(["record"] + captures + ["-o", path])
        #expect(record.status == 0, "\(record.output)\(record.errors)")
        let lint = try ConformProgram.run(["lint", path])
        #expect(lint.output.hasSuffix("0 errors, 0 warnings\n"), "\(lint.output)")
        let next = try #require(
            record.output.split(separator: "\n").first { $0.hasPrefix("next: conform ") })
        let check = try ConformProgram.Started(
            [
                "/bin/sh", "-c",
                "'\(ConformProgram.folder)/conform' \(next.dropFirst("next: conform ".count))",
            ], in: ConformProgram.root
        ).wait()
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        return path
    }

    @Test(
        "Each real capture is recorded as a suite that passes on it and has no lint findings",
        .enabled(if: ConformProgram.data != nil, "the shared captures are not available"))
    func realCaptures() throws {
        let data = try #require(ConformProgram.data) + "/sdl"
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
            .filter { $0.hasSuffix(".pcap") }
        #expect(names.count >= 7)
        for name in names { _ = try record(["\(data)/\(name)"], as: "golden-\(name.dropLast(5))") }
        let pair = ["app-js-core-resume", "app-js-core-wrong-language"].map { "\(data)/\($0).pcap" }
        let both = try record(pair, as: "both")
        let text = try String(contentsOfFile: both, encoding: .utf8)
        #expect(text.contains("optional:") && text.contains("${hashId}"))
    }

    /// Returns the capture of a run with one case.
    private func capture(in reports: String) throws -> String {
        try reports + "/" + #require(Results(reports).captures.first)
    }

    @Test("A suite recorded from live runs passes on their captures, and a mutant fails it")
    func liveCaptures() throws {
        let id = "change-carries-language-and-names"
        func run(_ name: String, _ further: String...) throws -> String {
            _ = try ConformProgram.run(
                ["run", suite, "--case", id, "--reports", "\(folder)/\(name)", "-q"] + further)
            return try capture(in: "\(folder)/\(name)")
        }
        var captures: [String] = []
        _ = try ConformProgram.unlessLate {
            captures = try [run("one"), run("two"), run("three")]
            return try ConformProgram.run(
                ["record"] + captures + ["-o", "\(folder)/trial.yaml", "--force"])
        }
        let path = try record(captures, as: "live")
        let check = try ConformProgram.unlessLate {
            let mutant = try run("mutant", "--device", "reference:forgets-app-name")
            return try ConformProgram.run(["check", path, mutant, "--assume", "foreign"])
        }
        #expect(check.status == 1, "\(check.output)\(check.errors)")
        #expect(check.output.contains("params.appName"))
        let refused = try ConformProgram.run(["check", path, captures[0]])
        #expect(refused.status != 0, "a capture that was made for another suite")
        #expect(refused.output.contains("was made for suite registration-language"))
    }

    @Test("A file is overwritten only with --force, and missing arguments are reported")
    func refusals() throws {
        let path = folder + "/there.yaml"
        try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
        let reports = folder + "/run"
        _ = try ConformProgram.run([
            "run", suite, "--case", "same-language-changes-nothing", "--reports", reports,
        ])
        let capture = try capture(in: reports)
        let there = try ConformProgram.run(["record", capture, "-o", path])
        #expect(there.status == 2 && there.errors.contains("overwrite it with --force"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
        #expect(try ConformProgram.run(["record", capture, "-o", path, "--force"]).status == 0)
        let nowhere = try ConformProgram.run(["record", capture])
        #expect(nowhere.status == 2 && nowhere.errors.contains("-o suite.yaml"))
        #expect(try ConformProgram.run(["record", "-o", path]).status == 2)
        let noCapture = try ConformProgram.run(["record", suite, "-o", folder + "/x.yaml"])
        #expect(noCapture.status != 0 && !noCapture.errors.isEmpty)
    }
}
