import Protocols
import Suites
import Trace

/// Judges one case on a trace, message by message.
///
/// The same type serves the live run and `check`: its judgement is a function of the case, the
/// parties, the messages in their order, the cause and time of the end, and nothing else. Calls of
/// `advance(to:)` between messages do not change it, as long as no message that is earlier than
/// the time given comes afterwards. Memory is bounded by the length of the case.
public struct CaseMatcher: Sendable {
    /// What is known of the trace's origin.
    public struct Options: Sendable, Hashable {
        /// Whether the peers are ours, as in a live run or a capture of one; then their lateness
        /// and their malformed messages are the harness's faults.
        public var harnessPlaysPeers: Bool
        /// Whether the trace holds `device.*` events; if not, device controls count as done.
        public var eventsRecorded: Bool

        /// Makes options; the default is a trace of ours.
        public init(harnessPlaysPeers: Bool = true, eventsRecorded: Bool = true) {
            self.harnessPlaysPeers = harnessPlaysPeers
            self.eventsRecorded = eventsRecorded
        }
    }

    /// What comes of one message.
    public struct Consumption: Sendable {
        /// What the harness has to do now.
        public var demands: [Demand] = []
        /// Whether the peer's automatic answer is withheld because a later `send` answers.
        public var withholdsAnswer = false
        /// The step that took the message.
        public var taken: StepReference?
    }

    /// How far judging has come.
    public enum Part: Sendable, Hashable {
        case preamble
        case body
        /// The closing window, or the short time after a failure.
        case closing
        case finished
    }

    enum Phase: Sendable, Hashable {
        case running
        case closing(since: Timestamp)
        case failed(at: Timestamp)
        case finished
    }

    let testCase: TestCase
    let requirements: [Requirement]
    let parties: Parties
    let options: Options
    let program: CaseProgram
    let start: Timestamp
    var phase = Phase.running
    var configuration = Configuration()
    var attempt: Attempt?
    var record = CaseRecord()
    var finding: Finding?
    private var clock: Timestamp
    private var announcedExitCount = 0

    /// Prepares to judge `testCase`.
    ///
    /// - Parameters:
    ///   - testCase: The case.
    ///   - requirements: The suite's requirements, for citing.
    ///   - parties: Who is who in the trace.
    ///   - start: The moment that the first window counts from.
    ///   - options: What is known of the trace's origin.
    public init(
        testCase: TestCase, requirements: [Requirement], parties: Parties, start: Timestamp,
        options: Options = Options()
    ) {
        self.testCase = testCase
        self.requirements = requirements
        self.parties = parties
        self.options = options
        self.start = start
        program = CaseProgram(testCase, options: options)
        clock = start
        enterLine(at: start)
    }

    /// The part of the case that judging has reached.
    public var part: Part {
        switch phase {
        case .running:
            program.lines[configuration.position].reference.part == .body ? .body : .preamble
        case .closing, .failed: .closing
        case .finished: .finished
        }
    }

    /// Whether the case is over: failed, or the closing window has passed.
    ///
    /// Further messages are not looked at.
    public var isFinished: Bool { phase == .finished }

    /// The next moment at which `advance(to:)` changes something; `nil` if only a message can.
    public var nextDeadline: Timestamp? { alarm?.time }

    /// Takes the next message of the trace.
    public mutating func consume(_ message: TraceMessage) -> Consumption {
        var result = Consumption(demands: advance(to: message.time))
        guard !isFinished else { return result }
        let placed = PlacedMessage(message, parties: parties)
        record.see(placed)
        guard placed.name != "tcp.gap" else { return result }
        let taken = judge(placed)
        if let taken {
            result.taken = program.lines[taken].reference
            result.withholdsAnswer = program.lines[taken].isAnsweredBySend
        }
        watchTime(of: placed, takenBy: taken)
        result.demands += heedAlarms()
        return result
    }

    /// Tells that time has come to `now` without a further message; a message that is earlier
    /// must not come afterwards.
    public mutating func advance(to now: Timestamp) -> [Demand] {
        clock = max(clock, now)
        return heedAlarms()
    }

    /// Takes note of a hole in a stream that shows only at the end of the trace, over or not.
    public mutating func noteLoss(_ gap: TraceMessage) {
        record.see(PlacedMessage(gap, parties: parties))
    }

    /// Ends judging: nothing more will come.
    ///
    /// An interrupted case on which no step was done yet is an `error`, any other interrupted case
    /// is `inconclusive`, both with the code `not-run`; what was already judged stands.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
    ///   - dropped: How many packets the capture lost; any makes the case inconclusive.
    public mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int = 0
    ) -> Judgement {
        _ = advance(to: end)
        if case .deviceExited(let exit) = cause, !record.sawExit {
            _ = consume(exit.event(number: record.lastNumber + 1, at: end))
        }
        if let kind = kindOfEnd(at: end, cause) { find(kind, at: end) }
        phase = .finished
        return judgement(dropped: dropped)
    }

    /// Why the present line's message has not come: nothing more is known, or the device has ended
    /// the connection on which a peer would have sent it.
    private var kindOfAbsence: Finding.Kind {
        let line = program.lines[configuration.position]
        guard !line.isUpToDevice, attempt?.deviceClosing != nil else { return .missing }
        if case .perform = line.step.verb { return .missing }
        return .connectionClosed
    }

    private func kindOfEnd(at end: Timestamp, _ cause: EndCause) -> Finding.Kind? {
        switch phase {
        case .failed, .finished: return nil
        case .closing(let since) where end >= since + testCase.quiet: return nil
        case .closing, .running: break
        }
        if cause == .timeout { return .timeout }
        if cause == .interrupted { return .interrupted }
        guard phase == .running, let attempt else { return .captureEnded }
        switch program.lines[configuration.position].goal {
        case .pause: return .captureEnded
        case .act where !attempt.isReleased: return .captureEnded
        case .act, .expect: return end > attempt.window.latest ? kindOfAbsence : .captureEnded
        }
    }
}

// MARK: - Time

extension CaseMatcher {
    private enum Alarm {
        case due, missing, closingOver, aftermathOver, timeout
    }

    private var alarm: (time: Timestamp, kind: Alarm)? {
        let limit = start + testCase.timeout + Limits.tick
        switch phase {
        case .finished: return nil
        case .failed(let time): return (time + Limits.aftermath + Limits.tick, .aftermathOver)
        case .closing(let since):
            let end = since + testCase.quiet + Limits.tick
            return end <= limit ? (end, .closingOver) : (limit, .timeout)
        case .running:
            guard let attempt else { return nil }
            let missing = attempt.lastChance + Limits.tick
            let next = isWaitingForMessage ? (missing, Alarm.missing) : (attempt.due, .due)
            return next.0 <= limit ? next : (limit, .timeout)
        }
    }

    private var isWaitingForMessage: Bool {
        switch program.lines[configuration.position].goal {
        case .expect: true
        case .act: attempt?.isReleased ?? false
        case .pause: false
        }
    }

    /// Does everything that time has made due, in the order of time.
    private mutating func heedAlarms() -> [Demand] {
        var demands: [Demand] = []
        while let alarm, alarm.time <= clock {
            switch alarm.kind {
            case .due:
                if let demand = release(at: alarm.time) { demands.append(demand) }
            case .missing: find(kindOfAbsence, at: alarm.time)
            case .timeout: find(.timeout, at: alarm.time)
            case .closingOver, .aftermathOver: phase = .finished
            }
        }
        return demands
    }
}

// MARK: - Moving on

extension CaseMatcher {
    /// Starts on the line at the present position, or on the closing window.
    private mutating func enterLine(at time: Timestamp) {
        guard configuration.position < program.lines.count else {
            attempt = nil
            phase = .closing(since: time)
            return
        }
        attempt = Attempt(program, configuration, start: start, at: time)
    }

    /// The line at the present position is done.
    mutating func complete(at time: Timestamp, by message: TraceMessage? = nil) {
        guard let attempt else { return }
        let line = program.lines[configuration.position]
        if let message {
            for save in line.step.saves {
                configuration.bindings[save.variable] = message.content.field(save.path)
            }
            if line.isAct, options.harnessPlaysPeers {
                record.lateness.note(
                    "step \(line.reference.number) (\(line.text))", lag: message.time - attempt.due,
                    bound: line.step.tolerance.bound(for: attempt.due - attempt.reached),
                    frames: message.frames)
            }
        }
        record.complete(line: configuration.position, by: message)
        configuration.completions.append(
            Configuration.Completion(time: time, origin: attempt.window.origin, message: message))
        configuration.position += 1
        enterLine(at: time)
    }

    /// The pause is over, or the action of the present line is due.
    private mutating func release(at time: Timestamp) -> Demand? {
        let line = program.lines[configuration.position]
        guard case .act(let evidence) = line.goal else {
            complete(at: time)
            return nil
        }
        do throws(UnboundVariable) {
            let demand = try demand(of: line)
            attempt?.isReleased = true
            attempt?.evidence = evidence?.adding(demand?.conditions ?? [])
            if case .perform(let action) = demand?.demand, action.isDeviceEnding {
                announcedExitCount += 1
            }
            if evidence == nil { complete(at: time) }
            return demand?.demand
        } catch {
            find(.unbound(error.name), at: time)
            return nil
        }
    }

    /// Whether the end of the device's process was asked for; each request excuses one end.
    mutating func takeAnnouncedExit() -> Bool {
        guard announcedExitCount > 0 else { return false }
        announcedExitCount -= 1
        return true
    }

    /// The case is not a pass, for this reason; the first one stands.
    mutating func find(_ kind: Finding.Kind, at time: Timestamp, by message: PlacedMessage? = nil) {
        guard finding == nil else { return }
        let isOpen = phase == .running
        let closingStart = configuration.completions.last?.time ?? start
        var shown = message
        if case .connectionClosed = kind {
            shown = attempt?.deviceClosing.map { PlacedMessage($0, parties: parties) }
        }
        finding = Finding(
            kind: kind, place: isOpen ? .line(configuration.position) : .closing, time: time,
            origin: isOpen ? attempt?.window.origin ?? start : closingStart, message: shown,
            nearest: attempt?.nearest)
        phase = .failed(at: time)
    }
}
