import Results
import Suites
import Trace
import Wire

/// Why a case is not a pass: what was found, where, and when.
struct Finding: Sendable {
    /// What was found.
    enum Kind: Sendable {
        /// The right message came with wrong fields.
        case fieldsDiffer([Difference])
        /// The message of a later line came first.
        ///
        /// `differences` tells why it is not the awaited one, if it has that one's name.
        case outOfOrder(line: Int, differences: [Difference] = [])
        /// The message of an earlier line came again.
        case repeated(line: Int, differences: [Difference] = [])
        /// The device sent what no line takes.
        case unexpected
        /// The right message came too early, by that much.
        case early(Duration)
        /// The right message came too late, by that much.
        case late(Duration)
        /// Attempts do not keep their schedule.
        case schedule(ScheduleViolation)
        /// Nothing that fits came.
        case missing
        /// What a peer should have sent could not come: the device ended its connection.
        case connectionClosed
        /// A message came that must never come: the position of the rule in the case.
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
        /// The case took longer than it may.
        case timeout
        /// The run was interrupted.
        case interrupted
        /// An expression has no value where it is used, for this reason.
        case unbound(String)
        /// An act is due, and the messages leave open whether it is.
        case ambiguous
        /// The messages leave more ways open than are followed.
        case tooManyWays
        /// The case has nothing that could be judged.
        case nothingToJudge
        /// The trace shows nothing of the device.
        case deviceUnseen(String)
        /// The device does not answer any more.
        case deviceHung
    }

    /// Where in the case it was found.
    enum Place: Sendable, Hashable {
        /// At the line of that position.
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
    /// What was at that moment: `step 3`, or the name that a step has.
    let originName: String
    /// The message that shows it; `nil` if it is an absence.
    var message: PlacedMessage?
    /// The message that came closest to what was demanded.
    let nearest: NearMiss?
    /// The line that was done last.
    let lastDone: Int?
    /// The first segment by which a connection ended while the line was waited for; of a line that
    /// acts also the last one before it by which a device ended a connection.
    var connectionEnd: PlacedMessage?
    /// What a peer owed when the device went on without it, and whether it came after all.
    struct OwedMessage: Sendable {
        /// What was waited for.
        let awaited: Signature
        /// Until when it might have come.
        let until: Timestamp
        var isPaid = false
    }

    /// What had come of a message of the device that was not complete.
    @Boxed var beginning: PlacedMessage?
    /// The last refusal of a call where no peer listens.
    @Boxed var refusal: TraceMessage?
    /// The entries of a `collect` step that no message has fitted.
    var missing: [Int] = []
    /// What a peer owed; `nil` if nothing was waited for of a peer.
    var debt: OwedMessage?
    /// Other lines that were waited for as well, on ways that ended by the same message.
    var otherLines: [Int] = []
}

extension Finding {
    /// The line at which it was found; `nil` in the closing window.
    var line: Int? {
        if case .line(let position) = place { position } else { nil }
    }

    /// The verdict and its code, before lost packets or a late harness overrule it.
    func ruling(
        in program: CaseProgram, options: CaseMatcher.Options, doneCount: Int
    ) -> (verdict: Verdict, code: ReasonCode) {
        switch kind {
        case .unbound, .ambiguous, .tooManyWays: return (.error, .setup)
        case .timeout: return (.error, .timeout)
        case .interrupted: return (doneCount == 0 ? .error : .inconclusive, .notRun)
        case .captureEnded, .unended: return (.inconclusive, .captureEnd)
        case .nothingToJudge: return (.inconclusive, .setup)
        case .deviceUnseen: return (.inconclusive, .preamble)
        case _ where debt?.isPaid == false: return (.inconclusive, .sequence)
        // On a connection that somebody else has ended the device could not send it.
        case .missing where !options.harnessPlaysPeers && connectionEnd?.isFromDevice == false:
            return (.inconclusive, .sequence)
        case .malformed where message?.isFromDevice == false:
            return (options.harnessPlaysPeers ? .error : .inconclusive, .malformed)
        // It needs no starting point.
        case .violation: return (.fail, .violation)
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

    /// The requirements that it is held against; none for a violation of the protocol in a case that
    /// does not speak of that itself.
    func citedRequirements(of testCase: TestCase, in program: CaseProgram) -> [String] {
        var cited: [String] = []
        if case .forbidden(let rule) = kind {
            cited = testCase.never[rule].checks
        } else if case .violation = kind {
            // What the present step is about is not broken by it.
            guard !testCase.isHeldToProtocol else { return [] }
            cited = testCase.checks
        } else if case .line(let position) = place {
            return Self.requirements(of: program.lines[position].step, in: testCase, for: kind)
        }
        return cited.isEmpty ? testCase.mainChecks : cited
    }

    /// The requirements that are broken by what went wrong at a step.
    static func requirements(
        of step: Step, in testCase: TestCase, for kind: Finding.Kind
    ) -> [String] {
        let own = requirements(of: step, for: kind)
        return own.isEmpty ? testCase.mainChecks : own
    }

    /// The requirements that the step stands for; of a schedule that tells its rules apart those of
    /// the rules that were broken.
    private static func requirements(of step: Step, for kind: Finding.Kind) -> [String] {
        guard case .backoff(let schedule) = step.verb, !schedule.checks.isEmpty else {
            return step.checks
        }
        guard case .schedule(let violation) = kind else { return [] }
        return schedule.requirements(of: violation.rules)
    }

    /// Where the step, or the rule that was broken, stands.
    func position(in testCase: TestCase, _ program: CaseProgram) -> SourcePosition {
        if case .forbidden(let rule) = kind { return testCase.never[rule].pattern.position }
        if case .violation = kind { return testCase.position }
        if case .line(let position) = place { return program.lines[position].step.position }
        return testCase.position
    }
}

extension TestCase {
    /// The requirements that are broken by what no part of the case stands for.
    fileprivate var mainChecks: [String] { checks.isEmpty ? allChecks : checks }
}

extension CaseProgram.Line {
    /// Whether the harness does it.
    var isAct: Bool {
        if case .act = goal { true } else { false }
    }
}
