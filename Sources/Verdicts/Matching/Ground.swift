import Suites
import Trace

/// What all walks through a case have in common.
final class Ground: Sendable {
    let testCase: TestCase
    let requirements: [Requirement]
    let parties: Parties
    let options: CaseMatcher.Options
    let program: CaseProgram
    let start: Timestamp

    init(
        testCase: TestCase, requirements: [Requirement], parties: Parties, start: Timestamp,
        options: CaseMatcher.Options
    ) {
        self.testCase = testCase
        self.requirements = requirements
        self.parties = parties
        self.options = options
        self.start = start
        program = CaseProgram(testCase, options: options)
    }
}
