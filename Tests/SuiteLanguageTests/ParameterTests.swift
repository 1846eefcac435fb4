import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

struct ParameterTests {
    private static let head = """
        parameters:
          limit: {default: 3, text: How often it retries.}
          pause: {text: How long it waits.}

        """

    fileprivate static func suite(_ lines: String, more: String = "") -> String {
        SuiteFixture.suite(case: lines).replacing("cases:", with: head + more + "cases:")
    }

    fileprivate static func load(
        _ text: String, _ parameters: [String: Value] = [:], files: [String: String] = [:]
    ) throws(InvalidInput) -> Suite {
        let files = files.merging([
            "suite.yaml": text, "catalogue.yaml": SuiteFixture.catalogue,
        ]) { $1 }
        return try SuiteLoader(.builtIn).load(path: "suite.yaml", parameters: parameters) {
            (path) throws(InvalidInput) -> String in
            guard let text = files[path] else {
                throw InvalidInput([Diagnostic("unreadable-file", "no \(path)", at: nil)])
            }
            return text
        }
    }

    private static let needsBoth = """
        title: ${limit} times
        preamble: [{expect: sdl.StartService}]
        steps:
          - expect: sdl.Show.request
            after: ${pause}
            where: {rpc.correlation_id: "${limit + 1}"}
            checks: [A-1]
        never: [{message: sdl.Alert.request, where: {rpc.correlation_id: "${limit}"}}]
        """

    @Test("A parameter has the given value, or else its default")
    func values() throws {
        let suite = try Self.load(
            Self.suite(Self.needsBoth), ["pause": "2s", "limit": 5, "other": 1])
        let one = try #require(suite.cases.first)
        #expect(suite.warnings == [] && one.missingParameters == [])
        #expect(one.parameters == ["limit", "pause"] && one.title == "5 times")
        #expect(one.steps[0].after == .seconds(2))
        #expect(one.steps[0].conditions[0].matcher == .equals(.literal(6)))
        #expect(suite.parameterValues == ["limit": 5, "pause": "2s"])
        #expect(suite.parameters.map(\.name) == ["limit", "pause"])
        #expect(suite.parameters[0].defaultValue == 3 && suite.parameters[0].value == 5)
        #expect(suite.parameters[0].text == "How often it retries.")
    }

    @Test("A case that needs a parameter without a value has no steps and names the parameter")
    func missing() throws {
        let suite = try Self.load(Self.suite(Self.needsBoth))
        let one = try #require(suite.cases.first)
        #expect(suite.warnings.map(\.description) == [])
        #expect(one.missingParameters == ["pause"] && one.id == "one" && one.title == "3 times")
        #expect(one.preamble.isEmpty && one.steps.isEmpty && one.never.isEmpty)
        #expect(one.allChecks == ["A-1"])
        #expect(suite.parameterValues == ["limit": 3])
    }

    @Test(
        "A missing parameter is noticed wherever it is used",
        arguments: [
            ("steps: [{expect: sdl.Show.request}]", "variables: {x: {y: \"${pause}\"}}\n", false),
            (
                "title: to ${x.y}\nsteps: [{expect: sdl.Show.request}]",
                "variables: {x: {y: \"${pause}\"}}\n", true
            ),
            (
                "each: {x: [1, \"${pause}\"]}\ntitle: to ${x}\nsteps: [{expect: sdl.Show.request}]",
                "", true
            ),
            (
                "given: {hu: {language: \"${pause}\"}}\nsteps: [{expect: sdl.Show.request}]", "",
                true
            ),
            ("steps: [{expect: sdl.Show.request}]", "defaults: {within: \"${pause}\"}\n", true),
            (
                "steps: [{expect: sdl.Show.request}]",
                "ignore: [{message: sdl.Alert.request, where: {params.alertText1: \"${pause}\"}}]\n",
                true
            ),
            (
                "steps: [{use: f}]",
                "fragments: {f: [{expect: sdl.Show.request, within: \"${pause}\"}]}\n", true
            ),
            (
                "steps: [{use: f, with: {p: \"${pause}\"}}]",
                "fragments: {f: {arguments: {p: }, steps: [{expect: sdl.Show.request, within: \"${p}\"}]}}\n",
                true
            ),
            ("steps: [{expect: sdl.Show.request}]", "", false),
        ])
    func everywhere(_ lines: String, _ more: String, _ isMissing: Bool) throws {
        let suite = try Self.load(Self.suite(lines, more: more))
        #expect(suite.cases.map(\.missingParameters) == [isMissing ? ["pause"] : []])
        let value: Value = lines.contains("given") ? "DE-DE" : "1s"
        let whole = try Self.load(Self.suite(lines, more: more), ["pause": value])
        #expect(whole.cases.allSatisfy { $0.missingParameters.isEmpty && !$0.steps.isEmpty })
    }

    @Test("A mistake in a case that needs no parameter is reported, whatever others need")
    func otherCases() {
        let text = Self.suite("steps: [{expect: sdl.Sho.request}]")
        #expect(SuiteFixture.findings(text).contains { $0.code == "unknown-message" })
    }

    @Test("A value of another kind than the default is an error at the declaration")
    func kinds() {
        func finding(_ value: Value) -> String? {
            do throws(InvalidInput) {
                _ = try Self.load(Self.suite(Self.needsBoth), ["limit": value, "pause": "1s"])
                return nil
            } catch {
                return error.diagnostics.first?.description
            }
        }
        #expect(
            finding("3") == "suite.yaml:8:3: error: the parameter \"limit\" is the number 3 by "
                + "default, and is given the text \"3\"; give the same kind of value in the device "
                + "profile or by --parameter [bad-parameter]")
        #expect(finding(2) == nil)
    }

    @Test("An included file declares parameters, and the suite overrides them")
    func included() throws {
        let text = Self.suite("title: ${limit}/${more}\nsteps: [{expect: sdl.Show.request}]")
            .replacing("cases:", with: "include: [more.yaml]\ncases:")
        let suite = try Self.load(
            text, files: ["more.yaml": "parameters: {limit: {default: 9}, more: {default: 1}}"])
        #expect(suite.cases.first?.title == "3/1")
        #expect(suite.warnings.map(\.what) == ["nothing uses \"${pause}\""])
    }

    static let broken = [
        "⟦unused-parameter⟧a: {default: 1}", "⟦unused-parameter⟧a:", "⟦bad-name⟧1a: {}",
        "a: ⟦wrong-type⟧3", "⟦unused-parameter⟧a: {⟦unknown-key⟧defualt: 1}",
        "⟦unused-parameter⟧a: {default: ⟦unknown-variable⟧\"${b}\"}",
        "⟦unused-parameter⟧a: {text: ⟦wrong-type⟧1}",
    ]

    @Test("Each mistake in a declaration is reported at its place", arguments: broken)
    func mistakes(_ lines: String) {
        let marked = MarkedText(
            SuiteFixture.suite(steps: "- expect: sdl.Show.request").replacing(
                "cases:", with: "parameters:\n  \(lines)\ncases:"))
        let found = SuiteFixture.findings(marked.text)
        let hasErrors = found.contains { $0.severity == .error }
        let expected = marked.expected.filter { !hasErrors || !$0.hasSuffix("unused-parameter") }
        #expect(SuiteFixture.places(found) == expected)
    }

    @Test("A name cannot be used twice")
    func taken() {
        let text = Self.suite(
            "steps: [{expect: sdl.Show.request}]", more: "variables: {limit: 1}\n")
        #expect(SuiteFixture.findings(text).map(\.code).contains("duplicate-variable"))
        let axis = Self.suite("each: {pause: [1]}\nsteps: [{expect: sdl.Show.request}]")
        #expect(SuiteFixture.findings(axis).map(\.code).contains("duplicate-variable"))
    }
}

struct MatrixExclusionTests {
    private static func ids(_ exclude: String) throws -> [String] {
        try SuiteFixture.load(suite(exclude)).cases.map(\.id)
    }

    static func suite(_ exclude: String) -> String {
        SuiteFixture.suite(
            case: "each: {a: [x, y], b: [1, 2, 3]}\nexclude: \(exclude)\ntitle: ${a}${b}\n"
                + "steps: [{expect: sdl.Show.request}]")
    }

    @Test("Combinations that an entry covers are left out, the others stay in order")
    func excluded() throws {
        #expect(
            try Self.ids("[{a: x, b: 2}, {b: 3}]") == [
                "one[a=x,b=1]", "one[a=y,b=1]", "one[a=y,b=2]",
            ])
        #expect(try Self.ids("[{a: x}]").count == 3)
        #expect(try Self.ids("[{b: 1.0}]").count == 4)
    }

    static let broken = [
        "⟦wrong-type⟧[]", "[⟦wrong-type⟧x]", "[{⟦unknown-variable⟧c: 1}]",
        "[⟦idle-exclude⟧{a: z}]", "[{a: x}, ⟦idle-exclude⟧{a: x, b: 4}]",
        "[{a: ⟦unknown-variable⟧\"${q}\"}]",
    ]

    @Test("Each mistake in an exclusion is reported at its place", arguments: broken.dropFirst())
    func mistakes(_ exclude: String) {
        let marked = MarkedText(Self.suite(exclude))
        #expect(SuiteFixture.places(SuiteFixture.findings(marked.text)) == marked.expected)
    }

    @Test("An exclusion that leaves nothing, or has no matrix, is an error")
    func nothingLeft() {
        let all = SuiteFixture.findings(Self.suite("[{a: x}, {a: y}]"))
        #expect(SuiteFixture.places(all) == ["11:5:empty-matrix"])
        #expect(
            SuiteFixture.places(SuiteFixture.findings(Self.suite("[{}]"))) == ["11:15:wrong-type"])
        let alone = SuiteFixture.suite(
            case: "exclude: [{a: 1}]\nsteps: [{expect: sdl.Show.request}]")
        #expect(SuiteFixture.places(SuiteFixture.findings(alone)) == ["10:5:misplaced-key"])
    }

    @Test("The time limit of a case is its own, or otherwise the default of the suite")
    func timeout() throws {
        let own = try SuiteFixture.onlyCase(
            SuiteFixture.suite(case: "timeout: 2m\nsteps: [{expect: sdl.Show.request}]")
                .replacing("cases:", with: "defaults: {timeout: 30s}\ncases:"))
        #expect(own.timeout == .seconds(120))
        let shared = try SuiteFixture.onlyCase(
            SuiteFixture.suite(case: "steps: [{expect: sdl.Show.request}]")
                .replacing("cases:", with: "defaults: {timeout: 30s}\ncases:"))
        #expect(shared.timeout == .seconds(30))
    }

    @Test("Variables that grow without bound are one error, at the first that is too large")
    func bomb() throws {
        func findings(_ lines: [String]) -> [Diagnostic] {
            let steps = """
                title: t
                steps: [{expect: sdl.Show.request, where: {params.mainField1: "${a9}"}}]
                """
            let variables = "variables:\n" + lines.joined(separator: "\n") + "\n"
            do throws(InvalidInput) {
                _ = try ParameterTests.load(ParameterTests.suite(steps, more: variables))
                return []
            } catch {
                return error.diagnostics
            }
        }
        func again(_ number: Int) -> [String] {
            [String](repeating: "${a\(number)}", count: 10)
        }
        let nested = (1...9).map { "  a\($0): \"\(again($0 - 1).joined())\"" }
        let lists = (1...9).map {
            "  a\($0): [" + again($0 - 1).map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        }
        for lines in [nested, lists] {
            let found = findings(["  a0: xxxxxxxxxx"] + lines)
            let codes = found.map { "⟦\($0.code)⟧" }
            #expect(codes.filter { $0 == "⟦expansion-limit⟧" }.count == 1, "\(found)")
        }
    }
}
