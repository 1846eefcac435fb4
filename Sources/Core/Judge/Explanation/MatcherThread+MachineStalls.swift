import Results
import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Returns why the machine may be the cause of a failure; `nil` if the failure is certain.
    ///
    /// - A missed time is not certain if a party was delayed meanwhile by at least as much, unless
    ///   no delay can cause the failure.
    /// - If the result depends on which party was first, a party that was delayed in the body for
    ///   longer than the tolerance may have caused another order than the suite intends, if it was
    ///   delayed for as long as the message is away from the moment that would have made it right.
    func reasonOfStalls(_ finding: Finding, _ code: ReasonCode) -> InconclusiveReason? {
        guard !record.stalls.all.isEmpty else { return nil }
        if case .deviceHung = finding.kind { return reasonOfHang(finding) }
        if case .schedule(let violation) = finding.kind, violation.isSurelyEarly { return nil }
        guard Self.dependsOnTiming(code) else { return nil }
        let until = finding.time + Self.slack
        let excess = excess(of: finding)
        if let excess {
            let origin = finding.countedFrom
            var span = max(finding.time - origin, .zero)
            if case .missing = finding.kind, let latest = attempt?.window.latest {
                span = min(span, latest - finding.origin)
            }
            let begun = min(origin - span, reactionOrigin(of: finding) ?? finding.time)
            let heldUp = record.stalls.heldUp(from: begun - Self.slack, to: until)
            if heldUp >= excess {
                return InconclusiveReason(
                    "the machine held up the device or the harness for "
                        + "\(TimeText.length(heldUp)) meanwhile, and "
                        + missed(finding, by: excess), demanding: "a machine that lets them run")
            }
        }
        let bound = tolerance(of: finding)
        guard let hangs = timingInfluence(on: finding, isMeasured: excess != nil),
            let stall = record.stalls.longest(
                from: bodyStart, to: until, harnessOnly: hangs == .harness),
            stall.length > bound
        else { return nil }
        let total =
            hangs == .harness
            ? record.stalls.harnessHeldUp(from: bodyStart, to: until)
            : record.stalls.heldUp(from: bodyStart, to: until)
        if let needed = delayNeeded(for: finding, excess), total < needed { return nil }
        let party = stall.party == DeviceEvent.harness ? "harness" : "device"
        return InconclusiveReason(
            "the machine held up the \(party) for \(TimeText.length(stall.length)), "
                + "\(bound.suiteText) are allowed", demanding: "a machine that lets it run")
    }

    /// Returns why the machine may be the cause of a failed preamble; `nil` if another party is.
    ///
    /// The preamble took too long, or a party did not wait for its end. Nothing is judged in a
    /// preamble. The machine is the cause if it let no party run for most of the time, for example
    /// if a starting program gets no processor.
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
            "the machine held up the device or the harness for \(TimeText.length(heldUp)) of the "
                + "preamble", demanding: "a machine that lets them run")
    }

    /// Returns why a device that sent nothing in the closing window may have had no processor time.
    ///
    /// It is `nil` if the device had some, or if nothing depends on its silence.
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
            "the machine held up the device for \(TimeText.length(heldUp)) of the closing window",
            demanding: "a machine that lets it run")
    }

    /// Returns why a device may not have had the time to answer a liveness probe.
    private func reasonOfHang(_ finding: Finding) -> InconclusiveReason? {
        let heldUp = record.stalls.heldUp(
            from: finding.time - Self.probeTime, to: finding.time + Self.slack)
        guard heldUp >= Self.probeTime / 3 else { return nil }
        return InconclusiveReason(
            "the machine held up the device or the harness for \(TimeText.length(heldUp)) while "
                + "the device's liveness was probed",
            demanding: "a machine that lets them run")
    }

    /// Returns by how much a time was missed, or how long nothing came after it.
    private func missed(_ finding: Finding, by excess: Duration) -> String {
        let text = TimeText.length(excess)
        if case .missing = finding.kind { return "nothing came until \(text) after its time" }
        return "the time was missed by \(text)"
    }

    /// How long a device is probed, at most, before it is found to hang.
    private static let probeTime: Duration = .seconds(3)

    /// The parties whose delays may have changed the order of events.
    private enum Followed {
        case everybody
        case harness
    }

    /// Returns the parties whose delays may have caused the finding; `nil` for none.
    private func timingInfluence(on finding: Finding, isMeasured: Bool) -> Followed? {
        if case .schedule = finding.kind, case .schedule(_, let schedule)? = line(of: finding)?.goal
        {
            switch schedule.reset {
            case .stable, .elapsed: return .everybody
            case .never, .success: break
            }
            // Whatever the order, these are about a number; a late harness may be the reason for
            // a further attempt.
            if case .schedule(let violation) = finding.kind, case .tooMany = violation.kind {
                return .harness
            }
        }
        if !isMeasured, testCase.followsTime { return .everybody }
        return testCase.actsByTime ? .harness : nil
    }

    /// Returns the shortest delay that could explain a failure; `nil` if any delay may.
    private func delayNeeded(for finding: Finding, _ excess: Duration?) -> Duration? {
        if case .schedule(let violation) = finding.kind {
            guard let excess else { return violation.distanceToReset }
            return violation.distanceToReset.map { min($0, excess) } ?? excess
        }
        return excess ?? distanceToTurn(of: finding)
    }

    /// Returns how far a message is from the nearest moment at which the case or the harness turns
    /// from one step to the next because of a time; `nil` if there is none.
    private func distanceToTurn(of finding: Finding) -> Duration? {
        guard finding.message != nil else { return nil }
        var turns = configuration.completions.elements.filter {
            program.lines[$0.line].turnsByTime
        }.map(\.time)
        if let line = line(of: finding) {
            if line.turnsByTime, let attempt { turns.append(attempt.due) }
            // The next act may be due soon, but a delay cannot be compared with a step not reached.
            let next = program.lines.indices.dropFirst((finding.line ?? 0) + 1).first.map {
                program.lines[$0]
            }
            if let next, next.isTimed { return nil }
        }
        return turns.map { max($0 - finding.time, finding.time - $0) }.min()
    }

    /// When the time to react began that a broken `never` rule allows; `nil` if it allows none.
    private func reactionOrigin(of finding: Finding) -> Timestamp? {
        guard case .forbidden(let rule) = finding.kind, let after = testCase.never[rule].after
        else { return nil }
        return beginning(ofRule: rule).map { $0 - after }
    }

    /// When the body began.
    private var bodyStart: Timestamp {
        configuration.completions.last {
            program.lines[$0.line].reference.part == .preamble
        }?.time ?? start
    }

    private func line(of finding: Finding) -> CaseProgram.Line? {
        finding.line.map { program.lines[$0] }
    }

    /// The largest distance in time between a delay and its effect.
    private static let slack: Duration = .milliseconds(10)

    /// Whether lateness can cause a failure of that kind.
    private static func dependsOnTiming(_ code: ReasonCode) -> Bool {
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

    /// Returns by how much a time was missed; `nil` if the failure is not about timing.
    private func excess(of finding: Finding) -> Duration? {
        switch finding.kind {
        case .late: attempt.map { finding.time - $0.window.latest }
        case .early: attempt?.window.earliest.map { $0 - finding.time }
        case .missing: attempt.map { finding.time - $0.window.latest }
        case .schedule(let violation): violation.excess(at: finding.time, attempt?.schedule?.latest)
        // A device that had less than half of the time may not have been at rest.
        case .notAtRest(let failure):
            [failure.shift, failure.quiet == .zero ? nil : failure.quiet * 0.5]
                .compactMap(\.self).min()
        case .forbidden(let rule) where testCase.never[rule].after != nil:
            beginning(ofRule: rule).map { finding.time - $0 }
        case .forbidden: finding.excess?.shortfall
        default: nil
        }
    }
}

extension CaseProgram.Line {
    /// Whether time alone, or the harness, decides when the next line begins.
    fileprivate var turnsByTime: Bool {
        switch goal {
        case .act, .pause, .schedule: true
        case .expect, .collect: false
        }
    }

    /// Whether the line itself acts or ends at a time.
    fileprivate var isTimed: Bool {
        switch goal {
        case .pause: true
        case .act: step.at != nil || step.after != nil
        case .expect, .collect, .schedule: false
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

    /// Whether the order of events depends on when harness and device act.
    fileprivate var followsTime: Bool {
        actsByTime
            || steps.plain.contains { step in
                if case .backoff = step.verb { true } else { false }
            }
    }
}

extension ScheduleViolation {
    /// Returns by how much a wait was missed; `nil` if the violation is not about timing.
    fileprivate func excess(at time: Timestamp, _ latest: Timestamp?) -> Duration? {
        switch kind {
        case .early(let lead): lead
        case .late(let lag): lag
        case .absent: latest.map { time - $0 } ?? .zero
        case .tooLong(let elapsed, let limit): elapsed - limit
        case .overBudget: shortfall
        case .parallel, .tooMany, .spread: nil
        }
    }
}
