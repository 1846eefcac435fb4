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
    /// The rules and states of its suite; `nil` if there are none.
    let rules: RuleProgram?
    /// The protocols of `conform`.
    var protocols: ProtocolRegistry { testCase.known.protocols }
    /// Whether one of its rules has conditions on fields.
    let hasConditionalRules: Bool
    /// Whether one of its `never` rules limits how many messages may come in a time.
    let limitsRates: Bool
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
        rules = RuleProgram(testCase, requirements: requirements, options: options)
        let judging = rules
        let isRuled = { (name: String) in judging?.concerns(name) ?? false }
        let rules = testCase.never.map(\.pattern) + testCase.ignore
        hasConditionalRules = rules.contains { !$0.conditions.isEmpty }
        limitsRates = testCase.never.contains { $0.rate != nil }
        // Only captures of other tools are large enough to be screened.
        let isScreened = !options.harnessPlaysPeers && testCase.kind != .rule
        preambleInterest =
            isScreened ? Self.table(of: testCase, program, isRuled, isInBody: false) : []
        bodyInterest = isScreened ? Self.table(of: testCase, program, isRuled, isInBody: true) : []
        noInterest =
            isScreened
            ? testCase.known.protocols.table(0) { isRuled($0) ? 3 : 0 } : []
        let program = program
        isIdle = zip(preambleInterest, bodyInterest).enumerated().map { index, interest in
            let name = testCase.known.protocols.name(
                of: MessageCode(index: Int32(truncatingIfNeeded: index)))
            return interest == (0, 0) && !program.considers(name) && !isRuled(name)
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
