import Testing
import Wire

@testable import SuiteLanguage

/// Devices in addition to the one that every case has.
struct DeviceDeclarationTests {
    @Test("A further device is configured, named by steps and rules, and controlled")
    func declared() throws {
        let testCase = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                case: """
                    devices: {second: {role: sdl.app}}
                    given: {device: {name: One}, second: {name: Two}, hu: {language: DE-DE}}
                    steps:
                      - {expect: sdl.Show.request}
                      - {expect: sdl.Show.request, from: second}
                      - {send: sdl.Show.response, to: device}
                      - {do: second.background}
                    never: [{message: sdl.Alert.request, from: second}]
                    """))
        #expect(testCase.deviceNames == ["device", "second"])
        #expect(testCase.deviceConfiguration["name"] == "One")
        #expect(testCase.devices.first?.configuration["name"] == "Two")
        guard case .send(_, _, let answered) = testCase.steps[2].verb,
            case .perform(let action) = testCase.steps[3].verb
        else {
            Issue.record("other verbs")
            return
        }
        #expect(answered == 0)
        #expect(action.party == "second")
    }

    @Test(
        "What is not a further device is reported",
        arguments: [
            "devices: {⟦bad-name⟧device: {role: sdl.app}}\nsteps: [{expect: sdl.Show.request}]",
            "devices: {⟦bad-name⟧hu: {role: sdl.app}}\nsteps: [{expect: sdl.Show.request}]",
            "devices: {second: {role: ⟦bad-value⟧other}}\nsteps: [{expect: sdl.Show.request}]",
            "steps: [{expect: sdl.Show.request, from: ⟦unknown-party⟧second}]",
            "given: {⟦unknown-party⟧second: {}}\nsteps: [{expect: sdl.Show.request}]",
        ])
    func broken(_ lines: String) {
        let marked = MarkedText(SuiteFixture.suite(case: lines))
        let findings = SuiteFixture.findings(marked.text)
        #expect(
            Set(SuiteFixture.places(findings)).isSuperset(of: marked.expected),
            "\(findings.map(\.description))")
    }
}
