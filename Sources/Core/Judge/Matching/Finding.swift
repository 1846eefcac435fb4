import Results
import SuiteLanguage
import Trace
import Wire

/// The reason why a case is not a pass: what was found, where, and when.
struct Finding: Sendable {
    /// What was found.
    enum Kind: Sendable {
        /// The right message came with wrong fields.
        case fieldsDiffer([Difference])
        /// The message of a later line came first.
        ///
        /// `differences` shows why it is not the awaited one, if it has the same name.
        case outOfOrder(line: Int, differences: [Difference] = [])
        /// The message of an earlier line came again.
        case repeated(line: Int, differences: [Difference] = [])
        /// The device sent a message that no line takes.
        case unexpected
        /// The right message came too early, by this time.
        case early(Duration)
        /// The right message came too late, by this time.
        case late(Duration)
        /// Attempts do not keep their schedule.
        case schedule(ScheduleViolation)
        /// No fitting message came.
        case missing
        /// A peer could not send an awaited message because the device ended its connection.
        case connectionClosed
        /// A message came that must never come; `rule` is the index of the rule in the case.
        case forbidden(rule: Int)
        /// Bytes did not decode.
        case malformed
        /// A message breaks the specification of its protocol.
        case violation
        /// The device's process ended.
        case deviceExited
        /// The trace ends before the case does.
        case captureEnded
        /// The device had not ended a message when the case was over.
        case unended
        /// The case took longer than allowed.
        case timeout
        /// The run was interrupted.
        case interrupted
        /// An expression has no value at the moment when it is used, for this reason.
        case unbound(String)
        /// A limit was reached, so that a message could not be compared, as this sentence says.
        case undecided(String)
        /// An act is due, but the messages do not show whether it is the right one.
        case ambiguous
        /// More paths are possible than are followed.
        case tooManyThreads
        /// The case has nothing that could be judged.
        case nothingToJudge
        /// None of this many steps of the acts of a drawn run could be carried out.
        case actsSkipped(Int)
        /// The trace shows nothing of the device.
        case deviceUnseen(String)
        /// The device no longer answers.
        case deviceHung
        /// All parties were silent and a condition of a rule on the state did not hold.
        case notAtRest(RestFailure)
    }

    /// A condition of a rule that did not hold at rest.
    struct RestFailure: Sendable {
        /// The condition.
        let condition: ValueCondition
        /// Its value.
        let actual: Value
        /// What was demanded of it.
        let expected: String
        /// How long all parties were silent; zero for what the trigger must fulfil.
        let quiet: Duration
        /// By how much the present moment would have to be another one for the rule not to fail;
        /// `nil` if its conditions do not depend on time.
        var shift: Duration?
        /// The moment from which its conditions count; `nil` if they do not depend on time.
        var counted: Timestamp?
    }

    /// Where in the case it was found.
    enum Place: Sendable, Hashable {
        /// At the line with this index.
        case line(Int)
        /// In the closing window.
        case closing
    }

    /// What was found.
    var kind: Kind
    /// Where in the case.
    let place: Place
    /// When it was found.
    var time: Timestamp
    /// The moment that reported times count from.
    let origin: Timestamp
    /// The name of that moment: `step 3`, or the name that a step has.
    let originName: String
    /// The message that shows it; `nil` if something is missing.
    var message: PlacedMessage?
    /// The message that came closest to what was demanded.
    let nearest: NearMiss?
    /// The line that was done last.
    let lastDone: Int?
    /// The first segment by which a connection ended while the line was awaited.
    ///
    /// For a line that acts, it may also be the last segment before it by which a device ended a
    /// connection.
    var connectionEnd: PlacedMessage?
    /// A message that a peer owed when the device continued without it.
    struct OwedMessage: Sendable {
        /// The awaited message.
        let awaited: Signature
        /// Until when it might have come.
        let until: Timestamp
        var isPaid = false
    }

    /// The message of a real peer, beyond the case, to which the device may have reacted.
    @Boxed var extra: PlacedMessage?
    /// The message of the device that a step took before a peer did not answer as it was awaited, if
    /// it broke its specification: the peer may have refused it.
    @Boxed var refused: TraceMessage?
    /// The values for which a message is forbidden, if not all messages of its name are.
    var forbiddenValues: [Difference] = []
    /// How many messages came in a time, if there are too many.
    @Boxed var excess: Crowd.Excess?
    /// The incomplete message of the device.
    @Boxed var beginning: PlacedMessage?
    /// The last refusal of a call to an address where no peer listens.
    @Boxed var refusal: TraceMessage?
    /// The entries of a `collect` step that no message fitted.
    var missing: [Int] = []
    /// The message that a peer owed; `nil` if none was awaited of a peer.
    var debt: OwedMessage?
    /// Other lines that were awaited by threads that ended by the same message.
    var otherLines: [Int] = []
}

extension Finding {
    /// The moment from which the time counts that was missed.
    var countedFrom: Timestamp {
        if case .notAtRest(let failure) = kind, let counted = failure.counted { return counted }
        return excess?.since ?? origin
    }

    /// The line at which it was found; `nil` in the closing window.
    var line: Int? {
        if case .line(let position) = place { position } else { nil }
    }

    /// Returns the verdict and its code, before lost packets or a late harness override them.
    func ruling(
        in program: CaseProgram, options: CaseMatcher.Options, doneCount: Int
    ) -> (verdict: Verdict, code: ReasonCode) {
        switch kind {
        case .unbound, .ambiguous, .tooManyThreads: return (.error, .setup)
        case .undecided: return (.inconclusive, .captureLoss)
        case .timeout: return (.error, .timeout)
        case .interrupted: return (doneCount == 0 ? .error : .inconclusive, .notRun)
        case .captureEnded, .unended: return (.inconclusive, .captureEnd)
        case .nothingToJudge: return (.inconclusive, .setup)
        case .deviceUnseen, .actsSkipped: return (.inconclusive, .preamble)
        case _ where debt?.isPaid == false: return (.inconclusive, .sequence)
        case _ where extra != nil: return (.inconclusive, .sequence)
        // The device could not send it on a connection that another party has ended.
        case .missing where !options.harnessPlaysPeers && connectionEnd?.isFromDevice == false:
            return (.inconclusive, .sequence)
        case .malformed where message?.isFromDevice == false:
            return (options.harnessPlaysPeers ? .error : .inconclusive, .malformed)
        // It does not depend on the preamble.
        case .violation: return (.fail, .violation)
        case .notAtRest: return (.fail, .sequence)
        default: break
        }
        guard case .line(let position) = place else { return (.fail, closingCode) }
        let line = program.lines[position]
        return line.reference.part == .preamble
            ? (.inconclusive, .preamble) : bodyRuling(line, options: options)
    }

    private var closingCode: ReasonCode {
        switch kind {
        case .forbidden: .absence
        case .malformed: .malformed
        case .deviceExited, .deviceHung: .liveness
        default: .unexpected
        }
    }

    private func bodyRuling(
        _ line: CaseProgram.Line, options: CaseMatcher.Options
    ) -> (verdict: Verdict, code: ReasonCode) {
        switch kind {
        case .fieldsDiffer: (.fail, .field)
        case .schedule(let violation):
            (line.isUpToDevice ? .fail : .inconclusive, violation.code)
        case .outOfOrder, .repeated, .connectionClosed: (.fail, .sequence)
        case .missing: (line.isUpToDevice ? .fail : .inconclusive, .sequence)
        case .early: (line.isUpToDevice ? .fail : .inconclusive, .timing)
        case .late where line.isUpToDevice: (.fail, .timing)
        case .late where line.isAct && options.harnessPlaysPeers: (.inconclusive, .lateHarness)
        case .late: (.inconclusive, .timing)
        case .forbidden, .malformed, .deviceExited, .deviceHung: (.fail, closingCode)
        default: (.fail, .unexpected)
        }
    }

    /// Returns the requirements that it breaks.
    ///
    /// There are none for a violation of the protocol in a case that does not demand it itself.
    func citedRequirements(of testCase: TestCase, in program: CaseProgram) -> [String] {
        var cited: [String] = []
        if case .forbidden(let rule) = kind {
            cited = testCase.never[rule].checks
        } else if case .violation = kind, testCase.violations != .steps {
            // The violation does not break what the present step is about.
            guard !testCase.isHeldToProtocol else { return [] }
            cited = testCase.checks
        } else if case .line(let position) = place {
            return Self.requirements(of: program.lines[position].step, in: testCase, for: kind)
        }
        return cited.isEmpty ? testCase.mainChecks : cited
    }

    /// Returns the requirements that are broken by a failure at a step.
    static func requirements(
        of step: Step, in testCase: TestCase, for kind: Finding.Kind
    ) -> [String] {
        let own = requirements(of: step, for: kind)
        return own.isEmpty ? testCase.mainChecks : own
    }

    /// Returns the requirements of the step.
    ///
    /// For a schedule with requirements for its rules, they are those of the broken rules.
    private static func requirements(of step: Step, for kind: Finding.Kind) -> [String] {
        guard case .backoff(let schedule) = step.verb, !schedule.checks.isEmpty else {
            return step.checks
        }
        guard case .schedule(let violation) = kind else { return [] }
        return schedule.requirements(of: violation.rules)
    }

    /// Returns the position of the step, or of the rule that was broken.
    func position(in testCase: TestCase, _ program: CaseProgram) -> SourcePosition {
        if case .forbidden(let rule) = kind { return testCase.never[rule].pattern.position }
        if case .violation = kind, testCase.violations != .steps { return testCase.position }
        if case .notAtRest(let failure) = kind { return failure.condition.position }
        if case .line(let position) = place { return program.lines[position].step.position }
        return testCase.position
    }
}

extension TestCase {
    /// The requirements that are broken by failures to which no part of the case assigns its own.
    fileprivate var mainChecks: [String] { checks.isEmpty ? allChecks : checks }
}

extension CaseProgram.Line {
    /// Whether the harness executes it.
    var isAct: Bool {
        if case .act = goal { true } else { false }
    }
}
