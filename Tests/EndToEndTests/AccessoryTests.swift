import Foundation
import TestSupport
import Testing

@Suite("Protocol strings")
struct AccessoryTests {
    private static let fallback = "Suites/protocol-string-fallback.yaml"
    private static let retries = "Suites/retry-exhaustion.yaml"

    @Test(
        "The reference device passes every case, and each capture gives the live verdict",
        arguments: [
            (fallback, 119, ["1", "2", "3", "4", "5", "6", "7", "8", "10", "11"]),
            (retries, 82, ["3", "8", "9", "14", "15", "16"]),
        ])
    func referencePasses(suite: String, count: Int, requirements: [String]) throws {
        let run = try JudgedRun(suite)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.allSatisfy { $0.value == "pass" })
        #expect(run.results.verdicts.count >= count)
        #expect(run.results.passedRequirements == Set(requirements.map { "MSP-\($0)" }))
        try run.expectSameOffline()
    }

    @Test(
        "Over iAP2 every case passes as on the bus, live and from the captures",
        arguments: [(fallback, 119), (retries, 82)])
    func links(suite: String, count: Int) throws {
        let run = try JudgedRun(suite, ["--parameter", "carrier=iap2", "--jobs", "8"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count >= count)
        #expect(run.results.verdicts.allSatisfy { $0.value == "pass" })
        try run.expectSameOffline()
    }

    @Test(
        "Over iAP2 a mutant fails the case of its requirement, live and from the capture",
        arguments: [
            ("prefers-legacy", fallback, "order-of-declaration-does-not-matter[order=mlc]", "5"),
            ("keeps-control-session", fallback, "index-names-the-dedicated-string[index=2]", "3"),
            ("ignores-notified", fallback, "notified-is-preferred-to-a-better-one[set=l]", "6"),
            ("deaf-after-nothing", fallback, "later-notification-starts-a-setup[set=cl]", "8"),
            ("yields-to-other-app", fallback, "second-app-*", "10"),
            ("retries-once-too-seldom", retries, "silent-accessory[string=legacy,limit=2]", "9"),
            ("opens-index-zero", retries, "index-out-of-range[index=0,limit=1]", "14"),
        ])
    func linkedMutant(
        name: String, suite: String, testCase: String, requirement: String
    ) throws {
        let run = try JudgedRun(
            suite,
            ["--parameter", "carrier=iap2", "--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements.contains("MSP-\(requirement)"))
        try run.expectSameOffline()
    }

    @Test("Sessions work over a link that loses, repeats and reorders packets")
    func lossyLink() throws {
        let suite = "Tests/EndToEndTests/Suites/lossy-link.yaml"
        let run = try JudgedRun(suite, ["--parameter", "carrier=iap2", "--jobs", "8"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count == 8)
        try run.expectSameOffline()
        for faults in [
            "lost=25,again=0,late=0", "lost=0,again=30,late=0", "lost=0,again=0,late=40",
        ] {
            let name = faults.replacing(",", with: "_")
            let capture = try #require(run.results.captures.first { $0.contains(name) })
            let found = try ConformProgram.run([
                "decode", "\(run.folder)/\(capture)", "--filter",
                "iap2.retransmission || iap2.EAK",
            ])
            #expect(found.output.contains("iap2."), "no trace of \(faults)")
        }
    }

    @Test("A capture over iAP2 is recorded as a suite without the link")
    func recorded() throws {
        let folder = TemporaryFolder.lasting()
        let path = "\(folder)/golden.yaml"
        let record = try ConformProgram.unlessLate {
            let run = try ConformProgram.run([
                "run", Self.fallback, "--parameter", "carrier=iap2", "--case",
                "hub-is-used-without-multisession[set=c,version=\"9\"]", "--reports",
                "\(folder)/run",
            ])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            let capture = try #require(try Results("\(folder)/run").captures.first)
            return try ConformProgram.run([
                "record", "\(folder)/run/\(capture)", "-o", path, "--force",
            ])
        }
        #expect(record.status == 0, "\(record.output)\(record.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("expect: ea.open") && !text.contains("iap2."), "\(text)")
        #expect(text.contains("is: iap.accessory") && text.contains("role: sdl.app"), "\(text)")
        let lint = try ConformProgram.run(["lint", path])
        #expect(lint.output.hasSuffix("0 errors, 0 warnings\n"), "\(lint.output)")
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
        let run = try JudgedRun(suite, ["--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements.contains("MSP-\(requirement)"))
        try run.expectSameOffline()
    }

    @Test("Multisession saves a session and its time, and the run reports both")
    func measured() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run([
            "run", Self.fallback, "--case", "*-registers-with-*", "--reports", reports,
        ])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        for line in [
            "measured: sessions to register over multisession 1 message ",
            "measured: sessions to register over the hub 2 messages ",
            "measured: time to register over multisession ",
            "measured: time to register over the hub ",
        ] {
            #expect(run.output.contains(line), "\(run.output)")
        }
        let junit = try String(contentsOfFile: "\(reports)/junit.xml", encoding: .utf8)
        #expect(junit.contains("conform.measured.time to register over the hub"))
    }
}
