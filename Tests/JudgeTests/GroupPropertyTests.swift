import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Random cases with groups, on traces that nearly fit them, compared with the slow matcher.
@Suite struct GroupPropertyTests {
    typealias Generator = PropertyTests.Generator

    @Test("The matcher passes exactly what the slow matcher passes", arguments: 1...20)
    func agreement(_ block: Int) {
        for seed in (block * 25)..<(block * 25 + 25) {
            var random = Generator(seed: UInt64(seed))
            let (scenario, isPass) = Self.sample(&random)
            let judgement = scenario.judgement
            #expect(
                (judgement.verdict == .pass) == isPass,
                """
                seed \(seed): \(judgement.reason?.summary ?? "pass")
                \(scenario.testCase.steps.map(\.suiteText).joined(separator: "\n"))
                \(scenario.trace.map { "\($0.name)@\($0.seconds) \($0.fields.suiteText)" })
                """)
            #expect(judgement.reason?.summary.contains("ways") != true)
            #expect(PropertyTests.live(scenario, &random) == judgement, "seed \(seed)")
        }
    }

    @Test("Both verdicts are frequent among the random cases")
    func spread() {
        let passes = (1...200).count { seed in
            var random = Generator(seed: UInt64(seed))
            return Self.sample(&random).isPass
        }
        #expect((40...160).contains(passes), "\(passes)")
    }

    private static func sample(_ random: inout Generator) -> (scenario: Scenario, isPass: Bool) {
        while true {
            var conditionCount = 0
            let steps = list(depth: 2, 1...3, &random, &conditionCount)
            let testCase = testCase(
                steps, never: Int.random(in: 0..<4, using: &random) == 0 ? [never("sdl.C")] : [],
                ignore: Int.random(in: 0..<4, using: &random) == 0 ? [pattern("sdl.B")] : [],
                unexpected: Int.random(in: 0..<4, using: &random) == 0 ? .allow : .fail)
            let slow = SlowMatcher(testCase: testCase)
            guard slow.threadCount <= 400 else { continue }
            let ways = slow.ways
            #expect(ways.count == slow.threadCount)
            guard let way = ways.randomElement(using: &random), !way.isEmpty else { continue }
            let trace = Self.trace(along: way, &random)
            return (Scenario("random", testCase, trace, .none), slow.passes(trace))
        }
    }

    private static func list(
        depth: Int, _ counts: ClosedRange<Int>, _ random: inout Generator, _ count: inout Int
    ) -> [Step] {
        (0..<Int.random(in: counts, using: &random)).map { _ in
            step(depth: depth, &random, &count)
        }
    }

    private static func step(
        depth: Int, _ random: inout Generator, _ count: inout Int
    ) -> Step {
        switch Int.random(in: depth > 0 ? 0..<9 : 4..<9, using: &random) {
        case 0: return optional(list(depth: depth - 1, 1...2, &random, &count))
        case 1:
            return either(
                (0..<2).map { _ in list(depth: depth - 1, 1...2, &random, &count) })
        case 2:
            return anyOrder(
                (0..<Int.random(in: 2...3, using: &random)).map { _ in
                    list(depth: depth - 1, 1...2, &random, &count)
                })
        case 3 where Bool.random(using: &random):
            return repeating(
                until: expectation(&random),
                max: Int.random(in: 1...3, using: &random),
                list(depth: Int.random(in: 0...1, using: &random), 1...2, &random, &count))
        case 3:
            let minimum = Int.random(in: 0...2, using: &random)
            return repeating(
                minimum...max(1, minimum + Int.random(in: 0...2, using: &random)),
                list(depth: 0, 1...2, &random, &count))
        case 4 where Bool.random(using: &random):
            return pause(.milliseconds(Int.random(in: 10...80, using: &random)))
        default: return expectation(&random)
        }
    }

    private static func expectation(_ random: inout Generator) -> Step {
        let name = ["sdl.A", "sdl.A", "sdl.B", "sdl.C"].randomElement(using: &random) ?? "sdl.A"
        var conditions: [String: ValueMatcher] = [:]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: conditions = ["params.n": equals(1)]
        case 1: conditions = ["params.n": equals(2)]
        case 2, 3, 4: conditions = ["params.n": variable("v")]
        default: break
        }
        return expect(
            name, from: Int.random(in: 0..<8, using: &random) == 0 ? "hu" : "device",
            where: conditions,
            save: [[:], [:], ["v": "params.n"], ["v": "params.m"]].randomElement(using: &random)
                ?? [:],
            within: .milliseconds([100, 300, 900].randomElement(using: &random) ?? 900),
            after: Int.random(in: 0..<10, using: &random) == 0 ? .milliseconds(60) : nil,
            tolerance: Tolerance(absolute: .milliseconds(5)))
    }

    /// Returns mostly the messages that the way demands, with a few others.
    private static func trace(
        along way: [SlowMatcher.Stop], _ random: inout Generator
    ) -> [Line] {
        var trace: [Line] = []
        var time = 0.0
        func line(_ name: String, from party: String, _ number: Int64) -> Line {
            let params: Value = ["n": .integer(number), "m": .integer(3 - number)]
            return party == "hu" ? hu(name, time, params) : sent(name, time, params)
        }
        for stop in way {
            time += Double(Int.random(in: 1...70, using: &random)) / 1000
            if Int.random(in: 0..<25, using: &random) == 0 { time += 0.3 }
            switch stop.step.verb {
            case .expect(let name):
                let wanted = stop.step.conditions.first?.matcher
                let number: Int64 =
                    wanted == equals(1)
                    ? 1 : wanted == equals(2) ? 2 : Int64.random(in: 1...2, using: &random)
                guard Int.random(in: 0..<25, using: &random) > 0 else { continue }
                trace.append(line(name, from: stop.step.from, number))
                if Int.random(in: 0..<25, using: &random) == 0 {
                    time += 0.01
                    trace.append(line(name, from: stop.step.from, number))
                }
            case .wait(let duration): time += duration / .seconds(1)
            default: break
            }
            if Int.random(in: 0..<25, using: &random) == 0 {
                time += 0.01
                trace.append(
                    line(
                        ["sdl.A", "sdl.B", "sdl.C"].randomElement(using: &random) ?? "",
                        from: "device", 1))
            }
        }
        // The device must have been seen, or nothing is judged.
        return [sent("tcp.SYN", 0)] + trace
    }
}
