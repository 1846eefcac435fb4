import Testing
import Wire

@testable import SuiteLanguage

@Suite("Loading of state and rules")
struct RuleLoadingTests {
    private static func load(_ parts: String) throws -> Suite {
        try SuiteFixture.load(
            SuiteFixture.head.replacing("cases:\n", with: parts + "\ncases:\n") + """
                  - id: one
                    checks: [A-1]
                    steps: [{expect: sdl.StartService}]
                """)
    }

    @Test("A rule is read with its scope, trigger, conditions and steps")
    func whole() throws {
        let suite = try Self.load(
            """
            state: {own: {per: connection, on: {message: sdl.Show.request, count: 1}}}
            rules:
              - id: follows
                checks: [A-1]
                needs: f.one
                per: connection
                whenever: {message: sdl.Show.request, from: device}
                if: {own: {min: 2}}
                then: [{expect: sdl.Alert.request, within: 1s}]
                until: [sdl.Speak.request]
                quiet: 2s
            """)
        let rule = try #require(suite.rules.first)
        #expect(rule.id == "follows")
        #expect(rule.scope == .connection)
        #expect(rule.trigger?.from == "device")
        #expect(rule.reads == ["own"])
        #expect(rule.quiet == .seconds(2))
        #expect(rule.testCase.steps.map(\.within) == [.seconds(1)])
        #expect(suite.cases.first?.rules.map(\.id) == ["follows"])
        #expect(suite.cases.first?.rulesApplying(to: []).rules.isEmpty == true)
        #expect(suite.rulesCase?.checks == ["A-1"])
    }

    @Test(
        "Mistakes in state and rules are found",
        arguments: [
            ("state: {a: {on: {message: sdl.Show.request}}}", "bad-update"),
            ("state: {a: {on: {message: sdl.Shw.request, set: 1}}}", "unknown-message"),
            ("state: {a: {on: {message: sdl.Show.request, set: \"${b}\"}}}", "unknown-variable"),
            (
                "state: {a: {per: session, on: {message: sdl.Show.request, set: 1}}}\n"
                    + "rules: [{id: r, checks: [A-1], whenever: beginning, if: {a: 1}, "
                    + "never: [sdl.Show.request]}]", "state-scope"
            ),
            (
                "rules: [{id: r, checks: [A-1], whenever: beginning, then: [{do: hu.close}], "
                    + "never: [sdl.Show.request]}]", "rule-acts"
            ),
            ("rules: [{id: r, checks: [A-1], whenever: beginning}]", "cannot-fail"),
            (
                "rules: [{id: r, checks: [A-1], whenever: beginning, "
                    + "if: {trigger.a: 1}, never: [sdl.Show.request]}]", "unknown-variable"
            ),
            ("rules: [{id: r, whenever: beginning, never: [sdl.Show.request]}]", "no-checks"),
        ])
    func mistakes(_ parts: String, _ code: String) {
        let error = #expect(throws: InvalidInput.self) { try Self.load(parts) }
        #expect(error?.diagnostics.map(\.code).contains(code) == true)
    }

    @Test("A state that nothing reads is reported")
    func unused() throws {
        let suite = try Self.load("state: {a: {on: {message: sdl.Show.request, set: 1}}}")
        #expect(suite.warnings.map(\.code).contains("unused-state"))
    }

    @Test(
        "Functions on lists, mappings and conditions",
        arguments: [
            ("get(v, 'b', 3)", Value.integer(3)), ("get(v, 'a')", Value.integer(1)),
            ("has(keys(v), 'a')", Value.bool(true)),
            ("keys(merge(v, entry('b', 2)))", ["a", "b"] as Value),
            ("set(merge(values(v), insert(values(v), 0)))", [0, 1] as Value),
            ("remove(v, 'a')", [:] as Value),
            ("if(and(has(v, 'a'), not(equal(1, 2))), 'x', 'y')", "x" as Value),
            ("or(equal(1, 2), has('text', 'ex'))", Value.bool(true)),
        ])
    func functions(_ text: String, _ value: Value) throws {
        var rest = "\(text)}"[...]
        let expression = try ExpressionParser.parse(&rest)
        #expect(try expression.evaluate(["v": ["a": 1]]) == value)
    }
}
