import SuiteLanguage
import Trace
import Wire

/// A case prepared for judging, once for all traces that it is judged on.
public final class PreparedCase: Sendable {
    /// The case.
    public let testCase: TestCase
    /// The suite's requirements, for citing.
    public let requirements: [Requirement]
    /// The origin of the traces.
    public let options: CaseMatcher.Options
    let program: CaseProgram
    /// The protocols of `conform`.
    var protocols: ProtocolRegistry { testCase.known.protocols }
    /// Whether one of its rules has conditions on fields.
    let hasConditionalRules: Bool
    /// The tables of interest in the preamble, in the body, and when the case is over.
    let preambleInterest, bodyInterest, noInterest: [UInt8]
    /// For each message, whether it is never of interest.
    let isIdle: [Bool]

    /// Prepares a case.
    ///
    /// - Parameters:
    ///   - testCase: The case.
    ///   - requirements: The suite's requirements, for citing.
    ///   - options: The origin of the traces.
    public init(
        _ testCase: TestCase, requirements: [Requirement],
        options: CaseMatcher.Options = CaseMatcher.Options()
    ) {
        self.testCase = testCase
        self.requirements = requirements
        self.options = options
        program = CaseProgram(testCase, options: options)
        let rules = testCase.never.map(\.pattern) + testCase.ignore
        hasConditionalRules = rules.contains { !$0.conditions.isEmpty }
        // Only captures of other tools are large enough to be screened.
        let isScreened = !options.harnessPlaysPeers
        preambleInterest =
            isScreened ? Self.table(of: testCase, program, isInBody: false) : []
        bodyInterest = isScreened ? Self.table(of: testCase, program, isInBody: true) : []
        noInterest = [UInt8](repeating: 0, count: bodyInterest.count)
        let program = program
        isIdle = zip(preambleInterest, bodyInterest).enumerated().map { index, interest in
            let name = testCase.known.protocols.name(
                of: MessageCode(index: Int32(truncatingIfNeeded: index)))
            return interest == (0, 0) && !program.heeds(name)
        }
    }
}

/// The data that all threads of a case on one trace share.
final class MatchContext: Sendable {
    let prepared: PreparedCase
    let parties: Parties
    let start: Timestamp

    init(_ prepared: PreparedCase, parties: Parties, start: Timestamp) {
        self.prepared = prepared
        self.parties = parties
        self.start = start
    }
}
