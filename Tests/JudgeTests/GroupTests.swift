import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Steps that are optional, alternative, repeated, or in any order.
@Suite struct GroupTests {
    /// A trace of the device's messages, one letter each, 100 ms apart.
    static func trace(_ names: String) -> [Line] {
        names.enumerated().map { sent("sdl.\($1)", 0.1 * Double($0 + 1)) }
    }

    static let a = expect("sdl.A", line: 11, within: .seconds(1))
    static let b = expect("sdl.B", line: 12, within: .seconds(1))
    static let c = expect("sdl.C", line: 13, within: .seconds(1))

    /// A case, the traces that it accepts, and those that it does not.
    struct Sample: CustomTestStringConvertible {
        var name: String
        var steps: [Step]
        var passing: [String]
        var failing: [String]
        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample(
            name: "an optional A, then A", steps: [optional([a]), a], passing: ["A", "AA"],
            failing: ["", "AAA", "B", "AB"]),
        Sample(
            name: "A or A B, then B", steps: [either([[a], [a, b]]), b], passing: ["AB", "ABB"],
            failing: ["A", "B", "BA", "ABBB", "AAB"]),
        Sample(
            name: "any number of A, then A B", steps: [repeating(0...5, [a]), a, b],
            passing: ["AB", "AAB", "AAAAAAB"],
            failing: ["B", "A", "AAAAAAAB", "BA", "ABB", "AABA"]),
        Sample(
            name: "A B three times", steps: [repeating(3...3, [a, b])], passing: ["ABABAB"],
            failing: ["ABAB", "ABABABA", "ABABABAB", "ABBAAB", "AB"]),
        Sample(
            name: "A B one to three times, then A C",
            steps: [repeating(1...3, [a, b]), a, c], passing: ["ABAC", "ABABAC", "ABABABAC"],
            failing: ["AC", "ABABABABAC", "ABC", "ABA"]),
        Sample(
            name: "A, B, C in any order", steps: [anyOrder([[a], [b], [c]])],
            passing: ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"],
            failing: ["AB", "ABCA", "AABC", "ABB", ""]),
        Sample(
            name: "A B and C in any order, lists kept together",
            steps: [anyOrder([[a, b], [c]])], passing: ["ABC", "CAB"],
            failing: ["ACB", "BAC", "CBA", "AB"]),
        Sample(
            name: "A and A B in any order", steps: [anyOrder([[a], [a, b]])],
            passing: ["AAB", "ABA"], failing: ["AB", "BAA", "AABB", "ABAA"]),
        Sample(
            name: "rounds with a choice inside",
            steps: [repeating(2...2, [either([[a], [b]])]), c],
            passing: ["AAC", "ABC", "BAC", "BBC"], failing: ["AC", "ABBC", "ABA"]),
        Sample(
            name: "optional steps in optional steps", steps: [optional([a, optional([b])]), a],
            passing: ["A", "AA", "ABA"], failing: ["AB", "ABAA", "BA"]),
        Sample(
            name: "A B until C", steps: [repeating(until: c, [a, b])],
            passing: ["C", "ABC", "ABABABABC"],
            failing: ["AB", "AC", "ABAC", "ABCC", "ABCAB", "BC", ""]),
        Sample(
            name: "A until C, at most twice, then A", steps: [repeating(until: c, max: 2, [a]), a],
            passing: ["CA", "ACA", "AACA"], failing: ["AAACA", "AAC", "C", "A", "AA"]),
        Sample(
            name: "an optional A, then A or B, until A B are done",
            steps: [repeating(until: b, [optional([a]), c]), a], passing: ["BA", "CBA", "ACCBA"],
            failing: ["ABA", "ACABA", "A", "BB"]),
        Sample(
            name: "rounds until B in rounds until C",
            steps: [repeating(until: c, [repeating(until: b, [a])])],
            passing: ["C", "BC", "AABC", "AABBABC"], failing: ["AC", "ABAC", "A", "ABA"]),
        Sample(
            name: "an optional end", steps: [a, optional([b])], passing: ["A", "AB"],
            failing: ["", "B", "ABB", "AC"]),
    ]

    @Test(
        "A trace passes if it fits any way through the case, and fails if it fits none",
        arguments: samples)
    func sample(_ sample: Sample) {
        for (names, verdict) in sample.passing.map({ ($0, Verdict.pass) })
            + sample.failing.map({ ($0, .fail) })
        {
            var trace = Self.trace(names)
            if names.isEmpty { trace = [sent("sdl.Heartbeat", 0.01)] }
            let scenario = Scenario(
                names, testCase(sample.steps, ignore: [pattern("sdl.Heartbeat")]), trace, verdict)
            let judgement = scenario.judgement
            #expect(judgement.verdict == verdict, "\(names): \(judgement.reason?.summary ?? "")")
            if verdict == .pass { #expect(judgement.takenCount == names.count, "\(names)") }
            for seed in 1...4 {
                var random = PropertyTests.Generator(seed: UInt64(seed))
                #expect(PropertyTests.live(scenario, &random) == judgement, "\(names)")
            }
        }
    }

    static let conditions = testCase([
        anyOrder([
            [expect("sdl.S", line: 21)],
            [expect("sdl.S", line: 22, where: ["params.n": equals(1)])],
            [expect("sdl.S", line: 23, where: ["params.m": equals(1)])],
        ])
    ])
    static let same = testCase([
        expect("sdl.A", save: ["n": "params.n"]),
        either([
            [expect("sdl.B", line: 21, save: ["x": "params.x"])],
            [expect("sdl.B", line: 22, save: ["x": "params.y"])],
        ]),
        expect("sdl.C", line: 23, where: ["params.x": variable("x")]),
    ])
    static let timed = testCase([
        expect("sdl.P", line: 20),
        optional([expect("sdl.A", line: 21, within: .milliseconds(300))]),
        expect("sdl.B", line: 22, within: .seconds(2), after: .milliseconds(500)),
    ])
    static let grouped = testCase([
        expect("sdl.P", line: 20),
        anyOrder([
            [expect("sdl.A", line: 21, within: .seconds(1))],
            [expect("sdl.B", line: 22, within: .seconds(1))],
        ]),
    ])

    static let scenarios: [Scenario] = [
        Scenario(
            "overlapping conditions in any order find the only assignment", conditions,
            [
                sent("sdl.S", 0.1, ["n": 1, "m": 1]), sent("sdl.S", 0.2, ["n": 1]),
                sent("sdl.S", 0.3, ["n": 2]),
            ], .pass),
        Scenario(
            "overlapping conditions in any order without an assignment", conditions,
            [
                sent("sdl.S", 0.1, ["n": 2]), sent("sdl.S", 0.2, ["n": 2]),
                sent("sdl.S", 0.3, ["n": 1]),
            ], .fail, .field, ["got params.n 2"]),
        Scenario(
            "each alternative keeps its own variables, first", same,
            [
                sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["x": 1, "y": 2]),
                sent("sdl.C", 0.3, ["x": 1]),
            ], .pass),
        Scenario(
            "each alternative keeps its own variables, second", same,
            [
                sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["x": 1, "y": 2]),
                sent("sdl.C", 0.3, ["x": 2]),
            ], .pass),
        Scenario(
            "a value of neither alternative fails", same,
            [
                sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["x": 1, "y": 2]),
                sent("sdl.C", 0.3, ["x": 3]),
            ], .fail, .field, ["step 4 (suite.yaml:23)"]),
        Scenario(
            "a window counts from the step before if the optional one was left out", timed,
            [sent("sdl.P", 0.1), sent("sdl.B", 0.7)], .pass),
        Scenario(
            "a window counts from the optional step if it was done", timed,
            [sent("sdl.P", 0.1), sent("sdl.A", 0.3), sent("sdl.B", 0.7)], .fail, .timing,
            ["step 3 (suite.yaml:22)", "too early"]),
        Scenario(
            "an optional message that comes too late", timed,
            [sent("sdl.P", 0.1), sent("sdl.A", 0.6), sent("sdl.B", 1.3)], .fail, .timing,
            ["step 2 (suite.yaml:21)", "too late"]),
        Scenario(
            "in any order each window counts from the step before the group", grouped,
            [sent("sdl.P", 0.1), sent("sdl.B", 0.9), sent("sdl.A", 1.05)], .pass),
        Scenario(
            "in any order a late message fails", grouped,
            [sent("sdl.P", 0.1), sent("sdl.B", 0.9), sent("sdl.A", 1.4)], .fail, .timing,
            ["step 2 (suite.yaml:21)", "too late"]),
        Scenario(
            "a message twice in any order", grouped,
            [sent("sdl.P", 0.1), sent("sdl.B", 0.2), sent("sdl.B", 0.3)], .fail, .sequence,
            ["step 2 (suite.yaml:21)", "step 3's message sdl.B came again"]),
        Scenario(
            "the way that got furthest explains the failure",
            testCase([
                either([
                    [expect("sdl.A", line: 21), expect("sdl.X", line: 22)],
                    [
                        expect("sdl.A", line: 23), expect("sdl.B", line: 24),
                        expect("sdl.C", line: 25),
                    ],
                ])
            ]), trace("ABD"), .fail, .unexpected,
            ["step 5 (suite.yaml:25): expected sdl.C within 5s, got unexpected sdl.D"]),
        Scenario(
            "never spares what an optional step takes",
            testCase([optional([a]), b], never: [never("sdl.A")]), trace("AB"), .pass),
        Scenario(
            "never forbids what no way takes",
            testCase([optional([a]), b], never: [never("sdl.A")]), trace("AAB"), .fail, .absence,
            ["sdl.A came"]),
        Scenario(
            "allowed messages keep ways open that take them and ways that do not",
            testCase([optional([a]), b], unexpected: .allow), trace("AAAB"), .pass),
        Scenario(
            "a trace that ends while one way is open is inconclusive",
            testCase([optional([expect("sdl.A", within: .seconds(9))]), b]),
            [sent("tcp.SYN", 0.1)], end: 1.5, .inconclusive, .captureEnd),
        Scenario(
            "an act that messages leave open is an error",
            testCase([optional([a]), sending("sdl.N")]), trace("A"), .error, .setup,
            ["leave open"]),
        Scenario(
            "more ways than are followed are an error",
            testCase([anyOrder((0..<12).map { _ in [expect("sdl.A")] })]),
            trace(String(repeating: "A", count: 12)), .error, .setup, ["1024 ways"]),
    ]

    @Test("Groups decide the verdict the same, offline and live", arguments: scenarios)
    func groups(_ scenario: Scenario) {
        scenario.verify()
        var random = PropertyTests.Generator(seed: 5)
        for _ in 0..<4 { #expect(PropertyTests.live(scenario, &random) == scenario.judgement) }
    }

    @Test("In a pass, steps that were left out are not reached")
    func outcomes() {
        let judgement = Scenario(
            "", testCase([either([[Self.a], [Self.b]]), Self.c]), Self.trace("BC"), .pass
        ).judgement
        #expect(judgement.steps.map(\.outcome) == [.notReached, .done, .done])
        #expect(judgement.steps.map(\.frames) == [[], [1], [2]])
    }

    @Test("The alignment of a failure shows the completed rounds, and where they break off")
    func alignment() throws {
        let judgement = Scenario(
            "", testCase([repeating(2...2, [Self.a, Self.b]), Self.c]), Self.trace("ABAC"), .fail
        ).judgement
        let rows = try #require(judgement.reason?.explanation).alignment
        #expect(rows.map(\.mark) == [.match, .match, .match, .missing, .unjudged])
        #expect(rows.map(\.frames) == [[1], [2], [3], [], [4]])
        #expect(judgement.steps.map(\.outcome) == [.done, .failed, .notReached])
    }

    @Test("A message after an end that leaves steps out is extra, those steps do not take it")
    func extra() throws {
        let judgement = Scenario(
            "", testCase([Self.a, optional([Self.b, Self.c])]), Self.trace("AC"), .fail
        ).judgement
        let reason = try #require(judgement.reason)
        #expect(reason.summary.hasPrefix("closing window"))
        #expect(reason.explanation?.alignment.map(\.mark) == [.match, .extra])
    }

    @Test("Acts in rounds are demanded once per round, and answer the message of that round")
    func demands() {
        var matcher = ConsumptionTests.matcher(
            testCase([
                repeating(
                    2...2, [expect("sdl.A.request"), sending("sdl.A.response", answering: 0)]),
                expect("sdl.B"),
            ]))
        for round in [1, 3] {
            let time = Double(round) / 10
            let requested = matcher.consume(
                ConsumptionTests.message(sent("sdl.A.request", time), number: round))
            #expect(requested.withholdsAnswer)
            #expect(requested.demands.count == 1)
            guard case .send(let demand)? = requested.demands.first else { return }
            #expect(demand.answering?.number == round)
            let answered = matcher.consume(
                ConsumptionTests.message(hu("sdl.A.response", time + 0.01), number: round + 1))
            #expect(answered.taken?.number == 2)
            #expect(answered.demands.isEmpty)
        }
        #expect(matcher.consume(ConsumptionTests.message(sent("sdl.B", 0.5))).taken?.number == 3)
        #expect(matcher.part == .closing)
    }
}

/// The cost of following several ways.
@Suite struct GroupCostTests {
    @Test("A copied history continues separately, and keeps everything from before the copy")
    func history() {
        var first = History<Int>()
        for number in 0..<200 { first.append(number) }
        var second = first
        first.append(-1)
        for number in 200..<300 { second.append(number) }
        #expect(first.elements == Array(0..<200) + [-1])
        #expect(second.elements == Array(0..<300))
        #expect(first.last == -1)
        #expect(second.count == 300)
        #expect(second.last { $0 < 70 } == 69)
        #expect(second.last { $0 > 300 } == nil)
    }

    @Test(
        "Rounds that may end at each message leave few ways open, however many rounds")
    func rounds() {
        var matcher = ConsumptionTests.matcher(
            testCase([repeating(0...3000, [GroupTests.a]), GroupTests.a, GroupTests.b]))
        for number in 1...2000 {
            let line = sent("sdl.A", 0.001 * Double(number))
            #expect(matcher.consume(ConsumptionTests.message(line, number: number)).taken != nil)
            #expect(matcher.threadCount <= 3)
        }
        let end = matcher.consume(ConsumptionTests.message(sent("sdl.B", 2.1), number: 2001))
        #expect(end.taken?.number == 3)
        #expect(matcher.threadCount == 1)
        #expect(matcher.part == .closing)
    }

    @Test("Allowed messages before many optional steps do not multiply the ways")
    func allowed() {
        var matcher = ConsumptionTests.matcher(
            testCase(
                (0..<8).map { _ in optional([expect("sdl.A")]) } + [GroupTests.b],
                unexpected: .allow))
        for number in 1...500 {
            let line = sent("sdl.A", 0.001 * Double(number))
            _ = matcher.consume(ConsumptionTests.message(line, number: number))
            #expect(matcher.threadCount <= 16)
        }
    }
}
