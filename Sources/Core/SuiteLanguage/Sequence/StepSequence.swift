/// The possible orders of the steps of a case.
///
/// It holds the plain steps in one list, and a program that defines which of them may come first
/// and after one another. It corresponds to the finite automaton of a regular expression. Counted
/// repetitions and steps in any order keep numbers in registers, in addition to the position,
/// instead of being unrolled.
public struct StepSequence: Sendable {
    /// A state of the sequence.
    public struct State: Sendable, Hashable {
        /// The position in the program.
        var position: Int
        /// The registers of the enclosing repetitions and groups: rounds done, and elements left.
        var registers: [Int]
        /// The steps that end a repetition, if this state begins another round of it.
        ///
        /// Messages that these steps match must not be matched here.
        public internal(set) var barred: [Int] = []
    }

    /// A point that is passed between one step and the next, from which times may count.
    public enum Waypoint: Sendable, Hashable {
        /// The beginning of a group whose elements come in any order.
        case enters(group: Int)
        /// The beginning of one of its elements.
        case picks(group: Int)
        /// The end of the group.
        case leaves(group: Int)
    }

    /// A branch from one step to the next.
    public struct Branch: Sendable {
        /// The state to which it leads.
        public var state: State
        /// The step there, counted over the preamble and then the body; `nil` at the end.
        public var step: Int?
        /// The points that are passed on the branch.
        public var waypoints: [Waypoint]
    }

    enum Instruction: Sendable {
        case step(Int)
        case end
        case jump(Int)
        case split([Int])
        /// Begins a repetition; no round is done yet.
        case beginRepeat(register: Int)
        /// Begins another round, or continues after the repetition.
        case round(register: Int, counts: ClosedRange<Int>, exit: Int)
        /// Ends a round.
        case endRound(register: Int, start: Int)
        /// Begins a group in any order; all of its elements are left.
        case beginGroup(register: Int, count: Int)
        /// Begins a repetition that a message ends; no round is done yet.
        case beginUntil(register: Int)
        /// Goes to the step that ends the repetition, or begins another round.
        case roundUntil(register: Int, max: Int?, until: Int, step: Int)
        /// Ends a repetition that a message ends.
        case endUntil(register: Int)
        /// Picks one of the remaining elements, or continues after the group.
        case pick(register: Int, elements: [Int], exit: Int)
    }

    /// The plain steps: those of the preamble, then those of the body.
    public private(set) var steps: [Step] = []
    /// The number of plain steps in the preamble.
    public private(set) var preambleCount = 0
    private var program: [Instruction] = []
    private var registerCount = 0

    /// The maximum number of elements in a group in any order.
    public static let groupSizeMax = 32

    /// Compiles the steps of a case into a program.
    public init(preamble: [Step], body: [Step]) {
        append(preamble)
        preambleCount = steps.count
        append(body)
        program.append(.end)
    }

    // MARK: - Branches

    /// The branches from the start.
    public var beginnings: [Branch] {
        branches(from: State(position: 0, registers: Array(repeating: 0, count: registerCount)))
    }

    /// Returns the branches from a step that is done.
    public func continuations(of state: State) -> [Branch] {
        var next = state
        next.position += 1
        next.barred = []
        return branches(from: next)
    }

    private func branches(from state: State) -> [Branch] {
        switch program[state.position] {
        case .step(let step): return [Branch(state: state, step: step, waypoints: [])]
        case .end: return [Branch(state: state, step: nil, waypoints: [])]
        default: break
        }
        var found: [Branch] = []
        var seen: Set<State> = []
        var open = [Branch(state: state, step: nil, waypoints: [])]
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

    /// Returns the branches from an instruction that uses a register, the preferred one first.
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
            branch.waypoints.append(.enters(group: register))
        case .beginUntil(let register):
            branch.state.registers[register] = 0
            branch.state.position += 1
            branch.waypoints.append(.enters(group: register))
        case .endUntil(let register):
            branch.state.registers[register] = 0
            branch.state.position += 1
            branch.waypoints.append(.leaves(group: register))
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

    /// Returns a branch for the message that ends the repetition and, if rounds are left, one for
    /// another round.
    private func rounds(
        _ branch: Branch, _ register: Int, _ max: Int?, until: Int, step: Int
    ) -> [Branch] {
        var ending = branch
        ending.state.position = until
        // Its times count from the step before the repetition.
        ending.waypoints.append(.picks(group: register))
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
            behind.waypoints.append(.leaves(group: register))
            return [behind]
        }
        return elements.indices.filter { left & (1 << $0) != 0 }.map { element in
            var choice = branch
            choice.state.registers[register] = left & ~(1 << element)
            choice.state.position = elements[element]
            choice.waypoints.append(.picks(group: register))
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

    /// Appends a repetition that a message ends.
    ///
    /// Without a limit rounds are not counted, so that all of them lead to the same state.
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

    /// Reserves space for an instruction that is filled in later.
    private mutating func reserve() -> Int {
        program.append(.end)
        return program.count - 1
    }
}
