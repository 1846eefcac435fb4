import Foundation
import FoundationXML
import Glibc
import TestSupport
import Testing
import Wire

private let suite = "Suites/registration-language.yaml"

@Suite("conform run, as a user runs it")
struct RunTests {
    @Test("The reference device passes every case and covers every requirement, with captures")
    func referencePasses() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run(["run", suite, "--reports", reports])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let results = try Results(reports)
        #expect(results.verdicts.allSatisfy { $0.value == "pass" })
        #expect(results.verdicts.count >= 12)
        #expect(results.passedRequirements == Set((1...11).map { "CRM-\($0)" }))
        for name in results.captures {
            #expect(access("\(reports)/\(name)", R_OK) == 0, "\(name)")
        }
        let junit = try XMLDocument(contentsOf: URL(filePath: reports + "/junit.xml"))
        #expect(try junit.nodes(forXPath: "//testcase").count == results.verdicts.count)
        #expect(try junit.nodes(forXPath: "//failure | //error | //skipped").isEmpty)
    }

    @Test("A run counts the processors that it may use")
    func processors() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let allowed = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*([0-9]+)/)?.1)
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.Started(
            ["taskset", "-c", String(allowed)]
                + ConformProgram.command([
                    "run", suite, "--case", "same-language-changes-nothing", "--reports", reports,
                ]), in: ConformProgram.root
        ).wait()
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        #expect(results["run"]?["environment"]?["cores"]?.integerValue == 1)
    }

    @Test("Every mutant is killed by the right case, and each capture gives the live verdict")
    func mutantsAreKilledAndCapturesAgree() throws {
        let reports = TemporaryFolder.lasting() + "/proof"
        let proof = try ConformProgram.run(["prove", suite, "--reports", reports])
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        let killed = try #require(
            proof.output.firstMatch(of: /([0-9]+) of ([0-9]+) killed/), "\(proof.output)")
        #expect(killed.1 == killed.2 && (Int(killed.1) ?? 0) >= 44)
        let devices = try FileManager.default.contentsOfDirectory(atPath: reports)
        #expect(devices.count > 11 && devices.contains("reference"))
        for device in devices {
            let live = try Results("\(reports)/\(device)")
            #expect(!live.captures.isEmpty && live.captures.count == live.verdicts.count)
            #expect(!live.verdicts.values.contains("error"))
            try JudgedRun.expectSameOffline(
                live, of: suite, in: "\(reports)/\(device)",
                status: device == "reference" ? 0 : 1)
        }
    }

    @Test("Selected mutants are proved, and a similar name is suggested for a wrong one")
    func someMutants() throws {
        let reports = TemporaryFolder.lasting() + "/proof"
        let short = try ConformProgram.run(
            ["prove", suite, "--mutant", "never-cha*", "--reports", reports])
        #expect(short.status == 0, "\(short.output)\(short.errors)")
        #expect(short.output.contains("1 of 1 killed; the unmutated device passes"))
        #expect(short.output.contains("--thorough shows what else fails"))
        let thorough = try ConformProgram.run([
            "prove", suite, "--mutant", "never-changes", "--case", "*language-changes-*",
            "--thorough", "--reports", reports,
        ])
        #expect(thorough.output.contains("1 of 1 killed"), "\(thorough.output)")
        #expect(!thorough.output.contains("--thorough"))
        let slip = try ConformProgram.run(["prove", suite, "--mutant", "never-change"])
        #expect(slip.status == 2)
        #expect(slip.errors.contains("did you mean never-changes?"), "\(slip.errors)")
        let foreign = try ConformProgram.run(["prove", suite, "--mutant", "off-by-one"])
        #expect(foreign.status == 2)
        #expect(foreign.errors.contains("no case of these suites checks what"))
    }

    @Test("A failure cites the broken requirement, not those that hold")
    func failureCitesTheRightRequirement() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run([
            "run", suite, "--device", "reference:forgets-hmi-display-language", "--case",
            "change-carries-*",
            "--reports", reports,
        ])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(try Results(reports).failedRequirements == ["CRM-7"])
        #expect(run.output.contains("requirement CRM-7"))
        #expect(!run.output.contains("requirement CRM-9"))
    }

    @Test("A filter that matches nothing gives exit code 4")
    func nothingMatches() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run(
            ["run", suite, "--case", "no-such-case", "--reports", reports])
        #expect(run.status == 4)
    }

    @Test("A misspelt key gives exit code 2, names the line and suggests the right key")
    func misspeltKey() throws {
        let folder = TemporaryFolder.lasting()
        let path = folder + "/broken.yaml"
        let text = """
            conform: 1
            suite: broken
            title: A suite with a misspelt key
            device: {role: sdl.app}
            peers: {hu: {is: sdl.head-unit}}
            cases:
              - id: one
                title: One
                checks: []
                stpes: []
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let run = try ConformProgram.run(["run", path, "--reports", folder + "/run"])
        #expect(run.status == 2)
        #expect(run.errors.contains("\(path):10:5: error: "), "\(run.errors)")
        #expect(run.errors.contains("\"steps\""), "\(run.errors)")
        #expect(access(folder + "/run", F_OK) != 0, "nothing may be run")
    }

    @Test("A device that cannot be started is a setup error, never a failure")
    func missingDevice() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run([
            "run", suite, "--case", "same-language-changes-nothing", "--reports", reports,
            "--device", "command:/no/such/program ${host}",
        ])
        #expect(run.status == 4 || run.status == 3, "\(run.output)")
        #expect(!run.output.contains("CONFORMANT"))
    }

    @Test("A device that ends at once is inconclusive, because the preamble is not completed")
    func deviceEndsAtOnce() throws {
        let folder = TemporaryFolder.lasting()
        let profile = folder + "/device.yaml"
        try """
        name: short-lived
        role: sdl.app
        launch: [/bin/sh, -c, "exit 3"]
        features: [sdl.change-registration]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let run = try ConformProgram.run([
            "run", suite, "--case", "same-language-changes-nothing", "--device", profile,
            "--reports", folder + "/run",
        ])
        #expect(run.status == 3, "\(run.output)\(run.errors)")
        let results = try Results(folder + "/run")
        #expect(results.verdicts["same-language-changes-nothing"] == "inconclusive")
        #expect(results.summaries.values.contains { $0.contains("exited with code 3") })
    }
}
