import SuiteLanguage
import Trace
import Wire

@testable import Judge

/// A simple matcher that writes out every way through a case and tries each separately.
struct SlowMatcher {
    /// A plain step of a way, and the earlier step of the way that its times count from.
    struct Stop {
        var step: Step
        var base: Int?
        /// The steps that end repetitions in which this step begins a round.
        ///
        /// It does not take their messages.
        var barred: [Step] = []
    }

    /// A way as far as it is written out, and what the times of the next step count from.
    private struct Way {
        var stops: [Stop] = []
        var base: Int?
        var barred: [Step] = []
    }

    let testCase: TestCase

    /// Every way through the steps of the case.
    var ways: [[Stop]] {
        Self.expand(testCase.preamble + testCase.steps, [Way()]).map(\.stops)
    }

    /// The number of ways, without writing them out: nested groups have millions.
    var threadCount: Int { Self.count(testCase.preamble + testCase.steps) }

    /// Whether the trace fits one of the ways.
    ///
    /// Nothing comes for a long time after the trace.
    func passes(_ trace: [Line]) -> Bool {
        let messages = Line.messages(trace).map { PlacedMessage($0, parties: Cast.parties) }
        return ways.contains { fits($0, messages) }
    }

    private static func expand(_ steps: [Step], _ ways: [Way]) -> [Way] {
        steps.reduce(ways) { ways, step in ways.flatMap { expand(step, $0) } }
    }

    private static func expand(_ step: Step, _ way: Way) -> [Way] {
        switch step.verb {
        case .group(.optional(let steps)): return [way] + expand(steps, [way])
        case .group(.either(let lists)): return lists.flatMap { expand($0, [way]) }
        case .group(.repeat(let counts, let steps)):
            return counts.flatMap { count in
                (0..<count).reduce([way]) { ways, _ in expand(steps, ways) }
            }
        case .group(.repeatUntil(let until, let max, let steps)):
            return (0...(max ?? 5)).flatMap { count in
                let rounds = (0..<count).reduce([way]) { ways, _ in
                    expand(
                        steps,
                        ways.map {
                            Way(stops: $0.stops, base: $0.base, barred: $0.barred + [until])
                        })
                }
                return rounds.map { done in
                    Way(
                        stops: done.stops
                            + [Stop(step: until, base: way.base, barred: done.barred)],
                        base: done.stops.count)
                }
            }
        case .group(.anyOrder(let lists)):
            return permutations(lists).flatMap { order in
                order.reduce([way]) { ways, list in
                    expand(
                        list,
                        ways.map { Way(stops: $0.stops, base: way.base, barred: $0.barred) })
                }.map { done in
                    let isEmpty = done.stops.count == way.stops.count
                    return Way(
                        stops: done.stops, base: isEmpty ? way.base : done.stops.count - 1,
                        barred: done.barred)
                }
            }
        case .expect, .send, .perform, .wait, .backoff, .lost, .sendBytes, .collect:
            return [
                Way(
                    stops: way.stops + [Stop(step: step, base: way.base, barred: way.barred)],
                    base: way.stops.count)
            ]
        }
    }

    private static func count(_ steps: [Step]) -> Int {
        steps.reduce(1) { bounded($0.multipliedReportingOverflow(by: count($1))) }
    }

    private static func count(_ step: Step) -> Int {
        switch step.verb {
        case .group(.optional(let steps)): return bounded(count(steps).addingReportingOverflow(1))
        case .group(.either(let lists)): return sum(lists.map(count))
        case .group(.repeat(let counts, let steps)):
            return sum(counts.map { power(count(steps), $0) })
        case .group(.repeatUntil(_, let max, let steps)):
            return sum((0...(max ?? 5)).map { power(count(steps), $0) })
        case .group(.anyOrder(let lists)):
            return (lists.map(count) + Array(1...max(1, lists.count)))
                .reduce(1) { bounded($0.multipliedReportingOverflow(by: $1)) }
        case .expect, .send, .perform, .wait, .backoff, .lost, .sendBytes, .collect: return 1
        }
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { result, _ in
            bounded(result.multipliedReportingOverflow(by: base))
        }
    }

    private static func sum(_ counts: [Int]) -> Int {
        counts.reduce(0) { bounded($0.addingReportingOverflow($1)) }
    }

    private static func bounded(_ result: (partialValue: Int, overflow: Bool)) -> Int {
        result.overflow ? .max : result.partialValue
    }

    private static func permutations(_ lists: [[Step]]) -> [[[Step]]] {
        guard !lists.isEmpty else { return [[]] }
        return lists.indices.flatMap { index in
            var rest = lists
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    private func fits(_ way: [Stop], _ messages: [PlacedMessage]) -> Bool {
        var times: [Timestamp] = []
        var bindings: [String: Value] = [:]
        for message in messages {
            while times.count < way.count, case .wait(let length) = way[times.count].step.verb,
                origin(of: way[times.count], times) + length <= message.time
            {
                times.append(
                    max(origin(of: way[times.count], times) + length, times.last ?? Cast.start))
            }
            if times.count < way.count,
                way[times.count].barred.contains(where: { isMeant(message, by: $0, bindings) })
            {
                return false
            }
            if times.count == way.count {
                if message.time > (times.last ?? Cast.start) + testCase.quiet { return true }
            } else if case .expect = way[times.count].step.verb {
                let step = way[times.count].step
                let window = TimeWindow(of: step, origin: origin(of: way[times.count], times))
                guard message.time <= window.latest else { return false }
                if isMeant(message, by: step, bindings) {
                    guard window.placement(of: message.time) == .inside else { return false }
                    for save in step.saves {
                        bindings[save.variable] = message.content.field(save.path)
                    }
                    times.append(message.time)
                    continue
                }
            }
            guard isHarmless(message) else { return false }
        }
        return way.dropFirst(times.count).allSatisfy {
            if case .wait = $0.step.verb { true } else { false }
        }
    }

    private func isMeant(
        _ message: PlacedMessage, by step: Step, _ bindings: [String: Value]
    ) -> Bool {
        guard case .expect(let name) = step.verb else { return false }
        return name == message.name && message.sender == step.from
            && step.conditions.allSatisfy {
                $0.matcher.matches(message.content.field($0.path), bindings: bindings)
            }
    }

    private func origin(of stop: Stop, _ times: [Timestamp]) -> Timestamp {
        stop.base.map { times[$0] } ?? Cast.start
    }

    private func isHarmless(_ message: PlacedMessage) -> Bool {
        guard message.isFromDevice, !message.name.hasPrefix("tcp.") else { return true }
        if testCase.never.contains(where: { $0.pattern.message == message.name }) { return false }
        return testCase.unexpected == .allow
            || testCase.ignore.contains { $0.message == message.name }
    }
}
