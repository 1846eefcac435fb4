import Protocols
import Suites
import Trace

@testable import Verdicts

/// An obviously right matcher: it writes out every way through a case and tries each by itself.
struct SlowMatcher {
    /// One plain step of a way, and the earlier step of the way that its times count from.
    struct Stop {
        var step: Step
        var base: Int?
    }

    /// One way, written out so far, and what the next step's times count from.
    private struct Way {
        var stops: [Stop] = []
        var base: Int?
    }

    let testCase: TestCase

    /// Every way through the steps of the case.
    var ways: [[Stop]] {
        Self.expand(testCase.preamble + testCase.steps, [Way()]).map(\.stops)
    }

    /// Whether the trace, after which nothing comes for long, fits one of the ways.
    func passes(_ trace: [Line]) -> Bool {
        let messages = Line.messages(trace).map { PlacedMessage($0, parties: Cast.parties) }
        return ways.contains { fits($0, messages) }
    }

    private static func expand(_ steps: [Step], _ ways: [Way]) -> [Way] {
        steps.reduce(ways) { ways, step in ways.flatMap { expand(step, $0) } }
    }

    private static func expand(_ step: Step, _ way: Way) -> [Way] {
        switch step.verb {
        case .optional(let steps): return [way] + expand(steps, [way])
        case .either(let lists): return lists.flatMap { expand($0, [way]) }
        case .repeat(let counts, let steps):
            return counts.flatMap { count in
                (0..<count).reduce([way]) { ways, _ in expand(steps, ways) }
            }
        case .anyOrder(let lists):
            return permutations(lists).flatMap { order in
                order.reduce([way]) { ways, list in
                    expand(list, ways.map { Way(stops: $0.stops, base: way.base) })
                }.map { done in
                    let isEmpty = done.stops.count == way.stops.count
                    return Way(
                        stops: done.stops, base: isEmpty ? way.base : done.stops.count - 1)
                }
            }
        case .expect, .send, .perform, .wait, .backoff:
            return [
                Way(
                    stops: way.stops + [Stop(step: step, base: way.base)],
                    base: way.stops.count)
            ]
        }
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
            if times.count == way.count {
                if message.time > (times.last ?? Cast.start) + testCase.quiet { return true }
            } else if case .expect(let name) = way[times.count].step.verb {
                let step = way[times.count].step
                let window = TimeWindow(of: step, origin: origin(of: way[times.count], times))
                guard message.time <= window.latest else { return false }
                if name == message.name, message.sender == step.from,
                    step.conditions.allSatisfy({
                        $0.matcher.matches(message.content.field($0.path), bindings: bindings)
                    })
                {
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
