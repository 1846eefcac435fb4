import Testing
import Wire

@testable import SuiteLanguage

struct FragmentTests {
    /// Returns a suite with fragments and one case with these steps.
    static func suite(_ fragments: String, steps: String, more: String = "") -> String {
        let indented = fragments.split(separator: "\n").map { "  \($0)\n" }.joined()
        return SuiteFixture.suite(steps: steps)
            .replacing("cases:", with: "\(more)fragments:\n\(indented)cases:")
    }

    private static let registration = """
        registration:
          text: The app registers.
          arguments: {language: {}, limit: {default: 2s, text: How long}}
          steps:
            - expect: sdl.RegisterAppInterface.request
              id: asked
              where: {params.languageDesired: "${language}"}
              save: {app: params.appID}
            - expect: sdl.Show.request
              where: {params.mainField1: "${app}"}
              within: ${limit}
              since: asked
        """

    @Test("A fragment is replaced by its steps, with arguments and defaults filled in")
    func steps() throws {
        let one = try SuiteFixture.onlyCase(
            Self.suite(
                Self.registration + "\nbeat: [{expect: sdl.Heartbeat}]",
                steps: """
                    - use: beat
                      note: Alive
                    - use: registration
                      with: {language: DE-DE}
                    - expect: sdl.Alert.request
                      since: asked
                      where: {params.alertText1: "${app}"}
                    """))
        #expect(
            one.steps.map(\.suiteText) == [
                "expect: sdl.Heartbeat {within: 5s}",
                "expect: sdl.RegisterAppInterface.request {id: asked, "
                    + "where: {params.languageDesired: DE-DE}, save: {app: params.appID}, within: 5s}",
                "expect: sdl.Show.request {where: {params.mainField1: \"${app}\"}, within: 2s, "
                    + "since: asked}",
                "expect: sdl.Alert.request {where: {params.alertText1: \"${app}\"}, within: 5s, "
                    + "since: asked}",
            ])
        #expect(one.steps[0].note == "Alive")
        #expect(
            one.steps.map { $0.uses.map(\.fragment) } == [
                ["beat"], ["registration"], ["registration"], [],
            ])
        #expect(one.steps.map(\.position.line) == [20, 12, 16, 29])
        #expect(one.steps[2].uses[0].position.line == 27)
    }

    @Test("Two uses with ids have separate steps and saved variables")
    func twice() throws {
        let one = try SuiteFixture.onlyCase(
            Self.suite(
                Self.registration,
                steps: """
                    - use: registration
                      id: first
                      with: {language: DE-DE}
                    - use: registration
                      id: again
                      with: {language: FR-CA, limit: 1s}
                    - expect: sdl.Alert.request
                      since: first.asked
                      where: {params.alertText1: "${first.app} ${again.app}"}
                    """))
        #expect(one.steps.compactMap(\.id) == ["first.asked", "again.asked"])
        #expect(one.steps.compactMap(\.since) == ["first.asked", "again.asked", "first.asked"])
        #expect(one.steps[3].conditions.map(\.matcher.suiteText) == ["\"${again.app}\""])
        #expect(
            one.steps[4].conditions[0].matcher.matches(
                "1 2", bindings: ["first.app": "1", "again.app": "2"]))
    }

    @Test("Fragments can be used in each other, in groups and in the preamble")
    func nesting() throws {
        let suite = try SuiteFixture.load(
            Self.suite(
                """
                inner: {arguments: {n: }, steps: [{expect: sdl.Show.request, id: shown, where: {rpc.correlation_id: "${n}"}}]}
                outer: {arguments: {n: {default: 1}}, steps: [{use: inner, id: in, with: {n: "${n + 1}"}}, {expect: sdl.Alert.request, since: in.shown}]}
                """,
                steps: """
                    - either: [{use: outer, id: a}, [{expect: sdl.Heartbeat}, {use: outer, id: b, with: {n: 5}}]]
                    - repeat: {times: 2, steps: [{use: inner, with: {n: 9}}]}
                    """
            ).replacing("    steps:", with: "    preamble: [{use: outer}]\n    steps:"))
        let one = try #require(suite.cases.first)
        #expect(suite.warnings == [])
        #expect(one.preamble.map(\.id) == ["in.shown", nil])
        #expect(
            one.steps.plain.compactMap(\.id) == ["a.in.shown", "b.in.shown", "shown"])
        #expect(
            one.steps.plain.flatMap(\.conditions).map(\.matcher.suiteText) == ["2", "6", "9"])
        #expect(one.steps.plain[0].uses.map(\.fragment) == ["inner", "outer"])
    }

    @Test("Saved values are passed as arguments, whole and in parts")
    func lateArguments() throws {
        let one = try SuiteFixture.onlyCase(
            Self.suite(
                """
                show:
                  arguments: {text: , parts: {default: {a: "${text}", b: [1, 2]}}}
                  steps:
                    - expect: sdl.Show.request
                      where: {params.mainField1: "${upper(text)}", params.mainField2: "${parts.a}", params.mainField3: "x${parts.b[1]}"}
                """,
                steps: """
                    - expect: sdl.RegisterAppInterface.request
                      save: {app: params.appID}
                    - use: show
                      with: {text: "${app}!"}
                    """))
        let matchers = one.steps[1].conditions.map(\.matcher)
        let bindings: [String: Value] = ["app": "ab"]
        #expect(matchers[0].matches("AB!", bindings: bindings))
        #expect(matchers[1].matches("ab!", bindings: bindings))
        #expect(matchers[2].matches("x2"))
    }

    @Test("A fragment of the suite overrides an included one of the same name")
    func included() throws {
        let text = Self.suite("a: [{wait: 1s}, {use: b}]", steps: "- use: a")
            .replacing("cases:", with: "include: [more.yaml]\ncases:")
        let files = [
            "more.yaml":
                "fragments: {a: [{wait: 2s}], b: [{expect: sdl.Show.request}], c: [{wait: 1s}]}"
        ]
        let suite = try SuiteFixture.load(text, files: files)
        #expect(suite.warnings == [])
        let steps = try #require(suite.cases.first).steps
        #expect(steps.map(\.suiteText) == ["wait: 1s", "expect: sdl.Show.request {within: 5s}"])
        #expect(steps[1].position.file == "more.yaml")
    }

    @Test("A finding has the line in the fragment and where it is used, once for all uses")
    func positions() {
        let text = Self.suite(
            """
            a: [{use: b}]
            b: [{expect: sdl.Shwo.request}]
            """, steps: "- use: a\n- use: a\n- use: b")
        #expect(
            SuiteFixture.findings(text).map(\.description) == [
                "suite.yaml:9:16: error: there is no message \"sdl.Shwo.request\" "
                    + "(used at suite.yaml:8:13, used at suite.yaml:14:14); "
                    + "did you mean \"sdl.Show.request\"? [unknown-message]"
            ])
    }

    static let broken: [(fragments: String, steps: String)] = [
        ("a: [{use: ⟦fragment-cycle⟧a}]", "- use: a"),
        ("a: [{use: b}]\nb: [{optional: [{use: ⟦fragment-cycle⟧a}]}]", "- use: a"),
        ("a: [{wait: 1s}]", "- use: ⟦unknown-fragment⟧b"),
        ("a: [{expect: sdl.Show.request}]\n⟦unused-fragment⟧b: [{wait: 1s}]", "- use: a"),
        ("⟦empty-steps⟧a: []\nb: [{wait: 1s}]", "- use: b"),
        ("a: ⟦wrong-type⟧1\nb: [{wait: 1s}]", "- use: b"),
        ("a: ⟦missing-key⟧{text: x}\nb: [{wait: 1s}]", "- use: b"),
        ("a: {⟦unknown-key⟧step: [], steps: [{wait: 1s}]}", "- use: a"),
        ("⟦bad-name⟧a b: [{wait: 1s}]\nb: [{wait: 1s}]", "- use: b"),
        ("a: {arguments: {⟦bad-name⟧1: }, steps: [{wait: 1s}]}", "- use: a"),
        ("a: {arguments: {x: ⟦wrong-type⟧1}, steps: [{wait: 1s}]}", "- use: a"),
        (
            "a: {arguments: {⟦unused-argument⟧x: }, steps: [{expect: sdl.Show.request}]}",
            "- use: a\n  with: {x: 1}"
        ),
        ("a: {arguments: {x: }, steps: [{wait: \"${x}s\"}]}", "- use: ⟦missing-argument⟧a"),
        (
            "a: {arguments: {x: }, steps: [{wait: \"${x}s\"}]}",
            "- use: a\n  with: {x: 1, ⟦unknown-argument⟧y: 1}"
        ),
        (
            "a: {arguments: {x: }, steps: [{wait: \"${x}s\"}]}",
            "- use: a\n  with: {x: ⟦unknown-variable⟧\"${z}\"}"
        ),
        ("a: [{wait: ⟦unknown-variable⟧\"${x}s\"}]", "- use: a"),
        (
            "a: [{wait: 1s, id: s}]",
            "- use: a\n- expect: sdl.Show.request\n  since: ⟦unknown-step⟧t"
        ),
        (
            "a: [{expect: sdl.Show.request, since: ⟦unknown-step⟧s}]",
            "- wait: 1s\n  id: s\n- use: a"
        ),
        ("a: [{wait: 1s, id: ⟦duplicate-id⟧s}]", "- use: a\n- use: a"),
        ("a: [{wait: 1s}]", "- use: a\n  ⟦misplaced-key⟧within: 1s"),
        ("a: [{wait: 1s}]", "- use: a\n  ⟦two-verbs⟧wait: 1s"),
        ("a: [{wait: 1s}]", "- use: ⟦wrong-type⟧{fragment: a}"),
        (
            "a: [{wait: 1s, id: s}]",
            "- use: a\n  id: u\n- expect: sdl.Show.request\n  since: ⟦unknown-step⟧s"
        ),
    ]

    @Test("Each mistake with fragments is reported at its place", arguments: 0..<broken.count)
    func mistakes(index: Int) {
        let marked = MarkedText(
            Self.suite(Self.broken[index].fragments, steps: Self.broken[index].steps))
        let found = SuiteFixture.findings(marked.text).filter {
            $0.code != "unused-fragment" || marked.expected.joined().contains("unused-fragment")
        }.filter { $0.code != "cannot-fail" }
        #expect(
            SuiteFixture.places(found) == marked.expected,
            "\(found.map(\.description).joined(separator: "\n"))")
    }

    @Test("A fragment that would hide a variable of the case is reported")
    func hidden() {
        let text = Self.suite(
            "a: [{expect: sdl.Show.request, save: {x: params.mainField1}}]",
            steps: "- use: a\n- use: a\n  id: x")
        let each = text.replacing(
            "    steps:", with: "    each: {x: [p]}\n    title: ${x}\n    steps:")
        #expect(
            SuiteFixture.findings(each).map(\.advice) == [
                "give the use an \"id\", so that it saves \"id.x\"", "choose another \"id\"",
            ])
        #expect(SuiteFixture.findings(text).map(\.description) == [])
    }

    @Test("Uses that grow without bound are refused")
    func bounds() {
        let doubling = (0..<14).map { "f\($0): [{use: f\($0 + 1)}, {use: f\($0 + 1)}]" }
        let text = Self.suite(
            (doubling + ["f14: [{expect: sdl.Show.request}]"]).joined(separator: "\n"),
            steps: "- use: f0")
        #expect(SuiteFixture.findings(text).contains { $0.code == "fragment-limit" })
        let chain = (0..<20).map { "f\($0): [{use: f\($0 + 1)}]" }
        let deep = Self.suite(
            (chain + ["f20: [{expect: sdl.Show.request}]"]).joined(separator: "\n"),
            steps: "- use: f0")
        #expect(SuiteFixture.findings(deep).contains { $0.code == "fragment-limit" })
    }

    @Test("A fragment sees the suite's variables and its arguments, not those of the case")
    func visibility() {
        let text = Self.suite(
            "a: [{expect: sdl.Show.request, where: {params.mainField1: \"${x} ${y}\"}}]",
            steps: "- use: a", more: "variables: {x: 1}\n"
        ).replacing("    steps:", with: "    each: {y: [p]}\n    title: ${y}\n    steps:")
        #expect(SuiteFixture.findings(text).map(\.what) == ["there is no variable \"y\" here"])
    }
}
