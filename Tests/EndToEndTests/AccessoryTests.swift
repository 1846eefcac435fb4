import Foundation
import Testing

@Suite("Protocol strings")
struct AccessoryTests {
    private static let fallback = "Suites/protocol-string-fallback.yaml"
    private static let retries = "Suites/retry-exhaustion.yaml"

    @Test(
        "The reference device passes every case, and each capture gives the live verdict again",
        arguments: [
            (fallback, 99, ["1", "2", "3", "4", "5", "6", "7", "8", "10", "11"]),
            (retries, 65, ["3", "9", "14"]),
        ])
    func referencePasses(suite: String, count: Int, requirements: [String]) throws {
        let reports = ConformProgram.temporaryFolder() + "/run"
        let run = try ConformProgram.run(["run", suite, "--reports", reports])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let live = try Results(reports)
        #expect(live.verdicts.allSatisfy { $0.value == "pass" })
        #expect(live.verdicts.count == count)
        #expect(live.passedRequirements == Set(requirements.map { "MSP-\($0)" }))
        let check = try ConformProgram.run(
            ["check", suite, "--reports", "\(reports)/checked"]
                + live.captures.map { "\(reports)/\($0)" })
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let offline = try Results("\(reports)/checked")
        #expect(offline.verdicts == live.verdicts)
        #expect(offline.summaries == live.summaries)
    }

    @Test(
        "A mutant fails the case of its requirement, live and from the capture",
        arguments: [
            ("ignores-version", fallback, "older-system-uses-the-hub[set=mc,version=8.4.1]", "2"),
            ("keeps-control-session", fallback, "index-names-the-dedicated-string[index=2]", "3"),
            (
                "searches-accessory-first", fallback,
                "any-multisession-beats-the-others[first=l,second=c,third=m]", "7"
            ),
            ("retries-once-too-often", retries, "refused-sessions[string=legacy,limit=2]", "9"),
            ("opens-index-zero", retries, "index-out-of-range[index=0,limit=1]", "14"),
        ])
    func mutant(name: String, suite: String, testCase: String, requirement: String) throws {
        let reports = ConformProgram.temporaryFolder() + "/run"
        let run = try ConformProgram.run([
            "run", suite, "--mutant", name, "--case", testCase, "--reports", reports,
        ])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        let live = try Results(reports)
        // A case that cites the order of strings as well fails both.
        #expect(live.failedRequirements.contains("MSP-\(requirement)"))
        #expect(
            live.failedRequirements.allSatisfy { ["MSP-\(requirement)", "MSP-5"].contains($0) })
        let check = try ConformProgram.run(
            ["check", suite, "--reports", "\(reports)/checked"]
                + live.captures.map { "\(reports)/\($0)" })
        #expect(check.status == 1, "\(check.output)\(check.errors)")
        #expect(try Results("\(reports)/checked").summaries == live.summaries)
    }

    @Test("Multisession saves a session and the time of it; the run tells both")
    func measured() throws {
        let reports = ConformProgram.temporaryFolder() + "/run"
        let run = try ConformProgram.run([
            "run", Self.fallback, "--case", "*-registers-with-*", "--reports", reports,
        ])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        for line in [
            "measured: sessions to register over multisession 1 message ",
            "measured: sessions to register over the hub 2 messages ",
            "measured: time to register over multisession 0.",
            "measured: time to register over the hub 0.",
        ] {
            #expect(run.output.contains(line), "\(run.output)")
        }
        let junit = try String(contentsOfFile: "\(reports)/junit.xml", encoding: .utf8)
        #expect(junit.contains("conform.measured.time to register over the hub"))
    }
}
