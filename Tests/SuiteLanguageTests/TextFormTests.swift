import Testing

@testable import SuiteLanguage

struct TextFormTests {
    @Test(
        "Durations are read and written",
        arguments: [
            ("5s", Duration.seconds(5), "5s"), ("200ms", .milliseconds(200), "200ms"),
            ("1.5s", .milliseconds(1500), "1.5s"), ("2m", .seconds(120), "2m"),
            ("90s", .seconds(90), "90s"), ("100us", .microseconds(100), "100us"),
            ("1h", .seconds(3600), "1h"), ("0s", .zero, "0s"),
            ("0.000000001s", .nanoseconds(1), "0.001us"),
            ("1000ms", .seconds(1), "1s"), ("0.5ms", .microseconds(500), "500us"),
            ("1.5m", .seconds(90), "90s"), ("10000h", .seconds(36_000_000), "10000h"),
        ])
    func durations(_ text: String, _ duration: Duration, _ written: String) {
        #expect(Duration(suiteText: text) == duration)
        #expect(duration.suiteText == written)
        #expect(Duration(suiteText: written) == duration)
    }

    @Test(
        "Other texts are not durations",
        arguments: [
            "", "5", "s", "5 s", "-5s", "+5s", "5sec", ".5s", "5.s", "1e3s", "5S", "10001h", "٥s",
            "99999999999999999999s", "0.0000000001s", "1.2.3s",
        ])
    func noDurations(_ text: String) { #expect(Duration(suiteText: text) == nil) }

    @Test("A negative duration is written with a sign")
    func negative() { #expect(Duration.milliseconds(-1500).suiteText == "-1.5s") }

    @Test(
        "Tolerances are read and written",
        arguments: [
            ("50ms", Tolerance(absolute: .milliseconds(50), percent: 0)),
            ("10%", Tolerance(absolute: .zero, percent: 10)),
            ("50ms 10%", Tolerance(absolute: .milliseconds(50), percent: 10)),
            ("1s 2.5%", Tolerance(absolute: .seconds(1), percent: 2.5)),
        ])
    func tolerances(_ text: String, _ tolerance: Tolerance) {
        #expect(Tolerance(suiteText: text) == tolerance)
        #expect(tolerance.suiteText == text)
    }

    @Test(
        "Other texts are not tolerances",
        arguments: [
            "", "50", "10% 50ms", "%", "-1%", "50ms 50ms", "1% 1%", "inf%", "nan%", "1e3%", "5000%",
        ])
    func noTolerances(_ text: String) { #expect(Tolerance(suiteText: text) == nil) }

    @Test(
        "Feature expressions are read and written",
        arguments: [
            ("a", "a"), ("a and b or c", "a and b or c"), ("a and (b or c)", "a and (b or c)"),
            ("not a and b", "not a and b"), ("not (a and b)", "not (a and b)"),
            ("a or (b or c)", "a or (b or c)"), ("((a))", "a"), ("not not a", "not not a"),
        ])
    func features(_ text: String, _ written: String) throws {
        let expression = try FeatureExpressionParser.parse(text)
        #expect(expression.suiteText == written)
        #expect(try FeatureExpressionParser.parse(written) == expression)
    }

    @Test("`and` binds tighter than `or`, `not` tighter than both")
    func precedence() throws {
        let expression = try FeatureExpressionParser.parse("a or not b and c")
        #expect(
            expression == .or(.feature("a"), .and(.not(.feature("b")), .feature("c"))))
        #expect(expression.isSatisfied(by: ["c"]) && !expression.isSatisfied(by: ["b", "c"]))
    }

    @Test(
        "Other texts are not feature expressions",
        arguments: [
            "", "and", "a and", "a b", "(a", "a)", "not", "a or or b",
            String(repeating: "(", count: 10_000),
        ])
    func noFeatures(_ text: String) {
        #expect(throws: FeatureExpressionParser.SyntaxError.self) {
            try FeatureExpressionParser.parse(text)
        }
    }

    @Test(
        "Templates are split into their parts",
        arguments: [
            ("", []), ("a$b", [.text("a$b")]), ("${a}", [.variable("a")]),
            ("x${a}${b-1}y", [.text("x"), .variable("a"), .variable("b-1"), .text("y")]),
            ("$${a}", [.text("${a}")]), ("$$${a}", [.text("$${a}")]), ("$", [.text("$")]),
        ] as [(String, [ValueExpression.TemplatePart])])
    func templates(_ text: String, _ parts: [ValueExpression.TemplatePart]) throws {
        #expect(try Template(text).parts == parts)
    }

    @Test(
        "Broken templates are refused", arguments: ["${", "${a", "${}", "${1", "${a b}", "${ä}"])
    func brokenTemplates(_ text: String) {
        #expect(throws: Template.SyntaxError.self) { try Template(text) }
    }

    @Test("Escaped text is read as itself", arguments: ["${a}", "$${a}", "$", "$$$", "a$${", "${"])
    func escaping(_ text: String) throws {
        let parts = try Template(text.escapingVariables).parts
        #expect(parts == [.text(text)])
    }
}

struct TextPatternTests {
    @Test(
        "Patterns are found anywhere, in Unicode characters",
        arguments: [
            ("^W", "Weather", true), ("^e", "Weather", false), ("(?i)WEA", "weather", true),
            ("^.$", "ü", true), ("^\\w{2}-\\w{2}$", "DE-DE", true), ("", "", true),
        ])
    func search(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try (TextPattern(pattern).search(text) == .found) == expected)
    }

    @Test(
        "A pattern that would backtrack endlessly stops at its limit at once",
        arguments: [
            ("(a+)+b", String(repeating: "a", count: 30)),
            ("^(a+)+$", String(repeating: "a", count: 40) + "!"),
            ("^(a|aa)+$", String(repeating: "a", count: 60) + "!"),
            ("(x+x+)+y", String(repeating: "x", count: 5000)),
        ])
    func limits(_ pattern: String, _ text: String) throws {
        let pattern = try TextPattern(pattern)
        let clock = ContinuousClock()
        let time = clock.measure { #expect(pattern.search(text) != .found) }
        #expect(time < .seconds(1))
    }

    @Test("A search that ended at its limit reports that")
    func limitReached() throws {
        let text = String(repeating: "a", count: 40) + "!"
        #expect(try TextPattern("^(a+)+$").search(text) == .limitReached)
        #expect(try TextPattern("^b").search(text) == .notFound)
    }

    @Test("A pattern that does not compile reports where")
    func errors() {
        #expect { try TextPattern("ä(b") } throws: {
            let error = $0 as? TextPattern.CompileError
            return error?.offset == 3 && error?.description == "missing closing parenthesis"
        }
        #expect(throws: TextPattern.CompileError.self) { try TextPattern("\\C") }
        #expect(throws: TextPattern.CompileError.self) {
            try TextPattern(String(repeating: "a", count: 5000))
        }
        #expect(throws: TextPattern.CompileError.self) { try TextPattern("((a{999}){999}){999}") }
    }

    @Test("Patterns are equal if their texts are, and can be used from many tasks")
    func sharing() async throws {
        let pattern = try TextPattern("a+b")
        #expect(try pattern == TextPattern("a+b"))
        #expect(try Set([pattern, TextPattern("a+b"), TextPattern("c")]).count == 2)
        let found = await withTaskGroup(of: Bool.self) { group in
            for count in 1...50 {
                group.addTask {
                    pattern.search(String(repeating: "a", count: count) + "b") == .found
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(found == 50)
    }
}
