import Suites

@testable import Verdicts

/// A step that may be left out.
func optional(_ steps: [Step]) -> Step { Step(.group(.optional(steps)), position: at(80)) }

/// One of several lists of steps.
func either(_ lists: [[Step]]) -> Step { Step(.group(.either(lists)), position: at(81)) }

/// Steps in any order.
func anyOrder(_ lists: [[Step]]) -> Step { Step(.group(.anyOrder(lists)), position: at(82)) }

/// Steps over and over.
func repeating(_ counts: ClosedRange<Int>, _ steps: [Step]) -> Step {
    Step(.group(.repeat(counts, steps)), position: at(83))
}

/// Steps over and over until a message comes.
func repeating(until end: Step, max: Int? = nil, _ steps: [Step]) -> Step {
    Step(.group(.repeatUntil(end, max: max, steps)), position: at(84))
}
