import Wire

/// Finds steps in which the harness acts although messages may leave open whether they are reached.
///
/// It searches for pairs of states that the same messages can reach. It ignores the values of
/// variables and times. So it may refuse a case in which the ambiguity cannot happen, but it never
/// accepts one in which it can.
struct AmbiguityCheck {
    /// Two states that the same messages may have reached.
    private struct Pair: Hashable {
        let first: StepSequence.State
        let second: StepSequence.State
    }

    /// The maximum number of pairs that are examined before the case is considered too ambiguous.
    private static let pairCountMax = 50_000

    private let testCase: TestCase
    private let sequence: StepSequence
    private let acts: [Bool]
    /// The step at each state that was found; `nil` for the end.
    private var stepAt: [StepSequence.State: Int?] = [:]
    private var seen: Set<Pair> = []
    private var open: [Pair] = []
    /// The branches from each state for which they have been computed.
    private var waysOn: [StepSequence.State: [StepSequence.Branch]] = [:]

    init(_ testCase: TestCase) {
        self.testCase = testCase
        sequence = StepSequence(preamble: testCase.preamble, body: testCase.steps)
        acts = sequence.steps.map { step in
            switch step.verb {
            case .send, .sendBytes, .perform: true
            default: false
            }
        }
    }

    /// Reports each act that is reached ambiguously.
    func report(to findings: Findings) {
        let hasGroups = !(testCase.preamble + testCase.steps).allSatisfy(\.parts.isEmpty)
        guard hasGroups, acts.contains(true) else { return }
        var search = self
        search.run(findings)
    }

    private mutating func run(_ findings: Findings) {
        var reported: Set<Int> = []
        add(sequence.beginnings)
        while let pair = open.popLast() {
            guard seen.count <= Self.pairCountMax else {
                findings.report(
                    "ambiguous-act", "there are too many paths to this case's acts",
                    at: testCase.position, advice: "let fewer steps be optional or in any order")
                return
            }
            guard pair.first != pair.second else {
                add(continuations(of: pair.first))
                continue
            }
            let steps = (step(at: pair.first), step(at: pair.second))
            let act = [steps.0, steps.1].lazy.compactMap { $0 }.first { acts[$0] }
            guard let act else {
                follow(pair.first, steps.0, beside: pair.second, steps.1)
                follow(pair.second, steps.1, beside: pair.first, steps.0)
                continue
            }
            guard reported.insert(act).inserted else { continue }
            let other = (act == steps.0 ? steps.1 : steps.0).map { sequence.steps[$0] }
            let rival =
                other.map { "the step in line \($0.position.line)" } ?? "the end of the case"
            let step = sequence.steps[act]
            findings.using(step.uses) {
                $0.report(
                    "ambiguous-act",
                    "the messages may leave open whether this is due, or \(rival)",
                    at: step.position,
                    advice: "act only where the steps before leave a single path")
            }
        }
    }

    /// Lets the first of two states match a message or let time pass, and the second react to it.
    private mutating func follow(
        _ first: StepSequence.State, _ step: Int?, beside second: StepSequence.State, _ other: Int?
    ) {
        guard let step else { return }
        let next = continuations(of: first)
        let taken = sequence.steps[step]
        let rival = other.map { sequence.steps[$0] }
        let isBarred = other.map(first.barred.contains) ?? false
        if !isBarred, !second.barred.contains(step), taken.canBeTaken(with: rival) {
            add(next, beside: continuations(of: second))
        }
        // The message that ends a repetition also ends the wait for another round.
        if !second.barred.contains(step), stays(rival, while: taken) {
            add(next, beside: [StepSequence.Branch(state: second, step: other, waypoints: [])])
        }
    }

    /// Whether a state remains valid when another state matches a message or when time passes
    /// there.
    private func stays(_ step: Step?, while taken: Step) -> Bool {
        guard let message = taken.awaitedMessage else { return true }
        switch step?.verb {
        case .backoff?, .collect?: return true
        default: break
        }
        if let step, step.certainlyTakes(all: taken) { return false }
        if case .lost = taken.verb {
            // Such bytes are a failure, even if other messages are allowed.
            return !testCase.isDevice(taken.from)
                || testCase.ignore.contains { pattern in
                    testCase.known.lostBytesNames.contains(where: pattern.covers)
                }
        }
        // Events of the device's life cycle are never unexpected.
        if testCase.unexpected == .allow || !testCase.isDevice(taken.from)
            || message.hasPrefix("device.")
        {
            return true
        }
        return testCase.ignore.contains {
            $0.covers(message) && ($0.from ?? taken.from) == taken.from
        }
    }

    private func step(at state: StepSequence.State) -> Int? { stepAt[state] ?? nil }

    private mutating func continuations(of state: StepSequence.State) -> [StepSequence.Branch] {
        guard step(at: state) != nil else { return [] }
        if let known = waysOn[state] { return known }
        let ways = sequence.continuations(of: state)
        waysOn[state] = ways
        return ways
    }

    private mutating func add(_ branches: [StepSequence.Branch]) { add(branches, beside: branches) }

    private mutating func add(
        _ branches: [StepSequence.Branch], beside others: [StepSequence.Branch]
    ) {
        for branch in branches + others { stepAt[branch.state] = .some(branch.step) }
        for branch in branches {
            for other in others {
                let pair = Pair(first: branch.state, second: other.state)
                let twin = Pair(first: other.state, second: branch.state)
                guard !seen.contains(twin), seen.insert(pair).inserted else { continue }
                open.append(pair)
            }
        }
    }
}

extension Step {
    /// Whether this step and the other one may wait for the same message or the same moment.
    fileprivate func canBeTaken(with other: Step?) -> Bool {
        guard let other else { return false }
        switch (verb, other.verb) {
        case (.backoff, _), (_, .backoff), (.collect, _), (_, .collect): return true
        case (.expect(let message), .expect(let name)):
            return message == name && from == other.from
                && (to == nil || other.to == nil || to == other.to)
                && !conditions.contains { $0.excludes(other.conditions) }
        case (.wait, .wait): return true
        case (.lost, .lost), (.lost, .expect), (.expect, .lost):
            return from == other.from && awaitsLostBytes && other.awaitsLostBytes
        default: return false
        }
    }

    private var awaitsLostBytes: Bool {
        awaitedMessage.map { $0 == LostBytes.name || $0.standsForLostBytes } ?? false
    }

    /// The name of the message that it waits for.
    fileprivate var awaitedMessage: String? {
        switch verb {
        case .expect(let message): message
        case .lost: LostBytes.name
        default: nil
        }
    }

    /// Whether this step matches every message that the other one matches.
    fileprivate func certainlyTakes(all other: Step) -> Bool {
        guard case .expect(let message) = verb, case .expect(let name) = other.verb else {
            return false
        }
        return message == name && from == other.from && to == nil
            && conditions.allSatisfy { condition in
                other.conditions.contains {
                    $0.path == condition.path && $0.matcher == condition.matcher
                }
            }
    }
}

extension FieldCondition {
    /// Whether it demands a value of a field that one of these conditions excludes.
    fileprivate func excludes(_ others: [FieldCondition]) -> Bool {
        guard let values = matcher.literals else { return false }
        return others.contains { other in
            guard other.path == path, let rivals = other.matcher.literals else { return false }
            return !values.contains { value in
                rivals.contains { ValueMatcher.equals(.literal($0)).matches(value, bindings: [:]) }
            }
        }
    }
}

extension ValueMatcher {
    /// The only values that satisfy it, if they are known when the suite is loaded.
    fileprivate var literals: [Value]? {
        let expressions: [ValueExpression]
        switch self {
        case .equals(let expression): expressions = [expression]
        case .oneOf(let choices): expressions = choices
        default: return nil
        }
        let values = expressions.compactMap { expression -> Value? in
            if case .literal(let value) = expression { value } else { nil }
        }
        return values.count == expressions.count ? values : nil
    }
}
