import Results
import SuiteLanguage
import Trace
import Wire

/// One case on one part of a trace: takes messages and returns a judgement.
struct CaseInstance: Sendable {
    let prepared: PreparedCase
    private(set) var matcher: CaseMatcher
    private(set) var messageCount = 0
    /// The reason why the roles of endpoints are not clear; such a case is an error.
    var unclear: String?
    /// The reason why the rest of the trace was not examined.
    ///
    /// Such a case is inconclusive unless it was decided before.
    private var givenUp: String?
    /// Records what a report shows of the trace; `nil` if no evidence is kept.
    private var recorder: EvidenceRecorder?
    /// Violations of specifications by messages; recorded only if evidence is kept.
    private var violations = ViolationTally()
    private let start: Timestamp
    /// The rules and states of the suite; `nil` if there are none.
    private(set) var rules: RuleSet?
    /// When the case was over: rules are judged until then.
    private var finishedAt: Timestamp?
    /// The messages of interest when that was last asked; `nil` if any message may be of interest.
    private var interest: CaseInterest?
    /// Whether messages that are of no interest may have been skipped.
    private var isScreened = false

    init(
        _ prepared: PreparedCase, parties: Parties, start: Timestamp, keepsEvidence: Bool
    ) {
        self.prepared = prepared
        self.start = start
        matcher = CaseMatcher(prepared, parties: parties, start: start)
        recorder = keepsEvidence ? EvidenceRecorder(start: start) : nil
        rules = prepared.rules.map { RuleSet($0, parties: parties, start: start) }
        if let rules { matcher.bind(rules.states.common) }
    }

    /// The parties, as far as they are known so far.
    var parties: Parties {
        get { matcher.parties }
        set {
            matcher.parties = newValue
            rules?.set(newValue)
        }
    }

    /// Whether the case is over; the rules alone go on until the trace ends.
    var isFinished: Bool { matcher.isFinished && prepared.testCase.kind != .rules }

    /// The next moment at which time changes something.
    var nextDeadline: Timestamp? {
        guard let rules, finishedAt == nil else { return matcher.nextDeadline }
        return [matcher.nextDeadline, rules.nextDeadline].compactMap(\.self).min()
    }

    /// Whether violations of specifications are recorded.
    var recordsViolations: Bool { recorder != nil }

    /// Takes the next message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - code: The kind of the message; `nil` for one that no protocol names.
    ///   - violation: Its violation of the specification, if that is recorded; finding it costs
    ///     more than everything else.
    mutating func consume(
        _ message: TraceMessage, _ code: MessageCode?, violation: String?
    ) -> CaseMatcher.Consumption {
        if (message.content as? StreamBeginning)?.isBare != true { messageCount += 1 }
        if recorder != nil { record(message, violation) }
        let demands = judgeRules(of: message)
        // At that time another step may be awaited.
        if let next = matcher.nextDeadline, next <= message.time { interest = nil }
        if let interest, recorder == nil, let code {
            guard interest.means(code) else {
                return CaseMatcher.Consumption(demands: demands)
            }
            if interest.isChanged(by: code) { self.interest = nil }
        }
        var consumption = matcher.consume(message)
        if finishedAt == nil, isFinished { finishedAt = message.time }
        if !demands.isEmpty { consumption.demands = demands + consumption.demands }
        if let rules, isStateNew {
            matcher.bind(rules.states.common)
            isStateNew = false
        }
        return consumption
    }

    /// Whether the case does not know the newest values of the states yet.
    private var isStateNew = false

    /// Judges the rules by a message; returns what the case demands at the times until then.
    private mutating func judgeRules(of message: TraceMessage) -> [Demand] {
        guard rules != nil else { return [] }
        let demands = advance(to: message.time)
        if finishedAt == nil {
            let isChanged = rules?.consume(message, matcher.parties) ?? false
            isStateNew = isStateNew || isChanged
        } else if (message.content as? DeviceEvent)?.stall != nil {
            rules?.recordLate(message)
        }
        return demands
    }

    /// Takes a message that a screen has recognised by its headers.
    ///
    /// - Parameters:
    ///   - mark: The message.
    ///   - number: Its number in the trace.
    ///   - attempt: The attempt by which its connection was opened.
    mutating func resume(
        _ mark: Handover.Mark, _ number: Int, after attempt: TraceMessage
    ) -> TraceMessage {
        messageCount += 1
        let signature = mark.line.flatMap { prepared.program.lines[Int($0)].expected }
        let isFromDevice = signature.map { $0.sender == Step.device } ?? true
        let isDeviceCalled = prepared.testCase.peers.first?.kind.callsDevice ?? false
        var message = attempt
        message.number = number
        message.time = Timestamp(nanoseconds: mark.nanoseconds)
        message.frames = [mark.frame]
        if isFromDevice == isDeviceCalled {
            (message.source, message.destination) = (attempt.destination, attempt.source)
        }
        message.content = SeenMessage(name: signature?.pattern.message ?? "")
        matcher.resume(message, isTaken: signature != nil)
        return message
    }

    /// Records what a report shows of a message.
    private mutating func record(_ message: TraceMessage, _ violation: String?) {
        let isOver = matcher.isFinished || matcher.isFollowed
        recorder?.see(message, isOver: isOver)
        if let violation, !isOver {
            violations.record(violation, of: message, parties: matcher.parties)
        }
    }

    /// Returns the messages of interest from now on; `nil` for all messages.
    mutating func interests() -> CaseInterest? {
        isScreened = true
        if interest == nil { interest = matcher.interest }
        return interest
    }

    /// Advances time without a message.
    mutating func advance(to now: Timestamp) -> [Demand] {
        guard rules != nil, finishedAt == nil else { return matcher.advance(to: now) }
        // The moment at which the case is over decides what the rules still see.
        var demands: [Demand] = []
        while !isFinished, let next = matcher.nextDeadline, next <= now {
            rules?.advance(to: next)
            demands += matcher.advance(to: next)
            if isFinished { finishedAt = next }
        }
        if finishedAt == nil {
            rules?.advance(to: now)
            demands += matcher.advance(to: now)
        }
        return demands
    }

    private static let nothingOfDevice =
        "the trace shows nothing of the device, so nothing was judged"

    /// Sets the reason why the rest of the trace is not examined.
    mutating func giveUp(_ reason: String) {
        if !matcher.isFinished { givenUp = reason }
    }

    /// Returns the earliest of these spans that may have changed the judgement.
    ///
    /// It concerns a party and began before the case was decided, if that is given.
    func loss(
        among spans: some Sequence<UnseenSpan>, decidedAt: Timestamp?, _ traffic: PartyTraffic
    ) -> UnseenSpan? {
        let parties = matcher.parties
        func concerns(_ span: UnseenSpan) -> Bool {
            guard let source = span.source, let destination = span.destination else { return true }
            let kind = span.flow.map(FlowNumber.isDatagram)
            return parties.peer(at: source, byDatagrams: kind) != nil
                || parties.peer(at: destination, byDatagrams: kind) != nil
        }
        let own = traffic.clockLoss.map { [$0] } ?? []
        return (own + spans.filter(concerns))
            .filter { span in (decidedAt.map { span.since < $0 } ?? true) && matters(span) }
            .min { $0.since < $1.since }
    }

    /// Whether a span is relevant in this trace.
    ///
    /// The kernel stamps a packet of the loopback interface when it is queued, and shows it when it
    /// is received. If several processors do so, times run back by microseconds, but the order of
    /// packets is still that of cause and effect. A clock step is recorded in the metadata of
    /// captures of `conform`. They show each datagram once.
    private func matters(_ span: UnseenSpan) -> Bool {
        if let flow = span.flow, FlowNumber.isDatagram(flow), !prepared.program.namesDatagrams {
            return false
        }
        // What a connection carries does not change how it is opened and closed.
        if case .concealed = span.cause, prepared.testCase.judgesConnectionsOnly { return false }
        // Only a judgement tells whether it depends on times.
        if span.cause == .untimed { return false }
        return ![.clock, .repeatedDatagram].contains(span.cause)
            || !prepared.options.harnessPlaysPeers
    }

    /// Whether several devices without names may be judged as one.
    private var mayBeConfused: Bool {
        !prepared.options.harnessPlaysPeers && prepared.testCase.deviceNames == [Step.device]
            && (prepared.testCase.kind != .rules
                || !prepared.testCase.rules.allSatisfy(\.isOfSeveralDevices))
    }

    /// Whether another device that comes later may change the outcome.
    var awaitsConfusion: Bool {
        mayBeConfused && matcher.hasFailed && parties.devices.isEmpty
            && parties.devicesByPeer.isEmpty
    }

    /// Returns why the parties cannot be identified, with a proposal; `nil` if they can.
    ///
    /// A failure may be that of a device which is seen to be another one only later.
    private func confusion(_ traffic: PartyTraffic, of judgement: Judgement) -> String? {
        if let unclear { return unclear }
        guard mayBeConfused, let conflict = traffic.conflict,
            conflict.time <= judgement.decidedAt || judgement.verdict == .fail
        else { return nil }
        return "several devices talk to the peers, \(conflict.first.place) and "
            + "\(conflict.second.place) among them: judge each with --per device, or name the one "
            + "that is meant with --device ADDRESS"
    }

    /// Returns the reason that a part of the traffic was not captured.
    private func reason(_ loss: UnseenSpan) -> InconclusiveReason {
        let sender = loss.source.flatMap { source in
            parties.peer(at: source)
                ?? (loss.destination.flatMap { parties.peer(at: $0) } == nil ? nil : Step.device)
        }
        return InconclusiveReason(loss, from: sender, origin: start)
    }

    /// Why the value of a state that the case reads is not certain; `nil` if all are.
    private var doubtfulState: String? {
        guard let doubts = rules?.states.doubts, !doubts.isEmpty else { return nil }
        return prepared.testCase.statesRead.sorted().lazy.compactMap { doubts[$0] }.first
    }

    /// Ends the case and returns its judgement.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    ///   - spans: The parts of the traffic that were not captured.
    ///   - dropped: How many packets the capture lost at unknown places.
    ///   - traffic: The traffic of its parties.
    ///   - descriptions: The descriptions made for other cases of the trace.
    mutating func finish(
        at end: Timestamp, cause: EndCause, unseen spans: some Sequence<UnseenSpan>, dropped: Int,
        _ traffic: PartyTraffic, _ descriptions: inout MessageDescriptions
    ) -> (judgement: Judgement, evidence: Evidence?) {
        _ = advance(to: end)
        rules?.finish(at: finishedAt ?? end)
        let loss = loss(among: spans, decidedAt: nil, traffic)
        let doubts = RuleSet.Doubts(
            late: matcher.lateness.map { ($0.since, InconclusiveReason($0)) },
            end: finishedAt ?? end, unseen: loss.map { ($0.since, reason($0)) })
        var judgement: Judgement
        if prepared.testCase.kind == .rules, let rules {
            judgement = Judgement(ofRules: rules, at: end, doubts)
            if judgement.verdict == .pass, matcher.hasSeenNoDevice {
                judgement.conclude(.inconclusive, Reason(.captureEnd, Self.nothingOfDevice))
            }
        } else {
            judgement = matcher.finish(at: end, cause: cause)
            let seen = judgement.verdict
            if seen != .error, let doubt = doubtfulState {
                judgement.conclude(.inconclusive, Reason(.captureEnd, doubt))
            } else if let unseen = doubts.unseen(until: judgement.decidedAt) {
                judgement.makeInconclusive(unseen, of: prepared)
            }
            rules?.conclude(&judgement, doubts, seen: seen)
        }
        judgement.violations = violations.violations
        // Skipped messages are not counted.
        if isScreened { judgement.ignored = [:] }
        if let confusion = confusion(traffic, of: judgement) {
            judgement.conclude(.error, Reason(.setup, confusion))
        } else if dropped > 0 {
            judgement.makeInconclusive(InconclusiveReason(dropped: dropped), of: prepared)
        } else if judgement.verdict != .inconclusive,
            let untimed = spans.first(where: { $0.cause == .untimed }),
            untimed.since < judgement.decidedAt, judgement.restsOnTimes(of: prepared.testCase)
        {
            judgement.makeInconclusive(InconclusiveReason(untimed: untimed), of: prepared)
        }
        if let givenUp, judgement.verdict != .fail, judgement.verdict != .error {
            judgement.conclude(.inconclusive, Reason(.captureEnd, givenUp))
        }
        return (judgement, recorder?.evidence(of: judgement, parties: parties, &descriptions))
    }
}

extension Judgement {
    /// Whether packets without a time leave it open; the order of packets is known.
    fileprivate func restsOnTimes(of testCase: TestCase) -> Bool {
        switch verdict {
        case .pass: testCase.boundsTimes
        case .fail: [.timing, .absence, .sequence, .timeout, .unexpected].contains(reason?.code)
        default: false
        }
    }

    /// Gives the case and all of its requirements another verdict.
    fileprivate mutating func conclude(_ verdict: Verdict, _ reason: Reason) {
        self.verdict = verdict
        self.reason = reason
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: verdict) }
    }
}

extension Endpoint {
    /// The address of the host or of the Bluetooth device, as a user writes it.
    fileprivate var place: String {
        if case .ip(let address, _) = self { address.description } else { description }
    }
}

/// A message of which only the name is known.
///
/// Its fields were found to be correct when it came.
private struct SeenMessage: DissectedMessage {
    let name: String
    var fields: Value { .object([]) }
    var anomalies: [Anomaly] { [] }
    var bytes: [UInt8] { [] }
}

extension CaseProgram.Line {
    /// The message that the line expects; `nil` if it does something else.
    fileprivate var expected: Signature? {
        if case .expect(let signature) = goal { signature } else { nil }
    }
}
