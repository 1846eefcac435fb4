import Foundation
import Glibc
import TestSupport
import Testing

private let suite = "Suites/hash-resume.yaml"

@Suite("Hash resume")
struct ResumeTests {
    @Test("The reference device passes every case, and each capture gives the live verdict")
    func referencePasses() throws {
        let run = try JudgedRun(suite)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        let live = run.results
        #expect(live.verdicts.allSatisfy { $0.value == "pass" })
        #expect(live.verdicts.count >= 50)
        #expect(live.passedRequirements == Set((1...12).map { "RHM-\($0)" }))
        try run.expectSameOffline()
    }

    @Test(
        "A mutant fails the case of its requirement, live and from the capture",
        arguments: [
            ("resends-one-match", "added-data-is-not-sent-again[kind=menu]", "RHM-5"),
            ("sends-first-hash", "last-of-many-hashes-is-sent", "RHM-10"),
            (
                "crashes-on-truncated-archive",
                "unusable-archive-is-no-hash[archive=cut to a byte]", "RHM-9"
            ),
            ("loses-callback", "resumed-item-reaches-its-handler[item=menu cell]", "RHM-5"),
        ])
    func mutant(name: String, testCase: String, requirement: String) throws {
        let run = try JudgedRun(suite, ["--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements.contains(requirement))
        try run.expectSameOffline()
    }

    @Test("An app with habits of real libraries passes the cases that they could disturb")
    func habits() throws {
        let profile = TemporaryFolder.lasting() + "/profile.yaml"
        try """
        name: habits
        role: sdl.app
        launch: [\(ConformProgram.folder)/conform-device, sdl-app, --habit,
          "probe-at-full,unregister-at-stop", --host, "${host}", --port, "${port}", --config, "${config}"]
        features: [sdl.reconnect, sdl.resumption, sdl.data-managers]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let cases = [
            "choices-are-*", "third-choice-*", "changed-choice-*", "hash-is-*", "changed-list-*",
        ]
        let run = try JudgedRun(
            suite, ["--device", profile] + cases.flatMap { ["--case", $0] })
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count >= 15)
        #expect(run.results.verdicts.allSatisfy { $0.value == "pass" })
    }

    @Test("Of a foreign capture the rules are judged; it does not show what the app was given")
    func earlierLives() throws {
        let check = try ConformProgram.run([
            "check", suite, "GoldenCaptures/sdl/app-js-core-resume.pcap",
        ])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains("= 1 judged (1 pass)"))
        #expect(check.output.contains("hash-resume/rules"))
    }

    @Test(
        "A real app that adds a resumed command again fails, and both packets are named",
        .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
    func realApp() throws {
        let capture = "\(ConformProgram.data ?? "")/sdl/app-js-core-resume.pcap"
        let check = try ConformProgram.run([
            "check", "Tests/EndToEndTests/Suites/resumed-app.yaml", capture,
        ])
        #expect(check.status == 1, "\(check.output)\(check.errors)")
        #expect(check.output.contains("requirement RHM-5"))
        #expect(
            check.output.contains(
                "sdl.AddCommand.request {params.cmdID: 7, params.menuParams: {menuName: Seven}"))
        #expect(check.output.contains("(frame 26), which never"), "\(check.output)")
        #expect(check.output.contains("sdl.AddCommand.response came "), "\(check.output)")
        #expect(check.output.contains("(frame 27), which never"), "\(check.output)")
        #expect(check.output.contains("2 planned = 2 judged (2 fail)"))
    }
}
