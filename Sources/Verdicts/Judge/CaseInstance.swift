import Protocols
import Suites
import Trace

/// One case on one part of a trace: messages go in, a judgement comes out.
struct CaseInstance: Sendable {
    let prepared: PreparedCase
    private(set) var matcher: CaseMatcher
    private(set) var messageCount = 0
    /// The connections with a party at one of their ends.
    private(set) var flows: Set<Int> = []
    /// Addresses of devices that nobody named, at most two.
    private var devices: [Endpoint] = []
    private var lastTime: Timestamp?
    /// A party's message that is earlier than the one before it.
    private var clockLoss: UnseenSpan?
    /// Why it is not clear who is who; such a case is an error.
    var unclear: String?
    /// What a report shows of the trace; `nil` if nothing is kept for one.
    private var recorder: EvidenceRecorder?
    private let start: Timestamp

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

    /// Takes the next message.
    mutating func take(_ message: TraceMessage) -> CaseMatcher.Consumption {
        messageCount += 1
        recorder?.see(message, isOver: matcher.isFinished)
        learn(from: message)
        return matcher.consume(message)
    }

    /// Lets time pass without a message.
    mutating func advance(to now: Timestamp) -> [Demand] { matcher.advance(to: now) }

    private mutating func learn(from message: TraceMessage) {
        guard let source = message.source, let destination = message.destination else { return }
        let parties = matcher.parties
        let isFromPeer = parties.peer(at: source) != nil
        guard isFromPeer || parties.peer(at: destination) != nil else { return }
        if let flow = message.flow { flows.insert(flow) }
        if let lastTime, message.time < lastTime, clockLoss == nil {
            clockLoss = UnseenSpan(
                cause: .clock, since: message.time - Limits.tick, until: lastTime,
                frame: message.frames.last, flow: message.flow, source: source,
                destination: destination)
        }
        lastTime = max(lastTime ?? message.time, message.time)
        let device = (isFromPeer ? destination : source).party
        guard parties.devices.isEmpty, parties.devicesByPeer.isEmpty, devices.count < 2,
            !matcher.isFinished, !devices.contains(device)
        else { return }
        devices.append(device)
    }

    /// What of these spans may have changed the judgement: the earliest that concerns a party and
    /// began before the case was decided.
    func loss(among spans: some Sequence<UnseenSpan>, decidedAt: Timestamp) -> UnseenSpan? {
        let parties = matcher.parties
        func concerns(_ span: UnseenSpan) -> Bool {
            guard let source = span.source, let destination = span.destination else { return true }
            return parties.peer(at: source) != nil || parties.peer(at: destination) != nil
        }
        let own = clockLoss.map { [$0] } ?? []
        return (own + spans.filter(concerns)).filter { $0.since < decidedAt && matters($0) }
            .min { $0.since < $1.since }
    }

    /// Whether a span means anything in this trace.
    ///
    /// The kernel stamps a packet of the loopback when it is queued, and shows it when it is received:
    /// where several processors do so, times run back by microseconds, and the order of packets is
    /// that of cause and effect all the same. A clock that is set is noted in captures of ours.
    private func matters(_ span: UnseenSpan) -> Bool {
        span.cause != .clock || !prepared.options.harnessPlaysPeers
    }

    /// Why it cannot be said who is who, with a proposal; `nil` if it can.
    private var confusion: String? {
        if let unclear { return unclear }
        guard devices.count > 1, !prepared.options.harnessPlaysPeers,
            prepared.testCase.deviceNames == [Step.device]
        else { return nil }
        let places = devices.map(\.address.description).joined(separator: " and ")
        return "several devices talk to the peers, \(places) among them: judge each with --per "
            + "device, or name the one that is meant with --device ADDRESS"
    }

    /// Ends the case and says what came of it.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
    ///   - spans: What the capture does not show.
    ///   - dropped: How many packets it lost, somewhere.
    mutating func finish(
        at end: Timestamp, cause: EndCause, unseen spans: some Sequence<UnseenSpan>, dropped: Int
    ) -> (judgement: Judgement, evidence: Evidence?) {
        var judgement = matcher.finish(at: end, cause: cause)
        if let confusion {
            judgement.refuse(confusion)
        } else if dropped > 0 {
            judgement.doubt(Doubt(dropped: dropped), of: prepared)
        } else if let loss = loss(among: spans, decidedAt: judgement.decidedAt) {
            let sender = loss.source.flatMap { source in
                parties.peer(at: source)
                    ?? (loss.destination.flatMap(parties.peer) == nil
                        ? nil : Step.device)
            }
            judgement.doubt(Doubt(loss, from: sender, origin: start), of: prepared)
        }
        return (judgement, recorder?.evidence(of: judgement, parties: parties))
    }
}

extension Judgement {
    /// Makes it an error, because it cannot be said who is who.
    fileprivate mutating func refuse(_ reason: String) {
        verdict = .error
        self.reason = Reason(.setup, reason)
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: .error) }
    }
}
