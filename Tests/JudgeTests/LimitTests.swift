import Results
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// What depends on a comparison that reached a limit is inconclusive, never decided.
@Suite struct LimitTests {
    /// A text on which the pattern below takes too long.
    private static let endless = String(repeating: "a", count: 40) + "b"

    private static func slow() throws -> ValueMatcher { .matches(try TextPattern("^(a+)+$")) }

    private static func rule(_ matcher: ValueMatcher) -> MessagePattern {
        var pattern = MessagePattern(message: "sdl.B", position: suitePosition)
        pattern.conditions = [
            FieldCondition(
                path: FieldPath(components: [.name("params"), .name("x")]), matcher: matcher,
                position: suitePosition)
        ]
        return pattern
    }

    private static let suitePosition = SourcePosition(file: "suite.yaml", line: 1, column: 1)

    private func verdict(_ testCase: TestCase, _ text: String) -> (Verdict, ReasonCode?) {
        let scenario = Scenario(
            "", testCase, [sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["x": .string(text)])], .pass)
        let judgement = scenario.judgement
        return (judgement.verdict, judgement.reason?.code)
    }

    @Test("An expected message, also negated or in a part of a value")
    func expected() throws {
        let slow = try Self.slow()
        for matcher in [
            slow, .not(slow), .not(.not(slow)), .any([slow, .equals(.literal("no"))]),
            .all([slow, .type("string")]), .slice(first: 0, count: nil, slow),
        ] {
            let tried = testCase([
                expect("sdl.A"), expect("sdl.B", where: ["params.x": matcher]),
            ])
            #expect(verdict(tried, Self.endless) == (.inconclusive, .captureLoss), "\(matcher)")
        }
        for (matcher, fits) in [(slow, true), (.not(slow), false)] as [(ValueMatcher, Bool)] {
            let tried = testCase([
                expect("sdl.A"), expect("sdl.B", where: ["params.x": matcher]),
            ])
            #expect(verdict(tried, "aaa").0 == (fits ? .pass : .fail))
        }
    }

    @Test("A search that starts again at many places, and many searches together")
    func cost() throws {
        let pattern = try TextPattern("user.*password.*=.*[0-9]")
        let line = String(repeating: "user password= ", count: 44) + "\n"
        var never = testCase([expect("sdl.A")])
        never.unexpected = .allow
        never.never = [NeverRule(pattern: Self.rule(.matches(pattern)))]
        SearchBudget.renew()
        defer { SearchBudget.renew() }
        #expect(verdict(never, String(repeating: line, count: 60)) == (.inconclusive, .captureLoss))
        let texts = (0..<200).map { line + "\($0)" }
        let undecided = texts.count { pattern.search($0) == .limitReached }
        #expect(undecided > 100, "50 ms each")
        SearchBudget.renew()
        #expect(pattern.search(line + "user password=1") == .found)
        #expect(try TextPattern("(*CRLF)^x.*z$|b").search("xyz\r\n") == .found)
    }

    @Test("A decided part decides the whole")
    func decided() throws {
        let slow = try Self.slow()
        let fails = testCase([
            expect("sdl.A"),
            expect("sdl.B", where: ["params.x": .all([slow, .equals(.literal("no"))])]),
        ])
        #expect(verdict(fails, Self.endless).0 == .fail)
        let passes = testCase([
            expect("sdl.A"), expect("sdl.B", where: ["params.x": .any([slow, .type("string")])]),
        ])
        #expect(verdict(passes, Self.endless).0 == .pass)
    }

    @Test("A message that must never come, or that is ignored")
    func rules() throws {
        var never = testCase([expect("sdl.A")])
        never.unexpected = .allow
        never.never = [NeverRule(pattern: Self.rule(try Self.slow()))]
        #expect(verdict(never, Self.endless) == (.inconclusive, .captureLoss))
        #expect(verdict(never, "aaa").0 == .fail)
        #expect(verdict(never, "b").0 == .pass)
        var ignored = testCase([expect("sdl.A")])
        ignored.ignore = [Self.rule(try Self.slow())]
        #expect(verdict(ignored, Self.endless) == (.inconclusive, .captureLoss))
        #expect(verdict(ignored, "aaa").0 == .pass)
        #expect(verdict(ignored, "b").0 == .fail)
        ignored.unexpected = .allow
        #expect(verdict(ignored, Self.endless).0 == .pass)
    }

    @Test("Bytes that are not UTF-8 do not evade what forbids a text")
    func notUTF8() throws {
        func verdict(
            _ name: String, _ matcher: ValueMatcher, _ bytes: String, _ last: UInt8,
            forbids: Bool = true
        ) -> (Verdict, ReasonCode?) {
            var pattern = MessagePattern(message: name, position: Self.suitePosition)
            pattern.conditions = [
                FieldCondition(
                    path: FieldPath(components: [.name("text")]), matcher: matcher,
                    position: Self.suitePosition)
            ]
            var tried = testCase([expect("sdl.A")])
            tried.unexpected = .allow
            if forbids {
                tried.never = [NeverRule(pattern: pattern)]
            } else {
                tried = testCase([expect("sdl.A"), expect(name, where: ["text": matcher])])
            }
            let line = Line(
                seconds: 0.2, name: name, fields: ["data": .bytes(Array(bytes.utf8) + [last])],
                source: Cast.device, destination: Cast.headUnit)
            let judgement = Scenario("", tried, [sent("sdl.A", 0.1), line], .pass).judgement
            return (judgement.verdict, judgement.reason?.code)
        }
        let pattern = ValueMatcher.matches(try TextPattern("pass.word"))
        let word = ValueExpression.literal("password")
        let start = ValueMatcher.starts(ByteExpression(Array("pass".utf8), .text))
        for name in ["udp.datagram", "stream.message"] {
            for open in [pattern, .not(.equals(word)), start, .length(.minimum(.literal(3)))] {
                #expect(verdict(name, open, "password", 0xFF) == (.inconclusive, .captureLoss))
            }
            // What the bytes decide, and other messages.
            for decided in [.equals(word), .present(true), .all([pattern, .present(true)])]
                as [ValueMatcher]
            {
                #expect(verdict(name, decided, "password", 0xFF).0 == .pass, "\(decided)")
            }
            #expect(verdict(name, start, "other", 0xFF).0 == .pass)
            #expect(verdict(name, pattern, "password", 0xFF, forbids: false).0 == .fail)
        }
        #expect(verdict("sdl.B", pattern, "password", 0xFF).0 == .pass)
    }

    @Test("A message that a step takes, and that must never come")
    func taken() throws {
        var tried = testCase([expect("sdl.A"), expect("sdl.B")])
        tried.never = [NeverRule(pattern: Self.rule(try Self.slow()))]
        #expect(verdict(tried, Self.endless) == (.inconclusive, .captureLoss))
        #expect(verdict(tried, "aaa").0 == .fail)
        #expect(verdict(tried, "b").0 == .pass)
    }

    // MARK: - Rules and states

    /// The verdict of a case with a rule, if `sdl.B` has a text.
    private func verdict(
        _ rule: Rule, _ text: String, with states: [StateVariable] = []
    ) -> Verdict {
        var tried = testCase(
            [expect("sdl.A")], unexpected: .allow, quiet: .seconds(5), timeout: .seconds(60))
        (tried.rules, tried.states) = ([rule], states)
        let trace = [
            sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["x": .string(text)]), sent("sdl.C", 0.3),
        ]
        return judged(tried, on: Line.messages(trace), end: Cast.time(20)).verdict
    }

    /// Returns a rule that forbids `sdl.C` after its trigger.
    private func forbidding(_ trigger: MessagePattern) -> Rule {
        var judged = testCase(
            [], never: [never("sdl.C")], unexpected: .allow, quiet: .zero,
            timeout: .seconds(1_000_000), checks: ["R-2"])
        judged.kind = .rule
        judged.isQuietToTheEnd = true
        return Rule(id: "rule", title: "A rule", trigger: trigger, testCase: judged)
    }

    private func condition(_ matcher: ValueMatcher, on name: String = "trigger") -> ValueCondition {
        let value: TemplateExpression =
            name == "trigger"
            ? .member(.member(.variable(name), "params"), "x") : .variable(name)
        return ValueCondition(
            value: .template([.expression(value)]), matcher: matcher, position: Self.suitePosition)
    }

    @Test("The trigger of a rule, its condition, what it holds, and what ends it")
    func partsOfRules() throws {
        let slow = try Self.slow()
        let triggered = forbidding(pattern("sdl.B", where: ["params.x": slow]))
        var conditional = forbidding(pattern("sdl.B"))
        conditional.conditions = [condition(slow)]
        for rule in [triggered, conditional] {
            #expect(verdict(rule, "aaa") == .fail)
            #expect(verdict(rule, "b") == .pass)
            #expect(verdict(rule, Self.endless) == .inconclusive)
        }
        var negated = forbidding(pattern("sdl.B"))
        negated.conditions = [condition(.not(slow))]
        #expect(verdict(negated, "b") == .fail)
        #expect(verdict(negated, Self.endless) == .inconclusive)
        var holding = forbidding(pattern("sdl.B"))
        holding.testCase.never = []
        holding.holds = [condition(slow)]
        #expect(verdict(holding, "aaa") == .pass)
        #expect(verdict(holding, "b") == .fail)
        #expect(verdict(holding, Self.endless) == .inconclusive)
        var ending = forbidding(pattern("sdl.A"))
        ending.until = [pattern("sdl.B", where: ["params.x": slow])]
        #expect(verdict(ending, "aaa") == .pass)
        #expect(verdict(ending, "b") == .fail)
        #expect(verdict(ending, Self.endless) == .inconclusive)
    }

    @Test("The message that changes a state")
    func states() throws {
        let state = StateVariable(
            name: "seen", starts: .literal(.bool(false)),
            updates: [
                StateUpdate(
                    pattern: pattern("sdl.B", where: ["params.x": try Self.slow()]),
                    operation: .set, value: .literal(.bool(true)))
            ], position: at(1))
        var reading = forbidding(pattern("sdl.C"))
        reading.testCase.never = []
        reading.reads = ["seen"]
        reading.holds = [condition(equals(.bool(true)), on: "seen")]
        #expect(verdict(reading, "aaa", with: [state]) == .pass)
        #expect(verdict(reading, "b", with: [state]) == .fail)
        #expect(verdict(reading, Self.endless, with: [state]) == .inconclusive)
    }

    @Test("An expression whose value is too long to be known")
    func expressions() {
        let long = String(repeating: "x", count: 9 << 20)
        let twice = ValueExpression.template([
            .expression(.variable("text")), .expression(.variable("text")),
        ])
        for matcher in [ValueMatcher.equals(twice), .not(.equals(twice)), .oneOf([twice])] {
            #expect(
                matcher.result(for: .string("x"), bindings: ["text": .string(long)]) == .undecided)
            #expect(
                matcher.result(for: .string("x"), bindings: ["text": .string("y")]) != .undecided)
            #expect(matcher.isLimited)
        }
        #expect(!ValueMatcher.equals(.literal(1)).isLimited)
    }

    @Test("Requests beyond the limit, where a rule depends on which of them are answered")
    func requests() {
        let shows = (1...RequestTable.countMax + 1).map {
            Line(
                seconds: Double($0) / 1000, name: "sdl.Show.request",
                fields: ["rpc": ["correlation_id": .integer(Int64($0))]], source: Cast.device,
                destination: Cast.headUnit)
        }
        func verdict(_ lines: [Line], _ readsRequest: Bool) -> Verdict {
            var tried = testCase(
                [expect("sdl.A")], unexpected: .allow, quiet: .seconds(50),
                timeout: .seconds(100))
            var rule = forbidding(pattern("sdl.A"))
            rule.readsRequest = readsRequest
            tried.rules = [rule]
            return judged(
                tried, on: Line.messages([sent("sdl.A", 0)] + lines), end: Cast.time(80)
            ).verdict
        }
        #expect(verdict(shows, false) == .pass)
        #expect(verdict(Array(shows.dropLast(2)), true) == .pass)
        #expect(verdict(shows, true) == .inconclusive)
    }
}
