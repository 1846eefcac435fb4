import Results
import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Returns the judgement of the case, to which nothing more will come.
    func judgement(at end: Timestamp) -> Judgement {
        let finding = finding ?? emptiness
        let (verdict, reason) = verdictAndReason(finding)
        guard !options.isVerdictOnly else {
            return Judgement(
                verdict: verdict, reason: reason, takenCount: configuration.takenCount,
                decidedAt: finding?.time ?? passedAt ?? end)
        }
        let alignment = Alignment(
            program: program, record: record, finding: finding, bindings: configuration.bindings,
            start: start)
        var judgement = Judgement(
            verdict: verdict, reason: reason, checks: checks(verdict, finding),
            steps: steps(finding), ignored: record.ignored, comments: comments(finding),
            takenCount: configuration.takenCount, rows: alignment.links)
        judgement.measurements = measurements()
        judgement.decidedAt = finding?.time ?? passedAt ?? end
        return judgement
    }

    /// The reason why a case without a finding is not a pass; `nil` if it is one.
    private var emptiness: Finding? {
        guard testCase.kind == .ordinary else { return nil }
        let kind: Finding.Kind
        if testCase.steps.isEmpty, testCase.never.isEmpty {
            kind = .nothingToJudge
        } else if let unseen = testCase.deviceNames.first(where: {
            !record.seenDevices.contains($0)
        }),
            !tookExit(of: unseen)
        {
            kind = .deviceUnseen(unseen)
        } else if let count = record.skippedActs {
            kind = .actsSkipped(count)
        } else {
            return nil
        }
        let time = configuration.completions.last?.time ?? start
        return Finding(
            kind: kind, place: .closing, time: time, origin: time, originName: "the end",
            message: nil, nearest: nil,
            lastDone: configuration.completions.last?.line)
    }

    /// Whether a step took the exit of the device's process, which also shows the device.
    private func tookExit(of device: String) -> Bool {
        configuration.completions.last {
            $0.message?.name == DeviceEvent.exited
                && ($0.message?.content.field(DeviceEvent.devicePath)?.stringValue ?? Step.device)
                    == device
        } != nil
    }

    /// Returns the text that a device hangs, if that was found in addition to the finding.
    private func hangNote(_ finding: Finding) -> String {
        guard let hang = record.hang else { return "" }
        if case .deviceHung = finding.kind { return "" }
        let name = PlacedMessage(hang, parties: parties).sender ?? Step.device
        return "; \(name == Step.device ? "the device" : "the device \(name)") hangs: "
            + Summary.hang(hang)
    }

    /// Returns why peers were silent if something is missing: the device may have waited for them.
    private func silenceNote(_ finding: Finding) -> String {
        switch finding.kind {
        case .missing, .timeout, .captureEnded, .connectionClosed:
            record.silences.text(until: finding.time)
        default: ""
        }
    }

    // MARK: - Verdict

    private func verdictAndReason(_ finding: Finding?) -> (Verdict, Reason?) {
        let ruling = finding?.ruling(
            in: program, options: options, doneCount: configuration.completions.count)
        let summary = finding.map {
            Summary(testCase: testCase, program: program, finding: $0).text + silenceNote($0)
                + hangNote($0)
        }
        let explanation =
            options.isVerdictOnly ? nil : finding.map { Explanation(of: $0, in: self) }
        if ruling?.verdict != .error,
            let doubt =
                (record.lateness.first ?? overdueAnswer(finding)).map(InconclusiveReason.init)
                ?? reasonOfCarrier
                ?? reasonOfUnread
                ?? reasonOfStalls(finding, ruling)
        {
            let reason = doubt.reason(
                overruling: ruling?.verdict ?? .pass, summary, explanation, of: context.prepared)
            return (.inconclusive, reason)
        }
        guard let ruling, let summary else { return (.pass, nil) }
        return (ruling.verdict, Reason(ruling.code, summary, explanation: explanation))
    }

    /// Returns a due answer of a peer for which the device no longer waited.
    ///
    /// In that case the harness is late, not the device.
    private func overdueAnswer(_ finding: Finding?) -> LatenessWatch.Lateness? {
        guard options.harnessPlaysPeers, let finding, case .line(let position) = finding.place,
            case .expect(let answer) = program.lines[position].goal,
            program.lines[position].isUpToPeer, let message = finding.message
        else { return nil }
        switch finding.kind {
        case .unexpected, .outOfOrder, .repeated, .connectionClosed: break
        default: return nil
        }
        let peer = testCase.peers.first { $0.name == answer.sender }
        return record.lateness.overdue(
            answer.pattern.message, of: answer.sender, before: message.message,
            wanted: peer?.latestAnswer ?? .zero)
    }

    /// The reason to attribute the device's behaviour to a failed carrier; `nil` if none failed.
    private var reasonOfCarrier: InconclusiveReason? {
        record.carrierFault.flatMap { InconclusiveReason(carrier: $0, origin: start) }
    }

    /// The reason that a relevant message of the device was not read completely.
    private var reasonOfUnread: InconclusiveReason? {
        record.unread.flatMap { InconclusiveReason(unread: $0, origin: start) }
    }

    private func reasonOfStalls(
        _ finding: Finding?, _ ruling: (verdict: Verdict, code: ReasonCode)?
    ) -> InconclusiveReason? {
        guard let finding, let ruling else { return reasonOfSilence() }
        if ruling.code == .preamble { return reasonOfPreamble(finding) }
        return ruling.verdict == .fail ? reasonOfStalls(finding, ruling.code) : nil
    }

    // MARK: - Requirements and steps

    private func checks(_ verdict: Verdict, _ finding: Finding?) -> [CheckResult] {
        let broken = finding?.citedRequirements(of: testCase, in: program) ?? []
        return testCase.allChecks.map { id in
            let isSpared = verdict == .fail && !broken.contains(id)
            return CheckResult(requirement: id, verdict: isSpared ? .none : verdict)
        }
    }

    private func steps(_ finding: Finding?) -> [StepResult] {
        var completions: [Int: Configuration.Completion] = [:]
        for completion in configuration.completions.elements {
            completions[completion.line] = completion
        }
        return program.lines.enumerated().map { position, line in
            var result = StepResult(
                part: line.reference.part, text: line.text, position: line.step.position,
                outcome: .notReached, act: line.step.act)
            result.drawnAct = testCase.drawnAct(of: line.step)
            result.schedule = record.schedules[position]
            if let samples = record.samples[position], case .backoff(let schedule) = line.step.verb
            {
                result.spread = ScheduledSpread(of: [samples], level: schedule.level)
                result.spread?.drawn = drawn(samples, line)
            }
            if finding?.place == .line(position) {
                result.outcome = .failed
                result.timing = attempt.map { timing(of: line, $0.window, finding?.message?.time) }
            } else if let completion = completions[position] {
                result.outcome = .done
                result.frames = completion.message?.frames ?? []
                result.seconds = completion.message.map { _ in
                    TimeText.number(completion.time - completion.origin)
                }
                result.timing = timing(
                    of: line, TimeWindow(of: line.step, origin: completion.origin),
                    completion.time)
            }
            return result
        }
    }

    /// Returns the waits of a line's schedule, for judging them with those of other executions.
    private func drawn(_ samples: [SpreadTest.Sample], _ line: CaseProgram.Line) -> DrawnWaits {
        let violation = ScheduleViolation(.spread(.tooClose(samples.count)), of: [.chance])
        let ids = Finding.requirements(of: line.step, in: testCase, for: .schedule(violation))
        return DrawnWaits(
            samples: samples, step: line.reference.number,
            requirements: ids.compactMap { id in self.requirements.first { $0.id == id } })
    }

    /// Returns the window of a line relative to the first message.
    ///
    /// Actions of the harness have no window to keep.
    private func timing(
        of line: CaseProgram.Line, _ window: TimeWindow, _ actual: Timestamp?
    ) -> StepTiming {
        let zero = record.firstTime ?? start
        let isJudged = if case .expect = line.goal { true } else { false }
        return StepTiming(
            since: TimeText.number(window.origin - zero),
            earliest: isJudged ? window.earliest.map { TimeText.number($0 - zero) } : nil,
            latest: isJudged ? TimeText.number(window.latest - zero) : nil,
            actual: actual.map { TimeText.number($0 - zero) })
    }

    // MARK: - Comments on packets

    private func comments(_ finding: Finding?) -> [Int: [String]] {
        var comments: [Int: [String]] = [:]
        for completion in configuration.completions.elements {
            let line = program.lines[completion.line]
            guard let frame = completion.message?.frames.last else { continue }
            comments[frame, default: []].append(
                "step \(line.reference.number): \(line.text) (\(line.step.position.short))")
        }
        for (line, intervals) in record.schedules.sorted(by: { $0.key < $1.key }) {
            for interval in intervals {
                guard let frame = interval.frame else { continue }
                comments[frame, default: []].append(
                    "step \(program.lines[line].reference.number): \(interval.text)")
            }
        }
        if let finding, let frame = finding.message?.message.frames.last {
            comments[frame, default: []].append("broke \(broken(by: finding))")
        }
        return comments
    }

    private func broken(by finding: Finding) -> String {
        let place = finding.position(in: testCase, program).short
        if case .forbidden(let rule) = finding.kind {
            return "never: \(testCase.never[rule].suiteText) (\(place))"
        }
        if case .violation = finding.kind {
            return "violations: \(testCase.violations.rawValue) (\(place))"
        }
        guard case .line(let position) = finding.place else {
            return "the closing window: quiet \(testCase.quietText) (\(place))"
        }
        let line = program.lines[position]
        return "step \(line.reference.number): \(line.text) (\(place))"
    }
}
