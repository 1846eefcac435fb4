import Testing
import Wire

@testable import SuiteLanguage

struct IncludeTests {
    private static let steps = "steps: [{expect: sdl.Show.request}]"

    private static func suite(including files: String, more: String = "") -> String {
        SuiteFixture.suite(case: steps)
            .replacing("cases:", with: "\(more)include: [\(files)]\ncases:")
    }

    @Test("An included file provides peers, variables, defaults and harmless messages")
    func shared() throws {
        let suite = try SuiteFixture.load(
            Self.suite(
                including: "common/a.yaml",
                more: "variables: {b: mine}\ndefaults: {quiet: 2s}\nignore: [sdl.HeartbeatACK]\n"
            ).replacing("hu: {is: sdl.head-unit}", with: "hu: {language: DE-DE}")
                .replacing("checks: [A-1]", with: "checks: [A-1]\n    title: ${a} ${b}"),
            files: [
                "common/a.yaml": """
                include: [b.yaml]
                peers: {hu: {is: sdl.head-unit, language: EN-US, mtu: 99}}
                variables: {a: A, b: B}
                defaults: {quiet: 1s, within: 7s}
                ignore: [sdl.Heartbeat]
                """,
                "common/b.yaml": "conform: 1\nignore: [{message: sdl.Show.*, from: hu}]",
            ])
        let one = try #require(suite.cases.first)
        #expect(suite.warnings == [])
        #expect(one.title == "A mine")
        #expect(one.peers.map(\.settings) == [["language": "DE-DE", "mtu": 99]])
        #expect(one.ignore.map(\.message) == ["sdl.Show.*", "sdl.Heartbeat", "sdl.HeartbeatACK"])
        #expect(one.ignore[0].position.file == "common/b.yaml")
        #expect(one.quiet == .seconds(2) && one.steps[0].within == .seconds(7))
    }

    @Test("A file that includes itself through another is refused")
    func cycle() {
        let findings = SuiteFixture.findings(
            Self.suite(including: "a.yaml"),
            files: ["a.yaml": "include: [./x/../b.yaml]", "b.yaml": "include: [a.yaml]"])
        #expect(
            findings.map(\.description) == [
                "b.yaml:1:11: error: \"a.yaml\" includes itself; "
                    + "it does so through suite.yaml, a.yaml, b.yaml [include-cycle]"
            ])
    }

    @Test("A file that is included twice counts once")
    func diamond() throws {
        let suite = try SuiteFixture.load(
            Self.suite(including: "a.yaml, b.yaml"),
            files: [
                "a.yaml": "include: [c.yaml]", "b.yaml": "include: [c.yaml]",
                "c.yaml": "ignore: [sdl.Heartbeat]",
            ])
        #expect(suite.cases.first?.ignore.count == 1)
    }

    @Test("A file that is not next to the suite is searched on the search path")
    func searchPath() throws {
        let text = Self.suite(including: "a.yaml")
        let files = ["shared/a.yaml": "ignore: [sdl.Heartbeat]"]
        let suite = try SuiteFixture.load(text, files: files, searchPath: ["other", "shared"])
        #expect(suite.cases.first?.ignore.count == 1)
        let findings = SuiteFixture.findings(text, files: files)
        #expect(SuiteFixture.places(findings) == ["7:11:file-not-found"])
    }

    @Test("An included file has no cases of its own and no unknown keys")
    func misplaced() {
        let marked = MarkedText("⟦misplaced-key⟧cases: []\n⟦unknown-key⟧ignored: []")
        let findings = SuiteFixture.findings(
            Self.suite(including: "a.yaml"), files: ["a.yaml": marked.text])
        #expect(SuiteFixture.places(findings) == marked.expected)
    }

    @Test("Errors of all files are reported together")
    func allErrors() {
        let findings = SuiteFixture.findings(
            Self.suite(including: "a.yaml").replacing("sdl.Show.request", with: "sdl.Sho.request"),
            files: ["a.yaml": "ignore: [sdl.Hartbeat]"])
        #expect(
            findings.map { "\($0.position?.file ?? "") \($0.code)" }
                == ["a.yaml unknown-message", "suite.yaml unknown-message"])
    }
}
