import Results
import Suites
import Trace
import Wire

/// One case on one part of a trace: messages go in, a judgement comes out.
struct CaseInstance: Sendable {
    let prepared: PreparedCase
    private(set) var matcher: CaseMatcher
    private(set) var messageCount = 0
    /// Why it is not clear who is who; such a case is an error.
    var unclear: String?
    /// Why the rest of the trace was not looked at; such a case is inconclusive unless it was decided.
    private var givenUp: String?
    /// What a report shows of the trace; `nil` if nothing is kept for one.
    private var recorder: EvidenceRecorder?
    /// What messages broke of their specifications; only where something is kept for a report.
    private var violations = ViolationTally()
    private let start: Timestamp
    /// What was of interest when that was asked last; `nil` if anything may be.
    private var interest: CaseInterest?
    /// Whether messages that are of no interest may have been passed over.
    private var isScreened = false

    init(
        _ prepared: PreparedCase, parties: Parties, start: Timestamp, keepsEvidence: Bool
    ) {
        self.prepared = prepared
        self.start = start
        matcher = CaseMatcher(prepared, parties: parties, start: start)
        recorder = keepsEvidence ? EvidenceRecorder(start: start) : nil
    }

    /// Who is who, as far as it is known by now.
    var parties: Parties {
        get { matcher.parties }
        set { matcher.parties = newValue }
    }

    /// Whether it is kept what messages break of their specifications.
    var notesViolations: Bool { recorder != nil }

    /// Takes the next message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - code: Of what kind it is; `nil` for one that no protocol names.
    ///   - violation: What it breaks of its specification, if that is kept; to find out costs more
    ///     than the rest.
    mutating func take(
        _ message: TraceMessage, _ code: MessageCode?, violation: String?
    ) -> CaseMatcher.Consumption {
        messageCount += 1
        if recorder != nil { record(message, violation) }
        // By then another step may be awaited.
        if let next = matcher.nextDeadline, next <= message.time { interest = nil }
        if let interest, recorder == nil, let code {
            guard interest.means(code) else { return CaseMatcher.Consumption() }
            if interest.isChanged(by: code) { self.interest = nil }
        }
        return matcher.consume(message)
    }

    /// Takes what a screen has seen of a message by its head.
    ///
    /// - Parameters:
    ///   - mark: The message.
    ///   - number: Its place in the trace.
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

    /// Keeps what a report shows of a message.
    private mutating func record(_ message: TraceMessage, _ violation: String?) {
        let isOver = matcher.isFinished || matcher.isFollowed
        recorder?.see(message, isOver: isOver)
        if let violation, !isOver {
            violations.note(violation, of: message, parties: matcher.parties)
        }
    }

    /// What is of interest from now on; `nil` for everything.
    mutating func look() -> CaseInterest? {
        isScreened = true
        if interest == nil { interest = matcher.interest }
        return interest
    }

    /// Lets time pass without a message.
    mutating func advance(to now: Timestamp) -> [Demand] { matcher.advance(to: now) }

    /// Takes over why nothing more is looked at.
    mutating func giveUp(_ reason: String) {
        if !matcher.isFinished { givenUp = reason }
    }

    /// What of these spans may have changed the judgement: the earliest that concerns a party and
    /// began before the case was decided.
    func loss(
        among spans: some Sequence<UnseenSpan>, decidedAt: Timestamp, _ traffic: PartyTraffic
    ) -> UnseenSpan? {
        let parties = matcher.parties
        func concerns(_ span: UnseenSpan) -> Bool {
            guard let source = span.source, let destination = span.destination else { return true }
            return parties.peer(at: source) != nil || parties.peer(at: destination) != nil
        }
        let own = traffic.clockLoss.map { [$0] } ?? []
        return (own + spans.filter(concerns)).filter { $0.since < decidedAt && matters($0) }
            .min { $0.since < $1.since }
    }

    /// Whether a span means anything in this trace.
    ///
    /// The kernel stamps a packet of the loopback when it is queued, and shows it when it is received:
    /// where several processors do so, times run back by microseconds, and the order of packets is
    /// that of cause and effect all the same. A clock that is set is noted in captures of ours.
    private func matters(_ span: UnseenSpan) -> Bool {
        if let flow = span.flow, FlowNumber.isDatagram(flow), !prepared.program.namesDatagrams {
            return false
        }
        return span.cause != .clock || !prepared.options.harnessPlaysPeers
    }

    /// Why it cannot be said who is who, with a proposal; `nil` if it can.
    private func confusion(_ traffic: PartyTraffic, decidedAt: Timestamp) -> String? {
        if let unclear { return unclear }
        guard let conflict = traffic.conflict, conflict.time <= decidedAt,
            !prepared.options.harnessPlaysPeers,
            prepared.testCase.deviceNames == [Step.device]
        else { return nil }
        return "several devices talk to the peers, \(conflict.first.place) and "
            + "\(conflict.second.place) among them: judge each with --per device, or name the one "
            + "that is meant with --device ADDRESS"
    }

    /// Ends the case and says what came of it.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
    ///   - spans: What the capture does not show.
    ///   - dropped: How many packets it lost, somewhere.
    ///   - traffic: What its parties did.
    ///   - descriptions: Messages that were described for other cases of the trace.
    mutating func finish(
        at end: Timestamp, cause: EndCause, unseen spans: some Sequence<UnseenSpan>, dropped: Int,
        _ traffic: PartyTraffic, _ descriptions: inout MessageDescriptions
    ) -> (judgement: Judgement, evidence: Evidence?) {
        var judgement = matcher.finish(at: end, cause: cause)
        judgement.violations = violations.violations
        // What was passed over is not counted.
        if isScreened { judgement.ignored = [:] }
        if let confusion = confusion(traffic, decidedAt: judgement.decidedAt) {
            judgement.conclude(.error, Reason(.setup, confusion))
        } else if dropped > 0 {
            judgement.doubt(InconclusiveReason(dropped: dropped), of: prepared)
        } else if let loss = loss(
            among: spans, decidedAt: judgement.decidedAt, traffic)
        {
            let sender = loss.source.flatMap { source in
                parties.peer(at: source)
                    ?? (loss.destination.flatMap(parties.peer) == nil
                        ? nil : Step.device)
            }
            judgement.doubt(InconclusiveReason(loss, from: sender, origin: start), of: prepared)
        }
        if let givenUp, judgement.verdict != .fail, judgement.verdict != .error {
            judgement.conclude(.inconclusive, Reason(.captureEnd, givenUp))
        }
        return (judgement, recorder?.evidence(of: judgement, parties: parties, &descriptions))
    }
}

extension Judgement {
    /// Gives the case and all of its requirements another verdict.
    fileprivate mutating func conclude(_ verdict: Verdict, _ reason: Reason) {
        self.verdict = verdict
        self.reason = reason
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: verdict) }
    }
}

extension Endpoint {
    /// The host or the Bluetooth device, as a user names it.
    fileprivate var place: String {
        if case .ip(let address, _) = self { address.description } else { description }
    }
}

/// A message of which no more is known than its name: its fields were found to be right when it came.
private struct SeenMessage: DissectedMessage {
    let name: String
    var fields: Value { .object([]) }
    var anomalies: [Anomaly] { [] }
    var bytes: [UInt8] { [] }
}

extension CaseProgram.Line {
    /// The message that it expects; `nil` if it does anything else.
    fileprivate var expected: Signature? {
        if case .expect(let signature) = goal { signature } else { nil }
    }
}
