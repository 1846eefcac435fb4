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

    @Test("A file of another kind is reported as what it is")
    func otherFiles() {
        let catalogue = SuiteFixture.findings(SuiteFixture.catalogue)
        #expect(catalogue.map(\.what) == ["this is a catalogue of requirements, not a suite"])
        let profile = SuiteFixture.findings("name: a\nrole: sdl.app\nlaunch: ./a\n")
        #expect(profile.map(\.what) == ["this is a device profile, not a suite"])
    }
}
