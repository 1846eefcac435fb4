import Testing

@testable import SuiteLanguage

/// The advice of findings for the most frequent mistakes.
struct AdviceTests {
    @Test(
        "A mistake in a step is reported with what to write",
        arguments: [
            ("- expect: StartService", #"did you mean "sdl.StartService"?"#),
            (
                "- expect: Show",
                #"did you mean "sdl.Show.errorResponse" or "sdl.Show.request" or "sdl.Show.response"?"#
            ),
            (
                "- expect: sdl.Show.request\n  where: {mainField1: a}",
                #"did you mean "params.mainField1"?"#
            ),
            (
                "- expect: sdl.Show.request\n  where: {params.mainField1: {contians: a}}",
                #"did you mean "contains"?"#
            ),
            (
                "- expect: sdl.OnHMIStatus.notification\n  where: {params.xyzzy: a}",
                "there are: params.hmiLevel, params.audioStreamingState, params.systemContext, "
                    + "params.videoStreamingState, params.windowID; "
                    + "conform fields sdl.OnHMIStatus.notification lists all"
            ),
            (
                "- expect: sdl.RegisterAppInterface.request\n"
                    + "  where: {params.languageDesired: Deutsch}",
                "write one of its values: EN-US, ES-MX, FR-CA, ..."
            ),
            (
                "- expect: sdl.StartService\n  within: 2",
                "write a number and a unit: 100us, 200ms, 1.5s, 2m or 1h"
            ),
            (
                "- expect: sdl.Show.request\n  where: {params.mainField1: ${text}}",
                #"close the mapping, or put what has [, ], { or } in quotes: "${text}""#
            ),
            (
                "- expect: sdl.Show.request\n  where: {params.mainField1: {in: [a, ${one}]}}",
                #"close the list, or put what has [, ], { or } in quotes: "${one}""#
            ),
            ("- do hu.close", "write a colon and a blank after the key: do: hu.close"),
            (
                "- expect:sdl.Show.request",
                "write a colon and a blank after the key: expect: sdl.Show.request"
            ),
            ("- expect: sdl.StartService\n  within: -5s", "durations are not negative"),
            (
                "- expect: sdl.StartService\n  within: 900000h",
                "the longest duration is 10000h, the shortest part of one is 1ns"
            ),
            (
                "- expect: sdl.StartService\n  within: .5s",
                "write a number and a unit: 100us, 200ms, 1.5s, 2m or 1h"
            ),
            (
                "- expect: sdl.Shwo",
                #"did you mean "sdl.Show.errorResponse" or "sdl.Show.request" or "sdl.Show.response"?"#
            ),
            ("- expect: \"sdl.StartService", "close the quotes"),
            (
                "- {expect: sdl.StartService, note: It asks, and gets it}",
                "a text with a comma needs quotes inside { }"
            ),
        ])
    func steps(lines: String, advice: String) {
        let found = SuiteFixture.findings(SuiteFixture.suite(steps: lines)).map(\.advice)
        #expect(found == [advice])
    }

    @Test(
        "A file of another kind is one error that says what it is and what reads it",
        arguments: [
            (SuiteFixture.catalogue, "a catalogue of requirements", "\"requirements\""),
            ("name: a\nrole: sdl.app\nlaunch: ./a\n", "a device profile", "--device"),
            ("conform: 1\nsuites: a\njobs: 2\n", "a project file", "by itself"),
            ("conform-known-failures: 1\nentries: []\n", "a list of known failures", "--known"),
            ("conform-protocol: 1\nprotocol: a\n", "a description of a protocol", "\"protocols\""),
            ("conform-log: 1\ntime: a\n", "a log format", "--log-format"),
        ])
    func otherFiles(text: String, kind: String, use: String) {
        for (wanted, findings) in [
            ("a suite", SuiteFixture.findings(text)),
            (
                "an included file",
                SuiteFixture.findings(
                    "include: [other.yaml]\n" + SuiteFixture.suite(steps: "- wait: 1s"),
                    files: ["other.yaml": text]
                ).filter { $0.position?.file == "other.yaml" }
            ),
        ] {
            #expect(findings.map(\.what) == ["this is \(kind), not \(wanted)"])
            #expect(findings.first?.advice.contains(use) == true, "\(findings)")
        }
    }

    @Test("A suite in place of a catalogue is one error, and its requirements are not unknown too")
    func suiteAsCatalogue() {
        let text = SuiteFixture.suite(steps: "- expect: sdl.StartService")
        let findings = SuiteFixture.findings(text, files: ["catalogue.yaml": text])
        #expect(findings.map(\.what) == ["this is a suite, not a catalogue of requirements"])
    }

    @Test(
        "A setting that is a mapping names its keys, and a number in place of a word needs quotes",
        arguments: [
            (
                "true",
                "write {certificate: ...}; its keys are certificate, versions, "
            ),
            ("{versions: [1.2]}", "put it in quotes"),
            ("{versions: \"1.2\"}", #"write ["1.0"]"#),
        ])
    func settings(tls: String, advice: String) {
        let findings = SuiteFixture.findings(
            """
            conform: 1
            suite: made-up
            requirements: [catalogue.yaml]
            device: {role: sdl.app}
            peers:
              hu: {is: sdl.head-unit, tls: \(tls)}
            cases:
              - {id: one, checks: [A-1], steps: [{expect: sdl.StartService}]}
            """)
        #expect(findings.map(\.code) == ["bad-setting"])
        #expect(findings.allSatisfy { $0.advice.hasPrefix(advice) })
    }

    @Test(
        "A text or a list in place of a mapping is reported with what the mapping has",
        arguments: [
            ("device: {role: sdl.app}", "device: sdl.app", "write {role: sdl.app}"),
            (
                "peers:\n  hu: {is: sdl.head-unit}", "peers:\n  - hu: {is: sdl.head-unit}",
                "write the names without \"- \""
            ),
            ("peers:\n  hu: {is: sdl.head-unit}", "peers: hu", "write peers: {PEER: {is: KIND}}"),
            (
                "cases:\n", "defaults: 5s\ncases:\n",
                "write {within: 5s}; its keys are within, tolerance, unexpected, violations, quiet, "
                    + "timeout"
            ),
            (
                "cases:\n", "cases:\n  - two\n",
                "write {id: NAME, steps: [...]}; its keys are id, title, checks, tags, needs, each, "
                    + "combine, exclude, devices, given, preamble, steps and 8 more"
            ),
            (
                "    steps:", "    never: [1]\n    steps:",
                "write {message: MESSAGE}; its keys are message, from, where, on, moreThan, within, "
                    + "checks, since, after"
            ),
            ("{expect: sdl.StartService}", "expect", "it has one of expect, collect, send, do, "),
        ])
    func mappings(good: String, bad: String, advice: String) {
        let findings = Self.findings(replacing: good, with: bad)
        #expect(findings.map(\.code) == ["wrong-type"], "\(findings)")
        #expect(findings.first?.advice.hasPrefix(advice) == true, "\(findings)")
    }

    @Test(
        "A key in the wrong place is reported with where it belongs",
        arguments: [
            ("cases:\n", "stream: {until: a}\ncases:\n", "belongs in the settings of a peer"),
            ("cases:\n", "within: 3s\ncases:\n", "belongs in a step, a \"defaults\" mapping or "),
            ("cases:\n", "matrix: {a: [1]}\ncases:\n", "a case has \"each\""),
            ("    steps:", "    matrix: {a: [1]}\n    steps:", "a case has \"each\""),
            ("    steps:", "    use: x\n    steps:", "- use: NAME"),
            ("    steps:", "    repeat: 3\n    steps:", "- repeat: {times: 3"),
            (
                "    steps:", "    never: [{message: sdl.Show.request, since: x}]\n    steps:",
                "no step that could be meant has an id; give it one: id: x"
            ),
            ("conform: 1", "conform: \"1\"", "write conform: 1, without quotes"),
        ])
    func places(good: String, bad: String, advice: String) {
        let findings = Self.findings(replacing: good, with: bad)
        #expect(findings.count == 1, "\(findings)")
        #expect(findings.first?.advice.contains(advice) == true, "\(findings)")
    }

    @Test(
        "What follows from an error is not reported too",
        arguments: [
            ("sdl.StartService", "sdl.StartServic", "unknown-message"),
            ("expect: sdl.StartService", "exect: sdl.StartService", "no-verb"),
            ("hu: {is: sdl.head-unit}", "hu: {is: sdl.head}", "unknown-peer-kind"),
            ("hu: {is: sdl.head-unit}", "hu: sdl.head-unit", "wrong-type"),
        ])
    func consequences(good: String, bad: String, code: String) {
        let suite = SuiteFixture.suite(
            case: "unexpected: allow\nsteps:\n  - expect: sdl.StartService\n  - do: hu.close")
        let findings = Self.findings(replacing: good, with: bad, in: suite)
        #expect(findings.map(\.code) == [code], "\(findings)")
    }

    /// Returns the findings of a suite after a replacement.
    private static func findings(
        replacing good: String, with bad: String,
        in suite: String = SuiteFixture.suite(steps: "- {expect: sdl.StartService}")
    ) -> [Diagnostic] {
        SuiteFixture.findings(suite.replacing(good, with: bad))
    }
}
