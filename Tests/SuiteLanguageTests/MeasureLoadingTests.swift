import Testing

@testable import SuiteLanguage

struct MeasureLoadingTests {
    private static let steps =
        "steps: [{expect: sdl.StartService, id: a}, {expect: sdl.Show.request, id: b}]\n"

    @Test("A time and a count are read")
    func measures() throws {
        let text = SuiteFixture.suite(
            case: Self.steps
                + "measure: [{name: way, from: a, to: b}, "
                + "{name: shows, count: sdl.Show.request, to: b}]")
        let suite = try SuiteFixture.load(text)
        #expect(
            suite.cases.first?.measures == [
                Measure(name: "way", quantity: .time(from: "a"), to: "b"),
                Measure(name: "shows", quantity: .count("sdl.Show.request", from: nil), to: "b"),
            ])
    }

    @Test(
        "Each mistake in a measurement is reported at its place",
        arguments: [
            "measure: [⟦missing-key⟧{name: way, to: b}]",
            "measure: [⟦missing-key⟧{from: a, to: b}]",
            "measure: [⟦missing-key⟧{name: way, from: a}]",
            "measure: [{name: way, from: ⟦unknown-step⟧c, to: b}]",
            "measure: [{name: way, from: a, to: ⟦unknown-step⟧c}]",
            "measure: [{name: way, count: ⟦unknown-message⟧sdl.Shwo, to: b}]",
            "measure: [{name: way, from: a, to: b, ⟦unknown-key⟧within: 1s}]",
            "measure: [{name: way, from: a, to: b}, ⟦duplicate-id⟧{name: way, from: a, to: b}]",
        ])
    func broken(lines: String) { expectFindings(SuiteFixture.suite(case: Self.steps + lines)) }
}

struct JudgedRequirementsTests {
    private static func suite(_ judges: String) -> String {
        """
        conform: 1
        suite: s
        requirements: [catalogue.yaml]
        judges: \(judges)
        device: {role: sdl.app}
        cases: [{id: c, checks: [A-1], steps: [{expect: sdl.StartService}]}]
        """
    }

    @Test("A suite that lists its requirements has only those")
    func judged() throws {
        let suite = try SuiteFixture.load(Self.suite("[A-1]"))
        #expect(suite.requirements.map(\.id) == ["A-1"])
        #expect(suite.warnings.isEmpty)
    }

    @Test("A suite can list only requirements that a catalogue has")
    func unknown() {
        expectFindings(Self.suite("[A-1, ⟦unknown-requirement⟧A-7]"))
    }
}

private func expectFindings(_ marked: String) {
    let marked = MarkedText(marked)
    let found = SuiteFixture.findings(marked.text)
    #expect(
        SuiteFixture.places(found) == marked.expected,
        "\(found.map(\.description).joined(separator: "\n"))")
}
