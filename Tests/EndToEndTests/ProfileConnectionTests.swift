import TestSupport
import Testing

private let suite = "Suites/profile-connections.yaml"

@Suite("An app with profile connections under test")
struct ProfileConnectionTests {
    @Test("The reference app passes every case, and each capture gives the live verdict again")
    func referencePasses() throws {
        let run = try JudgedRun(suite)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.allSatisfy { $0.value == "pass" })
        #expect(run.results.verdicts.count >= 40)
        #expect(
            run.results.passedRequirements.isSuperset(
                of: (1...10).map { "PCM-\($0)" } + ["PCM-7b", "PCM-12", "PCM-13", "PCM-14"]))
        try run.expectSameOffline()
    }

    @Test(
        "A mutant fails the case of its requirement with the right words, live and offline",
        arguments: [
            ("scans-before-available", "scan-waits-for-availability", "PCM-1", "le.scan"),
            (
                "matches-service-data", "other-advertisement-is-not-reported*", "PCM-2",
                "unexpected profile.discovered"
            ),
            ("connects-on-discovery", "discovery-opens-nothing", "PCM-3", "unexpected le.connect"),
            (
                "reports-success-before-read", "activation-in-order*", "PCM-4",
                "profile.activated"
            ),
            (
                "keeps-link-on-deactivation", "deactivation-reverses-activation", "PCM-7",
                "le.disconnect"
            ),
            ("manual-connects", "manual-object-without-link-fails", "PCM-8", "le.connect"),
            ("crashes-on-loss", "lost-link-makes-inactive*", "PCM-14", "crash"),
        ])
    func mutant(name: String, testCase: String, requirement: String, words: String) throws {
        let run = try JudgedRun(suite, ["--mutant", name, "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        #expect(run.results.failedRequirements.contains(requirement))
        try run.expectSameOffline()
    }
}
