import Capture
import Protocols
import Suites
import Trace
import Verdicts

/// One case on one stream of packets: packets and harness events go in, a judgement comes out.
///
/// It is the only path to a verdict; the live worker and `conform check` differ in where the
/// packets come from and in who heeds the demands.
struct CaseTrial {
    /// What the matcher made of one message.
    struct Observation {
        let message: TraceMessage
        let consumption: CaseMatcher.Consumption
    }

    private var engine = TraceEngine()
    private(set) var matcher: CaseMatcher
    private(set) var messageCount = 0
    private(set) var packetCount = 0
    private(set) var firstPacket: Timestamp?
    private(set) var lastPacket: Timestamp?
    private var fresh: [TraceMessage] = []
    /// What a report shows of the trace; `nil` if nothing is kept for one.
    private var recorder: EvidenceRecorder?
    /// The engine as it was when the case was over: holes that came later are of no concern.
    private var engineAtEnd: TraceEngine?

    init(matcher: CaseMatcher, recorder: EvidenceRecorder? = nil) {
        self.matcher = matcher
        self.recorder = recorder
    }

    /// What a report shows of the trace, now that it is judged.
    func evidence(of judgement: Judgement) -> Evidence? { recorder?.evidence(of: judgement) }

    /// Takes the next packet.
    mutating func consume(_ packet: borrowing Packet) -> [Observation] {
        packetCount += 1
        let time = Timestamp(nanoseconds: packet.timestamp)
        firstPacket = firstPacket ?? time
        lastPacket = time
        engine.consume(packet, into: &fresh)
        return judgeFresh()
    }

    /// Takes something that the harness did; it stands behind the packets taken so far.
    ///
    /// Bytes that it had sent are no message: they are looked for in what comes.
    mutating func insert(_ event: DeviceEvent, at time: Timestamp) -> [Observation] {
        if let sent = ByteWatch(event) {
            engine.look(for: sent)
            return []
        }
        fresh.append(engine.insert(event: event, at: time))
        return judgeFresh()
    }

    /// Looks for bytes from now on.
    mutating func look(for bytes: ByteWatch) { engine.look(for: bytes) }

    /// Lets time pass without a message.
    mutating func advance(to now: Timestamp) -> [Demand] {
        let demands = matcher.advance(to: now)
        noteEnd()
        return demands
    }

    /// Ends the case: nothing more will come.
    mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int
    ) -> (judgement: Judgement, counts: TrafficCounts) {
        // What the end of the trace leaves unfinished is nobody's message; what is missing counts,
        // also if the case is over: it was missing before.
        var last = engineAtEnd ?? engine
        last.finish(at: end, into: &fresh)
        fresh.removeAll { $0.name != "tcp.gap" }
        messageCount += fresh.count
        fresh.forEach { matcher.noteLoss($0) }
        let judgement = matcher.finish(at: end, cause: cause, dropped: dropped)
        let counts = TrafficCounts(
            packets: packetCount, dropped: dropped, messages: messageCount,
            taken: judgement.takenCount)
        return (judgement, counts)
    }

    private mutating func judgeFresh() -> [Observation] {
        defer { fresh.removeAll(keepingCapacity: true) }
        messageCount += fresh.count
        let observations = fresh.map { message in
            recorder?.see(message, isOver: matcher.isFinished)
            return Observation(message: message, consumption: matcher.consume(message))
        }
        noteEnd()
        return observations
    }

    private mutating func noteEnd() {
        if engineAtEnd == nil, matcher.isFinished { engineAtEnd = engine }
    }
}

extension CaseResult {
    /// The result of a case that has been judged.
    init(
        suite: Suite, testCase: TestCase, judgement: Judgement, counts: TrafficCounts,
        started: Timestamp, ended: Timestamp
    ) {
        self.init(
            suite: suite.id, id: testCase.id, title: testCase.title, position: testCase.position,
            verdict: judgement.verdict, reason: judgement.reason, checks: judgement.checks,
            steps: judgement.steps, ignored: judgement.ignored, counts: counts, started: started,
            seconds: (ended - started) / .seconds(1))
        if !judgement.measurements.isEmpty { measurements = judgement.measurements }
    }

    /// The result of a case that was not judged, for the stated reason.
    public init(suite: Suite, testCase: TestCase, verdict: Verdict, reason: Reason) {
        self.init(
            suite: suite.id, id: testCase.id, title: testCase.title, position: testCase.position,
            verdict: verdict, reason: reason,
            checks: testCase.allChecks.map { CheckResult(requirement: $0, verdict: verdict) })
    }
}
