import Results
import Suites
import Trace
import Wire

extension MatcherThread {
    /// Why a failure may be the machine's; `nil` if it stands.
    ///
    /// - A time that was missed by no more than somebody was held up meanwhile says nothing, unless
    ///   no delay can bring it about.
    /// - Where what happens hangs on who was first, whoever was held up in the body for longer than
    ///   the tolerance may have made something happen in another order than the suite means.
    func reasonOfStalls(_ finding: Finding, _ code: ReasonCode) -> InconclusiveReason? {
        guard !record.stalls.all.isEmpty else { return nil }
        if case .deviceHung = finding.kind { return reasonOfHang(finding) }
        if case .schedule(let violation) = finding.kind, violation.isSurelyEarly { return nil }
        guard Self.hangsOnTime(code) else { return nil }
        let until = finding.time + Self.slack
        let excess = excess(of: finding)
        if let excess {
            let span = max(finding.time - finding.origin, .zero)
            let heldUp = record.stalls.heldUp(
                from: finding.origin - span - Self.slack, to: until)
            if heldUp >= excess {
                return InconclusiveReason(
                    "the machine held up the device or the harness for "
                        + "\(TimeText.seconds(heldUp)) meanwhile, and "
                        + missed(finding, by: excess), demanding: "a machine that lets them run")
            }
        }
        let bound = tolerance(of: finding)
        guard let hangs = orderHangs(on: finding, isMeasured: excess != nil),
            let stall = record.stalls.longest(
                from: bodyStart, to: until, harnessOnly: hangs == .harness),
            stall.length > bound
        else { return nil }
        let party = stall.party == DeviceEvent.harness ? "harness" : "device"
        return InconclusiveReason(
            "the machine held up the \(party) for \(TimeText.seconds(stall.length)), "
                + "\(bound.suiteText) are allowed", demanding: "a machine that lets it run")
    }

    /// Why the machine may be to blame that the preamble took too long, or that somebody did not wait
    /// for the end of it; `nil` if somebody else is.
    ///
    /// Nothing is judged in a preamble. It is the machine's if it let nobody run for most of the time,
    /// as when a program that starts gets no processor.
    func reasonOfPreamble(_ finding: Finding) -> InconclusiveReason? {
        let excess: Duration
        switch finding.kind {
        case .unexpected, .connectionClosed: excess = tolerance(of: finding)
        default:
            guard let missed = self.excess(of: finding) else { return nil }
            excess = missed
        }
        let heldUp = record.stalls.heldUp(
            within: finding.origin - Self.slack, finding.time + Self.slack)
        guard heldUp > .zero, heldUp >= excess, heldUp * 2 >= finding.time - finding.origin else {
            return nil
        }
        return InconclusiveReason(
            "the machine held up the device or the harness for \(TimeText.seconds(heldUp)) of the "
                + "preamble", demanding: "a machine that lets them run")
    }

    /// Why a device that sent nothing in the closing window may only have had no processor for it;
    /// `nil` if it had one, or if nothing hangs on its silence.
    func reasonOfSilence() -> InconclusiveReason? {
        guard
            testCase.unexpected == .fail || testCase.violations == .fail
                || !testCase.never.isEmpty
        else { return nil }
        let since = configuration.completions.last?.time ?? start
        let heldUp = record.stalls.heldUp(
            within: since, since + testCase.quiet, devicesOnly: true)
        guard heldUp > .zero, heldUp * 2 >= testCase.quiet else { return nil }
        return InconclusiveReason(
            "the machine held up the device for \(TimeText.seconds(heldUp)) of the closing window",
            demanding: "a machine that lets it run")
    }

    /// Why a device that was asked for a sign of life may not have had the time to give it.
    private func reasonOfHang(_ finding: Finding) -> InconclusiveReason? {
        let heldUp = record.stalls.heldUp(
            from: finding.time - Self.probeTime, to: finding.time + Self.slack)
        guard heldUp >= Self.probeTime / 3 else { return nil }
        return InconclusiveReason(
            "the machine held up the device or the harness for \(TimeText.seconds(heldUp)) while "
                + "the device was asked for a sign of life",
            demanding: "a machine that lets them run")
    }

    /// By how much a time was missed, or how long nothing came after it.
    private func missed(_ finding: Finding, by excess: Duration) -> String {
        let text = TimeText.seconds(excess)
        if case .missing = finding.kind { return "nothing came until \(text) after its time" }
        return "the time was missed by \(text)"
    }

    /// How long before it is found to hang a device is asked at most.
    private static let probeTime: Duration = .seconds(3)

    /// Whose delays may have made something happen in another order.
    private enum Followed {
        case everybody
        case harness
    }

    /// Whose delays may have brought about what was found; `nil` for nobody's.
    private func orderHangs(on finding: Finding, isMeasured: Bool) -> Followed? {
        if case .schedule = finding.kind, case .schedule(_, let schedule)? = line(of: finding)?.goal
        {
            switch schedule.reset {
            case .stable, .elapsed: return .everybody
            case .never, .success: break
            }
        }
        if !isMeasured, testCase.followsTime { return .everybody }
        return testCase.actsByTime ? .harness : nil
    }

    /// When the body was reached.
    private var bodyStart: Timestamp {
        configuration.completions.last {
            program.lines[$0.line].reference.part == .preamble
        }?.time ?? start
    }

    private func line(of finding: Finding) -> CaseProgram.Line? {
        finding.line.map { program.lines[$0] }
    }

    /// How far a delay may stand from what it brought about.
    private static let slack: Duration = .milliseconds(10)

    /// Whether a failure of that kind can come of lateness.
    private static func hangsOnTime(_ code: ReasonCode) -> Bool {
        switch code {
        case .timing, .sequence, .unexpected, .absence: true
        default: false
        }
    }

    private func tolerance(of finding: Finding) -> Duration {
        let line = line(of: finding) ?? program.lines.last
        if case .backoff(let schedule)? = line?.step.verb { return schedule.late.absolute }
        return (line?.step.tolerance ?? Tolerance()).bound(for: .zero)
    }

    /// By how much a time was missed; `nil` if the failure is none of a time.
    private func excess(of finding: Finding) -> Duration? {
        switch finding.kind {
        case .late: attempt.map { finding.time - $0.window.latest }
        case .early: attempt?.window.earliest.map { $0 - finding.time }
        case .missing: attempt.map { finding.time - $0.window.latest }
        case .schedule(let violation): violation.excess(at: finding.time, attempt?.schedule?.latest)
        default: nil
        }
    }
}

extension TestCase {
    /// Whether the harness acts at times of its own.
    fileprivate var actsByTime: Bool {
        steps.plain.contains { step in
            switch step.verb {
            case .wait: true
            case .perform, .send, .sendBytes: step.at != nil || step.after != nil
            default: false
            }
        }
    }

    /// Whether the order of what happens hangs on when harness and device act.
    fileprivate var followsTime: Bool {
        actsByTime
            || steps.plain.contains { step in
                if case .backoff = step.verb { true } else { false }
            }
    }
}

extension ScheduleViolation {
    /// By how much a wait was missed; `nil` if it is none of a time.
    fileprivate func excess(at time: Timestamp, _ latest: Timestamp?) -> Duration? {
        switch kind {
        case .early(let lead): lead
        case .late(let lag): lag
        case .absent: latest.map { time - $0 } ?? .zero
        case .parallel, .tooMany, .tooLong, .overBudget, .spread: nil
        }
    }
}
