import SuiteLanguage
import Trace
import Wire

/// One path through a case: its position, and what it has learnt and seen so far.
///
/// A case without alternatives has one thread. If messages do not determine which step is next,
/// there is one for each possibility. Each judges messages independently of the others.
struct MatcherThread: Sendable {
    enum Phase: Sendable, Hashable {
        case running
        case closing(since: Timestamp)
        case failed(at: Timestamp)
        case finished
    }

    /// An event that is due at a certain time.
    enum Alarm: Sendable, Hashable {
        case due, missing, closingOver, aftermathOver, timeout
    }

    var context: MatchContext
    var phase = Phase.running
    var configuration: Configuration
    var attempt: Attempt?
    var record: CaseRecord
    @Boxed var finding: Finding?
    /// When the closing window ended.
    private(set) var passedAt: Timestamp?
    /// The possible next branches; this thread takes the first of them.
    var branches: [StepSequence.Branch]
    /// How many ends of each device were requested and have not come.
    private(set) var announcedExits: [String: Int] = [:]
    /// The schedules of lines other than the present one.
    ///
    /// They run in parallel to it, or begin later, and the outcomes of their clients' attempts are
    /// recorded.
    var beside: [Int: ScheduleFollower]
    /// The actions that persons were asked to do.
    @Boxed var personTime: PersonTime?
    /// Ends of devices that came while no step awaited them; a later step may.
    var untakenExits: [String: PlacedMessage] = [:]
    /// Ends of devices that were not requested, with nothing left that could act.
    var endedDevices: [String: PlacedMessage] = [:]
    /// Whether attempts are examined after one that broke a schedule.
    var isScheduleWatched = false
    /// For each `never` rule that limits a rate, the messages that it counts.
    var crowds: [Int: Crowd] = [:]
    /// The messages of streams that have begun and are not complete.
    var beginnings: [Configuration.StreamSide: Beginning] = [:]

    var testCase: TestCase { context.prepared.testCase }
    var requirements: [Requirement] { context.prepared.requirements }
    var parties: Parties { context.parties }
    var options: CaseMatcher.Options { context.prepared.options }
    var program: CaseProgram { context.prepared.program }
    var start: Timestamp { context.start }

    /// Creates a thread before the first step of a case.
    init(_ context: MatchContext) {
        self.context = context
        record = CaseRecord(keepsRows: !context.prepared.options.isVerdictOnly)
        branches = context.prepared.program.sequence.beginnings
        let first = branches.first
        configuration = Configuration(position: first?.step, state: first?.state)
        beside = context.prepared.program.watched.mapValues {
            ScheduleFollower(watching: $0, at: context.start)
        }
    }

    /// Whether it can still pass, or is watched to explain why it cannot.
    var isOpen: Bool {
        switch phase {
        case .running, .closing: true
        case .failed, .finished: false
        }
    }

    /// Whether it has ended without a finding.
    var isPassed: Bool { phase == .finished && finding == nil }

    /// The awaited line; `nil` after the last.
    var line: CaseProgram.Line? {
        configuration.position.map { program.lines[$0] }
    }

    /// Whether it has not reached the body yet.
    var isInPreamble: Bool { phase == .running && line?.reference.part == .preamble }

    // MARK: - Messages

    /// Takes the next message of the trace; returns the line that took it.
    mutating func consume(_ message: PlacedMessage) -> Int? {
        if record.stalls.record(message.message) || record.silences.record(message.message)
            || recordConfirmation(message) || skip(message)
        {
            return nil
        }
        record.see(message)
        if DeviceEvent.beginnings.contains(message.name), let device = message.sender {
            (untakenExits[device], endedDevices[device]) = (nil, nil)
        }
        if recordBeginning(message) { return nil }
        if message.name == "tcp.refused", options.harnessPlaysPeers {
            record.recordRefusal(message)
        }
        guard message.name != "tcp.gap" else {
            attempt?.schedule?.recordGap(flow: message.message.flow)
            for position in beside.keys { beside[position]?.recordGap(flow: message.message.flow) }
            return nil
        }
        recordCrowds(message)
        let taken = judge(message)
        watchTime(of: message, takenBy: taken)
        return taken
    }

    /// Goes on after a step that a peer could not carry out; returns whether the message says so.
    private mutating func skip(_ message: PlacedMessage) -> Bool {
        guard message.message.source == nil,
            let step = (message.message.content as? DeviceEvent)?.skippedStep
        else { return false }
        if phase == .running, let line, line.isAct, line.reference.number == step,
            attempt?.isReleased == true
        {
            complete(at: message.message.time)
        }
        return true
    }

    /// The kind of finding if the present line's message has not come.
    ///
    /// It says that the message is missing, or that the device has ended the connection on which a
    /// peer would have sent it.
    private var kindOfAbsence: Finding.Kind {
        guard let line, !line.isUpToDevice, attempt?.deviceClosing != nil else { return .missing }
        if case .perform = line.step.verb { return .missing }
        return .connectionClosed
    }

    /// Returns the finding on an open thread when nothing more comes; `nil` if it passes.
    mutating func kindOfEnd(at end: Timestamp, _ cause: EndCause) -> Finding.Kind? {
        switch phase {
        case .failed, .finished: return nil
        case .closing where testCase.isQuietToTheEnd && cause == .endKnown:
            judgeBeginnings(at: end)
            return nil
        case .closing(let since) where !testCase.isQuietToTheEnd && end >= since + testCase.quiet:
            judgeBeginnings(at: end)
            return nil
        case .closing, .running: break
        }
        if cause == .timeout { return .timeout }
        if cause == .interrupted { return .interrupted }
        guard phase == .running, let attempt, let line else { return .captureEnded }
        switch line.goal {
        case .pause: return .captureEnded
        case .collect:
            return end > attempt.window.latest && attempt.collection?.isComplete == false
                ? kindOfAbsence : .captureEnded
        case .schedule: return endOfSchedules(at: end, cause)
        case .act where !attempt.isReleased: return .captureEnded
        case .act, .expect: return end > attempt.window.latest ? kindOfAbsence : .captureEnded
        }
    }
}

// MARK: - Time

extension MatcherThread {
    /// The next moment at which time changes something.
    var alarm: (time: Timestamp, kind: Alarm)? {
        let limit = start + testCase.timeout + (personTime?.waited ?? .zero) + Limits.tick
        if isOpen, personTime?.isPending == true { return alarmWhileAwaiting }
        switch phase {
        case .finished: return nil
        case .failed where isScheduleWatched: return nil
        case .failed(let time):
            let end = max(time + Limits.aftermath, finding?.debt?.until ?? time)
            return (end + Limits.tick, .aftermathOver)
        case .closing where testCase.isQuietToTheEnd: return nil
        case .closing(let since):
            let end = endOfClosing(since: since, before: limit) + Limits.tick
            return end <= limit ? (end, .closingOver) : (limit, .timeout)
        case .running:
            guard let attempt else { return nil }
            if attempt.schedule != nil {
                let next = scheduleAlarm ?? (limit, .timeout)
                return next.time <= limit ? next : (limit, .timeout)
            }
            if let collection = attempt.collection, collection.isComplete {
                let end = min(collection.silence, max(attempt.window.latest, collection.heard))
                let next = (end, Alarm.due)
                return next.0 <= limit ? next : (limit, .timeout)
            }
            let missing =
                watched(
                    until: attempt.lastChance, for: attempt.window.latest, since: attempt.origin)
                + Limits.tick
            let next = isWaitingForMessage ? (missing, Alarm.missing) : (attempt.due, .due)
            return next.0 <= limit ? next : (limit, .timeout)
        }
    }

    /// Returns until when an overdue message is awaited if the machine delayed a party.
    ///
    /// Once it is overdue by more than the delay, the delay cannot be the reason.
    func watched(
        until moment: Timestamp, for latest: Timestamp, since origin: Timestamp
    ) -> Timestamp {
        guard !record.stalls.all.isEmpty else { return moment }
        let span = max(latest - origin, .zero)
        let heldUp = record.stalls.heldUp(
            from: origin - span - .milliseconds(10), to: Timestamp(nanoseconds: .max))
        return max(moment, min(latest + heldUp + .milliseconds(1), moment + Limits.heldUpMax))
    }

    var isWaitingForMessage: Bool {
        switch line?.goal {
        case .expect, .collect: true
        case .act: attempt?.isReleased ?? false
        case .pause, .schedule, nil: false
        }
    }

    /// Executes a due alarm.
    mutating func handle(_ alarm: (time: Timestamp, kind: Alarm)) -> Demand? {
        switch alarm.kind {
        case .due where attempt?.schedule != nil, .missing where attempt?.schedule != nil:
            advanceSchedules(at: alarm.time)
        case .due: return release(at: alarm.time)
        // In a drawn run, an act that has no effect is skipped.
        case .missing where line?.isAct == true && testCase.drawn != nil:
            complete(at: alarm.time)
        case .missing: find(kindOfAbsence, at: alarm.time)
        case .timeout: find(.timeout, at: alarm.time)
        case .closingOver:
            judgeBeginnings(at: alarm.time)
            guard finding == nil else { break }
            phase = .finished
            passedAt = alarm.time
        case .aftermathOver: phase = .finished
        }
        return nil
    }
}

// MARK: - Moving on

extension MatcherThread {
    /// Takes the first of the possible branches; returns the others.
    mutating func enterNextStep(at time: Timestamp) -> ArraySlice<StepSequence.Branch> {
        guard let first = branches.first else { return [] }
        let others = branches.dropFirst()
        branches = []
        enter(first, at: time)
        return others
    }

    /// Starts the line that a branch leads to, or the closing window.
    mutating func enter(_ branch: StepSequence.Branch, at time: Timestamp) {
        branches = []
        let previous = configuration.pass(branch.waypoints, start: start)
        configuration.position = branch.step
        configuration.state = branch.state
        if configuration.bodyStart == nil, line?.reference.part != .preamble {
            configuration.bodyStart = time
        }
        guard let position = branch.step else {
            attempt = nil
            phase = .closing(since: time)
            return
        }
        let origin = configuration.origin(of: program.lines[position], after: previous)
        attempt = Attempt(
            program.lines[position], origin: origin, at: time)
        if let counted = personTime?.deadlineOrigin(of: origin) {
            let line = program.lines[position]
            attempt?.count(line, from: counted)
        }
        beginSchedule(origin: origin, after: configuration.completions.last?.message)
        applyExits(at: time)
    }

    /// Completes the line at the present position.
    mutating func complete(at time: Timestamp, by message: TraceMessage? = nil) {
        guard let attempt, let line, let position = configuration.position else { return }
        if let message {
            record.recordSent(message)
            let isLost = if case .lost = line.step.verb { true } else { false }
            let content =
                isLost
                ? LostBytes(message.content, at: message.streamRange) ?? message.content
                : message.content
            for save in line.step.saves {
                configuration.bindings[save.variable] = save.value(
                    of: content, configuration.bindings)
            }
            if line.isAct, !line.step.isMeasurement, options.harnessPlaysPeers {
                record.lateness.record(
                    "step \(line.reference.number) (\(MessageText.shortened(line.text)))",
                    due: attempt.due,
                    lag: message.time - attempt.due,
                    bound: line.step.tolerance.bound(for: attempt.due - attempt.reached),
                    frames: message.frames)
            }
        }
        if line.isAct { recordRequest(message, at: time) }
        if testCase.drawnAct(of: line.step) != nil, message != nil || attempt.evidence != nil {
            record.recordAct(isShown: message != nil)
        }
        record.complete(line: position, by: message)
        configuration.complete(
            Configuration.Completion(
                line: position, time: time,
                origin: min(deadlineOrigin(of: attempt.window.origin), time), message: message),
            isReferenced: line.isReferenced, keepsAll: !options.isVerdictOnly)
        branches = configuration.state.map(program.sequence.continuations) ?? []
        let late = branches.indices.filter { beginsTooLate(branches[$0], at: time) }
        for index in late.reversed() { branches.remove(at: index) }
    }

    /// Whether a branch begins another round after the time in which the repetition must end.
    private func beginsTooLate(_ branch: StepSequence.Branch, at time: Timestamp) -> Bool {
        branch.state.barred.contains { position in
            guard let ending = branches.first(where: { $0.step == position }) else { return false }
            var other = configuration
            let previous = other.pass(ending.waypoints, start: start)
            let line = program.lines[position]
            let origin = other.origin(of: line, after: previous)
            return time > TimeWindow(of: line.step, origin: deadlineOrigin(of: origin)).latest
        }
    }

    /// Ends the pause, or demands the action of the present line.
    private mutating func release(at time: Timestamp) -> Demand? {
        guard let line, case .act(let evidence) = line.goal else {
            complete(at: time)
            return nil
        }
        do throws(EvaluationError) {
            let demand = try demand(of: line)
            attempt?.isReleased = true
            var evidence = evidence?.adding(demand?.conditions ?? [])
            if case .send(let send)? = demand?.demand, send.encoded != nil,
                send.corruption == nil
            {
                evidence = send.isUnseen ? nil : evidence?.named(send.message)
            }
            attempt?.evidence = evidence
            if case .perform(let action) = demand?.demand, testCase.isDevice(action.party),
                action.endsDevice
            {
                announcedExits[action.party, default: 0] += 1
            }
            switch demand?.demand {
            case .send(let send):
                if send.needsMark || send.message.standsForLostBytes {
                    configuration.malformedSenders.insert(send.from)
                }
                // What it sends may never be seen as a whole.
                if configuration.cutSenders.contains(send.from) { evidence = nil }
            // After the cut the rest of a message is missing.
            case .perform(let action) where action.name == PeerAction.cutting:
                configuration.malformedSenders.insert(action.party)
                configuration.cutSenders.insert(action.party)
            default: break
            }
            if evidence == nil { complete(at: time) }
            return demand?.demand
        } catch {
            find(.unbound(error.description), at: time)
            return nil
        }
    }

    /// Whether the end of the device's process was requested; each request excuses one end.
    mutating func takeAnnouncedExit(of message: PlacedMessage) -> Bool {
        guard let device = message.sender, let count = announcedExits[device], count > 0 else {
            return false
        }
        announcedExits[device] = count - 1
        return true
    }

    /// Records a device that hangs at the end.
    mutating func recordHang(_ message: PlacedMessage) {
        guard testCase.kind == .ordinary else { return }
        record.see(message)
        find(.deviceHung, at: message.time, by: message)
        phase = .finished
    }

    /// Gives variables their values.
    mutating func bind(_ values: [String: Value]) {
        configuration.bindings.merge(values) { $1 }
    }

}
