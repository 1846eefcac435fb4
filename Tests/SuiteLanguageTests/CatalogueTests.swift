import Testing

@testable import SuiteLanguage

/// The basis of the requirements in a catalogue, and the ways to break them.
struct CatalogueTests {
    private func suite(_ lines: String) throws -> Suite {
        let text = SuiteFixture.catalogue.replacing(
            "{section: \"1\", text: The device does it.}",
            with: "{text: The device does it., \(lines)}")
        return try SuiteFixture.load(
            SuiteFixture.suite(steps: "- expect: sdl.StartService"),
            files: ["catalogue.yaml": text])
    }

    private func requirement(_ lines: String) throws -> Requirement {
        try #require(try suite(lines).requirements.first)
    }

    private func findings(_ lines: String) -> [String] {
        do {
            _ = try requirement(lines)
            return []
        } catch let error as InvalidInput {
            return error.diagnostics.map(\.code)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("A requirement is quoted, derived or ours")
    func bases() throws {
        #expect(
            try requirement("quote: does it").basis
                == RequirementBasis(kind: .document, text: "does it"))
        #expect(
            try requirement("derived: the log").basis
                == RequirementBasis(kind: .derived, text: "the log"))
        #expect(
            try requirement("ours: prudence").basis
                == RequirementBasis(kind: .ours, text: "prudence"))
        #expect(try requirement("wire: x").basis == nil)
        #expect(findings("quote: does it, ours: prudence") == ["bad-value"])
    }

    @Test("Ways list the cases that would notice them, as suite/case; a way without cases is open")
    func ways() throws {
        let lines = "ways: {not at all: [a/b, \"c/d*\"], late: a/e, never: []}"
        let ways = try #require(try suite(lines).ways["A-1"])
        #expect(ways.map(\.text) == ["not at all", "late", "never"])
        #expect(ways.map(\.cases) == [["a/b", "c/d*"], ["a/e"], []])
        #expect(findings("ways: {late: somewhere}") == ["bad-value"])
    }
}
