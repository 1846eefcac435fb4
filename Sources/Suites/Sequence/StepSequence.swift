/// The orders in which the steps of a case may be done: its plain steps in one list, and which of
/// them may come first and after one another.
///
/// It is what a finite automaton is to a regular expression; counted repetitions and steps in any
/// order keep numbers beside the position instead of being written out.
public struct StepSequence: Sendable {
    /// A place in the sequence.
    public struct State: Sendable, Hashable {
        /// The place in the program.
        var position: Int
        /// Rounds done, and elements left, of what the place is inside of.
        var registers: [Int]
        /// The steps that end a repetition of which this place begins another round: what they take
        /// must not be taken here.
        public internal(set) var barred: [Int] = []
    }

    /// Something that is passed on the way from one step to the next, for times that count from it.
    public enum Passage: Sendable, Hashable {
        /// The beginning of a group whose elements come in any order.
        case enters(group: Int)
        /// The beginning of one of its elements.
        case picks(group: Int)
        /// Its end.
        case leaves(group: Int)
    }

    /// One way on.
    public struct Branch: Sendable {
        /// The place that it leads to.
        public var state: State
        /// The step there, counted through the preamble and on through the body; `nil` at the end.
        public var step: Int?
        /// What is passed on the way.
        public var passages: [Passage]
    }

    enum Instruction: Sendable {
        case step(Int)
        case end
        case jump(Int)
        case split([Int])
        /// Begins a repetition: no round is done.
        case beginRepeat(register: Int)
        /// Begins another round, or goes on behind the repetition.
        case round(register: Int, counts: ClosedRange<Int>, exit: Int)
        /// Ends a round.
        case endRound(register: Int, start: Int)
        /// Begins a group in any order: all of its elements are left to do.
        case beginGroup(register: Int, count: Int)
        /// Begins a repetition that a message ends: no round is done.
        case beginUntil(register: Int)
        /// Goes to the step that ends the repetition, or begins another round.
        case roundUntil(register: Int, max: Int?, until: Int, step: Int)
        /// Ends a repetition that a message ends.
        case endUntil(register: Int)
        /// Picks one of the elements that are left, or goes on behind the group.
        case pick(register: Int, elements: [Int], exit: Int)
    }

    /// The plain steps: those of the preamble, then those of the body.
    public private(set) var steps: [Step] = []
    /// How many of them stand in the preamble.
    public private(set) var preambleCount = 0
    private var program: [Instruction] = []
    private var registerCount = 0

    /// How many elements a group in any order may have.
    public static let groupSizeMax = 32

    /// Lays out the steps of a case.
    public init(preamble: [Step], body: [Step]) {
        append(preamble)
        preambleCount = steps.count
        append(body)
        program.append(.end)
    }

    // MARK: - Ways through

    /// The ways to begin.
    public var beginnings: [Branch] {
        ways(from: State(position: 0, registers: Array(repeating: 0, count: registerCount)))
    }

    /// The ways on from a step that is done.
    public func continuations(of state: State) -> [Branch] {
        var next = state
        next.position += 1
        next.barred = []
        return ways(from: next)
    }

    private func ways(from state: State) -> [Branch] {
        switch program[state.position] {
        case .step(let step): return [Branch(state: state, step: step, passages: [])]
        case .end: return [Branch(state: state, step: nil, passages: [])]
        default: break
        }
        var found: [Branch] = []
        var seen: Set<State> = []
        var open = [Branch(state: state, step: nil, passages: [])]
        while var branch = open.popLast() {
            guard seen.insert(branch.state).inserted else { continue }
            switch program[branch.state.position] {
            case .step(let step):
                branch.step = step
                found.append(branch)
            case .end:
                found.append(branch)
            case .jump(let target):
                branch.state.position = target
                open.append(branch)
            case .split(let targets):
                for target in targets.reversed() {
                    var copy = branch
                    copy.state.position = target
                    open.append(copy)
                }
            default:
                open += choices(branch).reversed()
            }
        }
        return found
    }

    /// The ways on from an instruction that works on a register, the preferred one first.
    private func choices(_ branch: Branch) -> [Branch] {
        var branch = branch
        switch program[branch.state.position] {
        case .beginRepeat(let register):
            branch.state.registers[register] = 0
            branch.state.position += 1
        case .endRound(let register, let start):
            branch.state.registers[register] += 1
            branch.state.position = start
        case .beginGroup(let register, let count):
            branch.state.registers[register] = (1 << count) - 1
            branch.state.position += 1
            branch.passages.append(.enters(group: register))
        case .beginUntil(let register):
            branch.state.registers[register] = 0
            branch.state.position += 1
            branch.passages.append(.enters(group: register))
        case .endUntil(let register):
            branch.state.registers[register] = 0
            branch.state.position += 1
            branch.passages.append(.leaves(group: register))
        case .round(let register, let counts, let exit):
            return rounds(branch, register, counts, exit)
        case .roundUntil(let register, let max, let until, let step):
            return rounds(branch, register, max, until: until, step: step)
        case .pick(let register, let elements, let exit):
            return picks(branch, register, elements, exit)
        case .step, .end, .jump, .split: break
        }
        return [branch]
    }

    private func rounds(
        _ branch: Branch, _ register: Int, _ counts: ClosedRange<Int>, _ exit: Int
    ) -> [Branch] {
        let done = branch.state.registers[register]
        var choices: [Branch] = []
        if done < counts.upperBound {
            var again = branch
            again.state.position += 1
            choices.append(again)
        }
        if done >= counts.lowerBound {
            var behind = branch
            behind.state.registers[register] = 0
            behind.state.position = exit
            choices.append(behind)
        }
        return choices
    }

    /// The message that ends the repetition, and, unless all rounds are done, another round.
    private func rounds(
        _ branch: Branch, _ register: Int, _ max: Int?, until: Int, step: Int
    ) -> [Branch] {
        var ending = branch
        ending.state.position = until
        // Its times count from the step before the repetition.
        ending.passages.append(.picks(group: register))
        if let max, branch.state.registers[register] >= max { return [ending] }
        var again = branch
        again.state.position += 1
        again.state.barred.append(step)
        return [ending, again]
    }

    private func picks(
        _ branch: Branch, _ register: Int, _ elements: [Int], _ exit: Int
    ) -> [Branch] {
        let left = branch.state.registers[register]
        guard left != 0 else {
            var behind = branch
            behind.state.position = exit
            behind.passages.append(.leaves(group: register))
            return [behind]
        }
        return elements.indices.filter { left & (1 << $0) != 0 }.map { element in
            var choice = branch
            choice.state.registers[register] = left & ~(1 << element)
            choice.state.position = elements[element]
            choice.passages.append(.picks(group: register))
            return choice
        }
    }

    // MARK: - Layout

    private mutating func append(_ list: [Step]) {
        for step in list { append(step) }
    }

    private mutating func append(_ step: Step) {
        guard let group = step.group else {
            program.append(.step(steps.count))
            return steps.append(step)
        }
        switch group {
        case .optional(let inner): appendChoice([inner, []])
        case .either(let alternatives): appendChoice(alternatives)
        case .repeat(let counts, let inner): appendRepeat(counts, inner)
        case .repeatUntil(let until, let max, let inner): appendRepeat(until: until, max, inner)
        case .anyOrder(let elements): appendGroup(elements)
        }
    }

    private mutating func appendChoice(_ alternatives: [[Step]]) {
        let split = reserve()
        var starts: [Int] = []
        var ends: [Int] = []
        for alternative in alternatives {
            starts.append(program.count)
            append(alternative)
            ends.append(reserve())
        }
        program[split] = .split(starts)
        for end in ends { program[end] = .jump(program.count) }
    }

    private mutating func appendRepeat(_ counts: ClosedRange<Int>, _ inner: [Step]) {
        let register = newRegister()
        program.append(.beginRepeat(register: register))
        let start = reserve()
        append(inner)
        program.append(.endRound(register: register, start: start))
        program[start] = .round(register: register, counts: counts, exit: program.count)
    }

    /// Lays out rounds that a message ends.
    ///
    /// Without a limit rounds are not counted: all of them come to the same place.
    private mutating func appendRepeat(until: Step, _ max: Int?, _ inner: [Step]) {
        let register = newRegister()
        program.append(.beginUntil(register: register))
        let start = reserve()
        append(inner)
        program.append(max == nil ? .jump(start) : .endRound(register: register, start: start))
        program[start] = .roundUntil(
            register: register, max: max, until: program.count, step: steps.count)
        append(until)
        program.append(.endUntil(register: register))
    }

    private mutating func appendGroup(_ elements: [[Step]]) {
        let register = newRegister()
        program.append(.beginGroup(register: register, count: elements.count))
        let pick = reserve()
        var starts: [Int] = []
        for element in elements {
            starts.append(program.count)
            append(element)
            program.append(.jump(pick))
        }
        program[pick] = .pick(register: register, elements: starts, exit: program.count)
    }

    private mutating func newRegister() -> Int {
        registerCount += 1
        return registerCount - 1
    }

    /// Makes room for an instruction that is known later.
    private mutating func reserve() -> Int {
        program.append(.end)
        return program.count - 1
    }
}
