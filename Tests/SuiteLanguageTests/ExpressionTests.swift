import TestSupport
import Testing
import Wire

@testable import SuiteLanguage

struct ExpressionTests {
    private static let variables = """
        language: DE-DE
        count: 7
        ratio: 0.5
        list: [a, b, {deep: [1, 2]}]
        german: {appName: Wetter, short name: W}
        a-b: 1
        minutes: 2
        """

    /// Returns the value of a text in `given`, where everything must be known.
    private static func value(_ text: String) throws -> Value {
        let one = try SuiteFixture.onlyCase(suite(text))
        return try #require(one.deviceConfiguration["x"])
    }

    private static func suite(_ text: String) -> String {
        let lines = variables.split(separator: "\n").map { "  \($0)\n" }.joined()
        let use =
            "["
            + ["language", "count", "ratio", "list", "german", "a-b", "minutes"]
            .map { "\"${\($0)}\"" }.joined(separator: ", ") + "]"
        return SuiteFixture.suite(
            case: "given: {device: {x: \(text), all: \(use)}}\nsteps: [{expect: sdl.Show.request}]"
        ).replacing("cases:", with: "variables:\n\(lines)cases:")
    }

    @Test(
        "An expression that is the whole value keeps its type",
        arguments: [
            ("\"${count + 1}\"", 8), ("\"${count - 1 - 2}\"", 4), ("\"${count * (1 + 2)}\"", 21),
            ("\"${1 + count * 2}\"", 15), ("\"${count / 2}\"", 3), ("\"${count / 2.0}\"", 3.5),
            ("\"${-count / 2}\"", -3), ("\"${-count % 4}\"", -3), ("\"${count % 4}\"", 3),
            ("\"${ratio * 4}\"", 2.0), ("\"${--count}\"", 7), ("\"${a-b}\"", 1),
            ("\"${a-b - 1}\"", 0), ("\"${list[0]}\"", "a"), ("\"${list[2].deep[count - 6]}\"", 2),
            ("\"${german.appName}\"", "Wetter"), ("\"${german['short name']}\"", "W"),
            ("\"${list[2]}\"", ["deep": [1, 2]]), ("\"${ count }\"", 7),
            ("\"${lower(language)}\"", "de-de"), ("\"${upper(german.appName)}\"", "WETTER"),
            ("\"${length(language)}\"", 5), ("\"${length(list)}\"", 3),
            ("\"${slice(language, 3)}\"", "DE"), ("\"${slice(language, 0, 2)}\"", "DE"),
            ("\"${slice(list, 1, 1)}\"", ["b"]), ("\"${slice(language, 5)}\"", ""),
            ("\"${hex(255)}\"", "ff"), ("\"${hex(count, 4)}\"", "0007"),
            ("\"${padded(count, 3)}\"", "007"), ("\"${padded(-count, 3)}\"", "-007"),
            ("\"${integer('42') + 1}\"", 43), ("\"${seconds('1500ms') + 1}\"", 2.5),
            ("\"${text(count)}\"", "7"),
            ("\"${replace(language, '-', '::')}\"", "DE::DE"),
            ("\"${replace('aaa', 'aa', 'b')}\"", "ba"), ("\"${replace('', 'a', 'b')}\"", ""),
            ("\"${find(list, 'deep', list[2].deep)}\"", ["deep": [1, 2]]),
            ("\"${first(find(list, 'deep', 'x'), null, count)}\"", 7),
            ("\"${common(german, entry('appName', 'Wetter'))}\"", ["appName": "Wetter"]),
            ("\"${common(list, slice(list, 1))}\"", ["b", ["deep": [1, 2]]]),
            ("\"${except(list, slice(list, 1))}\"", ["a"]),
            ("\"${without(slice(list, 2), 'deep')}\"", [[:]]),
            ("\"${flat(pluck(list, 'deep'))}\"", [1, 2]),
            ("\"${flat(slice(list, 2))}\"", [[1, 2]]), ("\"${flat(null)}\"", []),
            ("\"${less(1, 1.5)}\"", true), ("\"${less(count, 7)}\"", false),
            ("\"${less(null, 7)}\"", false), ("\"${and(true, not(false))}\"", true),
            ("\"${'a}b'}\"", "a}b"), ("\"${integer(ratio * 4)}\"", 2),
        ] as [(String, Value)])
    func whole(_ text: String, _ expected: Value) throws {
        #expect(try Self.value(text) == expected)
    }

    @Test("An expression within text becomes text, and several are joined")
    func withinText() throws {
        #expect(
            try Self.value("\"${german.appName}-${count * 2}/${list[2].deep} $${count}\"")
                == "Wetter-14/[1, 2] ${count}")
        #expect(try Self.value("{\"k${count}\": \"${minutes * 60}s\"}") == ["k7": "120s"])
    }

    @Test(
        "What cannot be computed is reported with the reason",
        arguments: [
            ("${count / 0}", "\"${count / 0}\" has no value: a division by zero"),
            ("${count % (7 - count)}", "a division by zero"),
            ("${ratio / 0}", "a division by zero"),
            ("${language + 1}", "\"+\" takes numbers, not the text \"DE-DE\""),
            ("${list.deep}", "a list has no members"),
            ("${german.appNam}", "there is no member \"appNam\"; did you mean \"appName\"?"),
            ("${list[3]}", "there is no element 3, the list has 3"),
            ("${list[-1]}", "there is no element -1"),
            ("${list[ratio]}", "an element is named by its number, not by the number 0.5"),
            ("${language[0]}", "the text \"DE-DE\" has no elements"),
            ("${lower(count)}", "\"lower\" takes a text, not the number 7"),
            ("${length(count)}", "the number 7 has no length"),
            ("${slice(language, 2, 4)}", "it has 5 characters or elements, numbered from 0"),
            ("${slice(count, 1)}", "\"slice\" takes a text or a list, not the number 7"),
            ("${hex(-1)}", "\"hex\" takes no negative number"),
            ("${hex(1, 65)}", "\"hex\" writes 1 to 64 digits"),
            ("${replace(language, '', 'b')}", "\"replace\" replaces no empty text"),
            ("${replace(count, '1', '2')}", "\"replace\" takes a text, not the number 7"),
            (
                "${replace(text(bytes(1025, 32)), ' ', text(bytes(1024, 32)))}",
                "\"replace\" gives at most 1048576 characters"
            ),
            ("${padded(ratio, 3)}", "\"padded\" takes an integer, not the number 0.5"),
            ("${integer(language)}", "the text \"DE-DE\" is no integer"),
            ("${9223372036854775807 + count}", "the number does not fit 64 bits"),
            ("${-(-9223372036854775807 - 1)}", "the number does not fit 64 bits"),
        ])
    func failures(_ text: String, _ reason: String) throws {
        let findings = SuiteFixture.findings(Self.suite("\"\(text)\""))
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.code == "bad-expression")
        #expect(finding.what.contains(reason), "\(finding.what)")
        #expect(finding.position?.column == 25)
    }

    @Test(
        "What does not parse is reported with the reason",
        arguments: [
            ("${count +}", "a variable is expected before \"}\""),
            ("${count + 1", "without \"}\""), ("${(count}", "\")\" is expected before \"}\""),
            ("${a b}", "\"${a b}\" does not parse at \"b\""),
            ("${rot13(language)}", "there is no function \"rot13\"; there are: lower, upper, "),
            ("${lowr(language)}", "there is no function \"lowr\"; did you mean \"lower\"?"),
            ("${lower()}", "a variable is expected before \")\""),
            ("${lower(language, 1)}", "\"lower\" is given 2 values; write lower(text)"),
            ("${list[0}", "\"]\" is expected before \"}\""), ("${german.}", "the name of a member"),
            ("${'abc}", "a closing '"), ("${1.2.3}", "the name of a member"),
            ("${99999999999999999999}", "\"99999999999999999999\" is no number"),
            ("${" + String(repeating: "(", count: 50) + "}", "nested more than 32 deep"),
            ("${1" + String(repeating: "+1", count: 500) + "}", "too long"),
        ])
    func syntax(_ text: String, _ reason: String) throws {
        do throws(Template.SyntaxError) {
            _ = try Template(text)
            Issue.record("it parses")
        } catch {
            #expect(error.what.contains(reason), "\(error.what)")
        }
    }

    @Test("A misspelt variable is reported with what may be meant")
    func suggestions() {
        func advice(_ text: String) -> [String] {
            SuiteFixture.findings(Self.suite("\"\(text)\"")).map(\.advice)
        }
        #expect(advice("${langage}") == ["did you mean \"language\"?"])
        #expect(
            advice("${count-minutes}")
                == ["a name may hold \"-\"; to subtract write count - minutes"])
    }

    @Test(
        "An expression is written as it is read",
        arguments: [
            "a", "a + b - c", "a - (b - c)", "(a + b) * c", "a * b + c", "-a + b", "-(a + b)",
            "a.b[0].c", "(a + b).c", "f['x y']", "lower(a + 1)", "slice(a, 1, 2)", "a / (b * c)",
            "a / b * c", "\"it's\"", "1.5 * a",
        ])
    func writing(_ text: String) throws {
        let parts = try Template("${\(text)}").parts
        let expression = ValueExpression.template(parts)
        #expect(expression.suiteText == Value.string("${\(text)}").suiteText)
    }

    @Test("Random expressions are read back as they are written")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            let expression = Self.expression(&random, depth: 4)
            let parts = try Template("${\(expression.suiteText)}").parts
            #expect(parts == [.expression(expression)], "\(expression.suiteText)")
        }
    }

    private static func expression(
        _ random: inout SeededGenerator, depth: Int
    ) -> TemplateExpression {
        let names = ["a", "b-1", "language"]
        let leaf: [TemplateExpression] = [
            .variable(names[random.below(names.count)]), .literal(.integer(Int64(random.below(9)))),
            .literal("it's"), .literal("x y"), .literal(1.5),
        ]
        guard depth > 0 else { return leaf[random.below(leaf.count)] }
        let first = expression(&random, depth: depth - 1)
        switch random.below(6) {
        case 0: return leaf[random.below(leaf.count)]
        case 1: return .member(first, names[random.below(names.count)])
        case 2: return .element(first, expression(&random, depth: depth - 1))
        case 3: return .negated(first)
        case 4:
            let signs = ArithmeticOperator.allCases
            return .arithmetic(
                first, signs[random.below(signs.count)], expression(&random, depth: depth - 1))
        default: return .call(.slice, [first, .variable("a")])
        }
    }

    @Test("An expression of what steps save is computed when the value is known")
    func late() throws {
        let one = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                steps: """
                    - expect: sdl.Show.request
                      save: {text: params.mainField1, id: rpc.correlation_id}
                    - expect: sdl.Show.request
                      where: {rpc.correlation_id: "${id + 2 * 3}", params.mainField1: "${upper(text)}!"}
                    """))
        let matchers = one.steps[1].conditions.map(\.matcher)
        #expect(
            matchers.map(\.suiteText) == ["\"${id + 6}\"", "\"${upper(text)}!\""])
        let bindings: [String: Value] = ["id": 4, "text": "abc"]
        #expect(matchers[0].matches(10, bindings: bindings))
        #expect(matchers[1].matches("ABC!", bindings: bindings))
        guard case .equals(let sum) = matchers[0] else {
            Issue.record("not an equality")
            return
        }
        #expect(throws: EvaluationError(unbound: "id")) { try sum.evaluate([:]) }
        do throws(EvaluationError) {
            _ = try sum.evaluate(["id": "x"])
            Issue.record("a text was added to a number")
        } catch {
            #expect(
                error.description
                    == "\"${id + 6}\" has no value: \"+\" takes numbers, not the text \"x\"")
        }
    }

    @Test("Every function is in the language reference")
    func documented() throws {
        let page = try DocumentationTests.text()
        for function in ExpressionFunction.allCases {
            #expect(page.contains("`\(function.usage)`"), "\(function)")
        }
    }
}
