import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

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
}
