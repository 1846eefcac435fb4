import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

struct ValueMatcherTests {
    /// Reads a matcher as under `where` for a field of any type.
    private static func matcher(
        _ text: String, saved: Set<String> = []
    ) throws -> ValueMatcher {
        let findings = Findings()
        var scope = VariableScope(findings: findings, protocols: .builtIn)
        scope.saved = saved
        let node = try YAMLNode.parse(text: text, file: "f")
        let matcher = MatcherReader(scope: scope).matcher(node, type: nil, name: "x")
        #expect(findings.diagnostics.map(\.description) == [])
        return try #require(matcher)
    }

    @Test(
        "A matcher accepts what it describes, and nothing else",
        arguments: [
            ("DE-DE", "DE-DE", true), ("DE-DE", "EN-US", false), ("5", 5, true), ("5", 5.0, true),
            ("5.0", 5, true), ("5", "5", false), ("\"5\"", "5", true), ("true", true, true),
            ("true", "true", false), ("null", .null, true), ("\u{E9}", "e\u{301}", false),
            ("9007199254740993", 9007199254740992.0, false),
            ("[1, 2]", [1, 2.0], true), ("[1, 2]", [2, 1], false), ("[1]", [1, 1], false),
            ("{a: 1, b: [x]}", ["b": ["x"], "a": 1], true), ("{a: 1}", ["a": 1, "b": 2], false),
            ("{}", [:], true), ("[]", [], true), ("{a: 1}", ["a": 1, "a": 1], false),
            ("{not: a}", "b", true), ("{not: a}", "a", false), ("{not: {not: a}}", "a", true),
            ("{in: [a, 1]}", 1, true), ("{in: [a, 1]}", "b", false),
            ("{in: [{type: TEXT}]}", ["type": "TEXT"], true),
            ("{matches: ^a.c$}", "abc", true), ("{matches: b}", "abc", true),
            ("{matches: ^b}", "abc", false), ("{matches: \"1\"}", 1, false),
            ("{min: 1}", 1, true), ("{min: 1}", 0.5, false), ("{max: 1}", 1.5, false),
            ("{max: 1.5}", 1, true), ("{min: 1, max: 3}", 2, true), ("{min: 1, max: 3}", 4, false),
            ("{min: 1}", "2", false), ("{min: 1}", "18446744073709551615", true),
            ("{max: 1}", "18446744073709551615", false),
            ("{max: 1}", "-9223372036854775809", true),
            ("{min: \"18446744073709551615\"}", "18446744073709551614", false),
            ("{max: \"18446744073709551615\"}", "18446744073709551614", true),
            ("{min: 1}", "018446744073709551615", false),
            ("{min: 1}", "1844674407370955161x", false),
            ("{min: 1.5e19, max: 1.9e19}", "18446744073709551615", true),
            ("{type: integer}", "9223372036854775808", true),
            ("{type: number}", "9223372036854775808", true),
            ("{type: string}", "9223372036854775808", true),
            ("{type: integer}", "9223372036854775807", false),
            ("18446744073709551616.0", "18446744073709551616", true),
            ("18446744073709551616.0", "18446744073709551615", false),
            ("\"18446744073709551615\"", "18446744073709551615", true),
            (
                "{mask: {bits: \"80 00 00 00 00 00 00 01\", value: \"80 00 00 00 00 00 00 01\"}}",
                "9223372036854775809", true
            ),
            ("{mask: {bits: \"01\", value: \"01\"}}", "9223372036854775808", false),
            ("{length: 2}", "äö", true),
            ("{length: {max: 1}}", "äö", false),
            ("{length: 2}", .bytes([1, 2]), true), ("{length: 0}", [], true),
            ("{length: 1}", 1, false),
            ("{contains: b}", "abc", true), ("{contains: ä}", "xäy", true),
            ("{contains: \"\"}", "", true),
            ("{where: {a: 1}}", ["a": 1, "b": 2], true), ("{where: {a: 2}}", ["a": 1], false),
            ("{where: {a: {present: false}}}", ["b": 2], true), ("{where: {a: 1}}", "a", false),
            ("{where: {a.b: {min: 1}, c: x}}", ["a": ["b": 1], "c": "x"], true),
            ("{contains: {where: {a: 1, b: 2}}}", [["a": 1, "b": 1], ["a": 2, "b": 2]], false),
            ("{contains: {where: {a: 1, b: 1}}}", [["a": 1, "b": 1], ["a": 2, "b": 2]], true),
            ("{contains: d}", "abc", false), ("{contains: b}", ["a", "b"], true),
            ("{contains: {min: 3}}", [1, 3], true), ("{contains: {matches: b}}", "abc", false),
            ("{present: true}", .null, true), ("{present: false}", "x", false),
            ("{type: string}", "x", true), ("{type: integer}", 1, true),
            ("{type: integer}", 1.5, false),
            ("{type: number}", 1, true), ("{type: number}", 1.5, true),
            ("{type: boolean}", false, true),
            ("{type: array}", [], true), ("{type: object}", [:], true),
            ("{type: null}", .null, true),
            ("{type: bytes}", .bytes([]), true),
            ("{hex: \"0a:FF 01\"}", .bytes([10, 255, 1]), true),
            ("{hex: \"0a\"}", "0a", false), ("{all: [{min: 1}, {max: 2}]}", 3, false),
            ("{any: [{max: 1}, {min: 3}]}", 3, true), ("{any: [a, b]}", "c", false),
        ] as [(String, Value, Bool)])
    func matching(_ text: String, _ value: Value, _ expected: Bool) throws {
        let matcher = try Self.matcher(text)
        #expect(matcher.matches(value) == expected)
        #expect(matcher.explain(FieldPath(components: [.name("x")]), value).isEmpty == expected)
    }

    @Test(
        "An absent field satisfies `present: false` and matchers that are built from it",
        arguments: [
            ("{present: false}", true), ("{present: true}", false),
            ("{not: {present: true}}", true),
            ("a", false), ("null", false), ("{not: a}", false), ("{not: {not: a}}", false),
            ("{any: [{present: false}, a]}", true), ("{any: [a, {min: 1}]}", false),
            ("{all: [{present: false}, {present: false}]}", true),
            ("{all: [{present: false}, {not: a}]}", false),
            ("{not: {all: [{present: true}, a]}}", true),
            ("{not: {any: [{present: false}, a]}}", false), ("{length: 0}", false),
            ("{type: null}", false), ("{contains: a}", false), ("{matches: \"\"}", false),
        ])
    func absence(_ text: String, _ expected: Bool) throws {
        #expect(try Self.matcher(text).matches(nil) == expected)
    }

    @Test("Variables are filled in, and without a value nothing matches")
    func variables() throws {
        let matcher = try Self.matcher("{not: \"${a}-${b}\"}", saved: ["a", "b"])
        #expect(!matcher.matches("x-1", bindings: ["a": "x", "b": 1]))
        #expect(matcher.matches("x-2", bindings: ["a": "x", "b": 1]))
        #expect(!matcher.matches("x-2", bindings: ["a": "x"]))
        let whole = try Self.matcher("[\"${a}\", {k: \"${b}\"}]", saved: ["a", "b"])
        #expect(whole.matches([[1], ["k": .null]], bindings: ["a": [1], "b": .null]))
    }

    @Test(
        "An explanation names each difference in the syntax of suites",
        arguments: [
            ("DE-DE", "EN-US", ["x: expected DE-DE, got EN-US"]),
            ("DE-DE", nil, ["x: expected DE-DE, got nothing"]),
            ("{present: true}", nil, ["x: expected to be present"]),
            ("{present: false}", "a b", ["x: expected to be absent, got a b"]),
            ("{not: no}", "no", ["x: expected {not: no}, got no"]),
            ("{min: 1, max: 3}", 5, ["x: expected {max: 3}, got 5"]),
            ("{in: [a, \"1\"]}", 1, ["x: expected {in: [a, \"1\"]}, got 1"]),
            (
                "[{text: A, type: TEXT}, {text: B}]",
                [["text": "A", "type": "FILE"], ["text": "B", "more": true]],
                [
                    "x[0].type: expected TEXT, got FILE",
                    "x[1].more: expected to be absent, got true",
                ]
            ),
            ("{a: 1, b: 2}", ["b": 3], ["x.a: expected 1, got nothing", "x.b: expected 2, got 3"]),
            ("[1]", [1, 2], ["x: expected [1], got [1, 2]"]),
            ("$${a}", "b", ["x: expected \"$${a}\", got b"]),
            ("{hex: \"0a\"}", .bytes([11]), ["x: expected {hex: 0a}, got {hex: 0b}"]),
        ] as [(String, Value?, [String])])
    func explanations(_ text: String, _ value: Value?, _ expected: [String]) throws {
        let path = FieldPath(components: [.name("x")])
        #expect(try Self.matcher(text).explain(path, value) == expected)
    }

    @Test("An explanation says when a variable or a search is the cause")
    func blame() throws {
        let path = FieldPath(components: [.name("x")])
        #expect(
            try Self.matcher("${a}", saved: ["a"]).explain(path, "b")
                == ["x: expected \"${a}\", got b (the variable a has no value here)"])
        let text = String(repeating: "a", count: 40) + "!"
        #expect(
            try Self.matcher("{matches: ^(a+)+$}").explain(path, .string(text))
                == [
                    "x: expected {matches: ^(a+)+$}, got \(text) (the pattern takes too long on it)"
                ])
    }

    @Test(
        "The text of a matcher is read as the same matcher",
        arguments: [
            "DE-DE", "\"5\"", "{in: [{not: 1}]}", "{not: {in: [a, null]}}", "{min: 1, max: 2.5}",
            "{all: [{min: 1}, {min: 2}]}", "{all: [{min: 1}]}", "{all: [a, {min: 1}]}",
            "{any: [a, {present: false}]}", "{length: {min: 1, max: 2}}",
            "{contains: {contains: a}}",
            "{contains: {where: {a.b: 1, c: {min: 2}}}}",
            "{matches: \"^a[$$${}]\"}", "{hex: \"00\"}", "{hex: \"0aff\"}", "{type: null}",
            "[a, {b: c}]",
            "{a: \"$${b}\", \"x: y\": \"${v} and ${v}\"}", "\"${v}\"",
            "{present: true, type: string}",
            "{not: {all: [{present: true}, {length: 0}]}}",
        ])
    func roundTrip(_ text: String) throws {
        let matcher = try Self.matcher(text, saved: ["v"])
        let written = matcher.suiteText
        #expect(try Self.matcher(written, saved: ["v"]) == matcher, "\(written)")
        #expect(!written.contains("\n"))
    }

    @Test("Steps and rules are written as in a suite")
    func steps() throws {
        let one = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                case: """
                    steps:
                      - expect: sdl.RegisterAppInterface.request
                        id: registered
                        save: {app: params.appID}
                      - expect: sdl.ChangeRegistration.request
                        where: {params.language: DE-DE, "params.ttsName[0].text": "${app}"}
                        within: 1s
                        since: registered
                      - expect: sdl.ChangeRegistration.response
                        from: hu
                        to: device
                        at: 1.5s
                        tolerance: 10%
                      - send: sdl.ChangeRegistration.response
                        with: {params.success: false}
                        without: [params.info]
                        after: 20ms
                      - do: {hu.configure: {language: "${app}"}}
                      - do: hu.close
                      - wait: 200ms
                    never:
                      - sdl.Show.*
                      - {message: sdl.Show.request, from: hu, where: {params.mainField1: ""}}
                    """))
        #expect(
            one.steps.map(\.suiteText) == [
                "expect: sdl.RegisterAppInterface.request "
                    + "{id: registered, save: {app: params.appID}, within: 5s}",
                "expect: sdl.ChangeRegistration.request {where: {params.language: DE-DE, "
                    + "\"params.ttsName[0].text\": \"${app}\"}, within: 1s, since: registered}",
                "expect: sdl.ChangeRegistration.response "
                    + "{from: hu, to: device, at: 1.5s, tolerance: 10%}",
                "send: sdl.ChangeRegistration.response {from: hu, with: {params.success: false}, "
                    + "without: [params.info], after: 20ms}",
                "do: {hu.configure: {language: \"${app}\"}}", "do: hu.close", "wait: 200ms",
            ])
        #expect(
            one.never.map(\.pattern.suiteText) == [
                "sdl.Show.*",
                "{message: sdl.Show.request, from: hu, where: {params.mainField1: \"\"}}",
            ])
    }
}
