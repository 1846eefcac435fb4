import TestSupport
import Testing

private let suite = "Suites/profile-connections.yaml"
private let accessories = "Suites/profile-connections-iap.yaml"

@Suite("An app with profile connections under test")
struct ProfileConnectionTests {
    @Test(
        "The reference app passes every case, and each capture gives the live verdict",
        arguments: [
            (
                suite, 40,
                (1...10).map { "PCM-\($0)" } + ["PCM-7b", "PCM-12", "PCM-13", "PCM-14"]
            ),
            (accessories, 37, ["PCM-3"] + (9...14).map { "PCM-\($0)" }),
        ])
    func referencePasses(suite: String, caseCountMin: Int, requirements: [String]) throws {
        let run = try JudgedRun(suite, ["--tag", "!long"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        // The reference app does not pair.
        let skipped = run.results.verdicts.filter { $0.value == "skipped" }.map(\.key)
        #expect(skipped == (suite == accessories ? [] : ["activation-needs-pairing"]))
        #expect(run.results.verdicts.values.allSatisfy { ["pass", "skipped"].contains($0) })
        #expect(run.results.verdicts.count >= caseCountMin)
        #expect(run.results.passedRequirements.isSuperset(of: requirements))
        try run.expectSameOffline()
    }

    @Test(
        "An app passes only if it waits for an answer in the last second, at time scale 10",
        arguments: [nil, "does-without-late-answers"])
    func lastSecond(mutant: String?) throws {
        let testCase = "answer-of-the-last-second"
        let run = try JudgedRun(
            suite,
            ["--case", testCase, "--time-scale", "10"]
                + (mutant.map { ["--device", "reference:\($0)"] } ?? []))
        let verdict = mutant == nil ? "pass" : "fail"
        #expect(run.results.verdicts == [testCase: verdict], "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test(
        "An app with habits that no document forbids passes every case",
        arguments: [suite, accessories])
    func habits(suite: String) throws {
        let profile = TemporaryFolder.lasting() + "/profile.yaml"
        let habits =
            "read-names,small-pdus,read-twice,accept-list,scan-anew,scan-passively,report-again,"
            + "wait-briefly"
        try """
        name: habits
        role: profile.app
        launch: [\(ConformProgram.folder)/conform-device, profile-app, --habit, "\(habits)",
          --host, "${host}", --port, "${port}", --config, "${config}",
          --report, "${report.host}:${report.port}", --bus, "${bus.host}:${bus.port}"]
        features: [profile.reports, profile.manual, profile.monitor, profile.retrieve, profile.gatt,
          profile.iap, profile.bus]
        controls: {scan: stdin, stopScan: stdin, retrieve: stdin, monitor: stdin, stopMonitoring: stdin,
          instantiate: stdin, make: stdin, activate: stdin, deactivate: stdin, send: stdin, system.connect: stdin, stop: stdin}
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let run = try JudgedRun(suite, ["--device", profile, "--tag", "!long"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        let skipped = run.results.verdicts.filter { $0.value != "pass" }.map(\.key)
        let isKnown = skipped.allSatisfy {
            $0.hasSuffix("scan-response-is-reported") || $0 == "activation-needs-pairing"
        }
        #expect(isKnown, "\(skipped)")
    }

    @Test(
        "A mutant fails the accessory case of its requirement, live and offline",
        arguments: [
            (
                "compares-strings-loosely", "accessory-without-the-string-is-not-eligible*",
                "PCM-11", "profile.discovered came"
            ),
            ("opens-first-string", "session-is-opened-under-the-string*", "PCM-11", "ea.open"),
            ("cuts-at-twenty", "exchange-in-a-session[carrier=rfcomm*", "PCM-13", "ea.data"),
            ("cuts-at-twenty", "exchange-in-a-session[carrier=bus*", "PCM-13", "ea.data"),
            (
                "stays-active-after-loss", "lost-session-of-the-bus-makes-inactive*", "PCM-14",
                "profile.inactive"
            ),
        ])
    func mutantWithAccessories(
        name: String, testCase: String, requirement: String, words: String
    ) throws {
        let run = try JudgedRun(
            accessories, ["--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        #expect(run.results.failedRequirements.contains(requirement))
        try run.expectSameOffline()
    }

    @Test(
        "A mutant fails the case of its requirement with the right words, live and offline",
        arguments: [
            ("scans-before-available", "scan-waits-for-availability", "PCM-1", "le.scan"),
            (
                "matches-service-data", "other-advertisement-is-not-reported*", "PCM-2",
                "profile.discovered came"
            ),
            ("connects-on-discovery", "discovery-opens-nothing", "PCM-3", "le.connect came"),
            (
                "reports-success-before-read", "activation-in-order*", "PCM-4",
                "profile.activated"
            ),
            (
                "takes-late-answer-for-next", "late-answer-belongs-to-its-request", "PCM-4",
                "profile.activated came"
            ),
            (
                "keeps-link-on-deactivation", "deactivation-reverses-activation", "PCM-7",
                "le.disconnect"
            ),
            ("manual-connects", "manual-object-without-link-fails", "PCM-8", "le.connect"),
            ("crashes-on-loss", "lost-link-makes-inactive*", "PCM-14", "crash"),
        ])
    func mutant(name: String, testCase: String, requirement: String, words: String) throws {
        let run = try JudgedRun(suite, ["--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        #expect(run.results.failedRequirements.contains(requirement))
        try run.expectSameOffline()
    }

    @Test(
        "An export as link type 201, with the app's reports and the bus, gives the live verdict",
        arguments: [
            (suite, "reports-success-before-read", "activation-in-order[le=minimal]"),
            (suite, "reports-every-advertisement", "three-devices-two-match"),
            (accessories, "cuts-at-twenty", "exchange-in-a-session[carrier=rfcomm,size=long]"),
        ])
    func exportedMutant(suite: String, mutant: String, testCase: String) throws {
        let run = try JudgedRun(suite, ["--case", testCase, "--device", "reference:\(mutant)"])
        #expect(run.results.verdicts.map(\.value) == ["fail"], "\(run.outcome.output)")
        let offline = try Self.exported(run, testCase)
        #expect(offline.verdicts == run.results.verdicts, "\(offline.summaries)")
        #expect(offline.failedRequirements == run.results.failedRequirements)
    }

    @Test(
        "Each case gives its live verdict from its export as link type 201",
        arguments: [suite, accessories, "Suites/profile-peripheral.yaml"])
    func exported(suite: String) throws {
        let run = try JudgedRun(suite, ["--tag", "!long"])
        // There is no HCI packet for the host's connection to its controller, and none that says
        // that the harness let a link fail.
        let isUnseen = [
            "scan-waits-for-availability", "scan-after-power-on",
            "link-that-does-not-come-about-fails-the-activation[answer=fail]",
        ]
        // What an exploration drew is in the capture of `run`, not in its export.
        for (name, verdict) in run.results.verdicts.sorted(by: { $0.key < $1.key })
        where verdict != "skipped" && !name.contains("seed=") {
            let offline = try Self.exported(run, name)
            let live = isUnseen.contains(name) ? "inconclusive" : verdict
            #expect(offline.verdicts == [name: live], "\(offline.summaries)")
        }
    }

    @Test("An export in which the air broke the link is not a failure of the app")
    func airFault() throws {
        let lost = "link-lost-while-activating"
        let run = try JudgedRun(suite, ["--case", lost])
        #expect(run.results.verdicts == [lost: "pass"], "\(run.outcome.output)")
        let other = "activation-in-order[le=minimal]"
        let offline = try Self.exported(run, lost, by: other)
        #expect(offline.verdicts == [other: "inconclusive"])
        let text = offline.summaries[other] ?? ""
        #expect(text.contains("the air broke a link (reason 8)"), "\(text)")
    }

    /// Exports the capture of a case, and returns the results of that case or another one on it.
    private static func exported(
        _ run: JudgedRun, _ testCase: String, by other: String? = nil
    ) throws -> Results {
        let capture = try #require(run.results.captureOf[testCase])
        let exported = TemporaryFolder.lasting() + "/hci.pcapng"
        let export = try ConformProgram.run(
            ["decode", "\(run.folder)/\(capture)", "--export", exported])
        #expect(export.status == 0, "\(export.errors)")
        let reports = TemporaryFolder.lasting() + "/checked"
        _ = try ConformProgram.run(
            [
                "check", run.suite, exported, "--case", other ?? testCase, "--reports", reports,
            ])
        return try Results(reports)
    }
}
