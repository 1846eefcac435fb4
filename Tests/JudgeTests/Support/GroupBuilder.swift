@testable import Judge
@testable import SuiteLanguage

/// Returns a step that may be left out.
func optional(_ steps: [Step]) -> Step { Step(verb: .group(.optional(steps)), position: at(80)) }

/// Returns a choice between several lists of steps.
func either(_ lists: [[Step]]) -> Step { Step(verb: .group(.either(lists)), position: at(81)) }

/// Returns steps in any order.
func anyOrder(_ lists: [[Step]]) -> Step { Step(verb: .group(.anyOrder(lists)), position: at(82)) }

/// Returns repeated steps.
func repeating(_ counts: ClosedRange<Int>, _ steps: [Step]) -> Step {
    Step(verb: .group(.repeat(counts, steps)), position: at(83))
}

/// Returns steps that are repeated until a message comes.
func repeating(until end: Step, max: Int? = nil, _ steps: [Step]) -> Step {
    Step(verb: .group(.repeatUntil(end, max: max, steps)), position: at(84))
}
