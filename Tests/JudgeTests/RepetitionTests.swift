import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Rounds that a message ends.
@Suite struct RepetitionTests {
    private static let step = "sdl.A"
    private static let done = expect(
        step, line: 12, where: ["params.done": equals(true)], save: ["v": "params.n"],
        within: .seconds(3))
    private static let round = expect(step, line: 13, within: .seconds(1))

    private static func trace(_ flags: [Bool], every gap: Double = 0.1) -> [Line] {
        flags.enumerated().map { index, isDone in
            sent(
                step, gap * Double(index + 1),
                ["done": .bool(isDone), "n": .integer(Int64(index))])
        }
    }

    @Test("A message that ends the rounds is never part of another round")
    func precedence() {
        let after = expect("sdl.B", line: 14, where: ["params.n": variable("v")])
        let steps = [repeating(until: Self.done, [Self.round]), after]
        for count in 0...4 {
            let rounds = Array(repeating: false, count: count) + [true]
            Scenario(
                "\(count) rounds", testCase(steps),
                Self.trace(rounds) + [sent("sdl.B", 1, ["n": .integer(Int64(count))])], .pass
            ).verify()
        }
        Scenario(
            "a second end", testCase(steps),
            Self.trace([false, true, true]) + [sent("sdl.B", 1, ["n": 1])], .fail, .sequence
        ).verify()
    }

    @Test("The time of the last message counts from before the first round")
    func window() {
        let steps = [repeating(until: Self.done, [Self.round])]
        let rounds = Array(repeating: false, count: 4)
        Scenario(
            "in time", testCase(steps), Self.trace(rounds + [true], every: 0.6), .pass
        ).verify()
        Scenario(
            "too late", testCase(steps), Self.trace(rounds + [false, true], every: 0.6),
            .fail, .timing, ["suite.yaml:12", "too late"]
        ).verify()
        Scenario(
            "never", testCase(steps), Self.trace(Array(repeating: false, count: 40), every: 0.5),
            .fail, .sequence, ["suite.yaml:12", "params.done true came"]
        ).verify()
    }

    @Test("The maximum number of rounds passes, one more fails")
    func maximum() {
        let steps = [repeating(until: Self.done, max: 2, [Self.round])]
        Scenario("two", testCase(steps), Self.trace([false, false, true]), .pass).verify()
        Scenario(
            "three", testCase(steps), Self.trace([false, false, false, true]), .fail, .field,
            ["params.done"]
        ).verify()
    }

    @Test("An answer of the harness in a round is demanded once per round")
    func answers() {
        let answer = sending("sdl.R", answering: 0)
        var round = Self.round
        round.id = "asked"
        let testCase = testCase([repeating(until: Self.done, [round, answer])])
        var matcher = Scenario("", testCase, [], .none).matcher
        var demands: [(Int, Int64?)] = []
        for message in Line.messages(
            [sent(Self.step, 0.1, ["done": false, "n": 7])] + [hu("sdl.R", 0.11)]
                + [sent(Self.step, 0.2, ["done": false, "n": 8])] + [hu("sdl.R", 0.21)]
                + [sent(Self.step, 0.3, ["done": true, "n": 9])])
        {
            for case .send(let send) in matcher.consume(message).demands {
                let path = FieldPath("params.n")
                let number = path.flatMap { send.answering?.content.field($0)?.integerValue }
                demands.append((send.step.number, number))
            }
        }
        #expect(demands.map(\.1) == [7, 8])
        #expect(demands.allSatisfy { $0.0 == 2 })
        #expect(matcher.part == .closing)
    }

    @Test("Ten thousand rounds do not multiply the ways")
    func cost() {
        var matcher = Scenario(
            "", testCase([repeating(until: Self.done, [Self.round])], timeout: .seconds(1000)), [],
            .none
        ).matcher
        var most = 0
        for message in Line.messages(
            Self.trace(Array(repeating: false, count: 10_000), every: 1e-4))
        {
            _ = matcher.consume(message)
            most = max(most, matcher.threadCount)
        }
        #expect(most <= 3)
        #expect(matcher.part == .body)
    }
}
