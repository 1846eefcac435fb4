import Capture
import Judge
import Results
import SuiteLanguage
import Trace
import Wire

/// A judge that takes packets: the trace engine turns them into messages.
///
/// The live worker and `conform check` differ in where the packets come from and in who executes
/// the demands.
package struct PacketJudge {
    /// A message with the matcher's reaction to it.
    package struct Observation {
        /// The message.
        package let message: TraceMessage
        /// The matcher's reaction.
        package let consumption: CaseMatcher.Consumption
    }

    private var engine: TraceEngine
    /// What judges the messages.
    package private(set) var judge: Judge
    /// How many packets were taken.
    package private(set) var packetCount = 0
    private(set) var firstPacket: Timestamp?
    /// The time of the latest packet.
    package private(set) var lastPacket: Timestamp?
    /// How many of the packets have no time.
    var untimedCount: Int { engine.statistics.untimedPackets }
    private var fresh: [TraceMessage] = []
    private var messageCount = 0
    private var byteCount = 0

    /// How many messages are judged, however small they are.
    package static let tinyMessagesMax = 1 << 24
    /// The bytes of a capture for each message beyond that number.
    private static let messageBytesMin = 16

    /// Whether there are more messages than the bytes of the capture justify.
    var isFlooded: Bool {
        messageCount > Self.tinyMessagesMax
            && messageCount > byteCount / Self.messageBytesMin
    }

    /// Creates a judge of packets.
    ///
    /// - Parameters:
    ///   - judge: What judges the messages.
    ///   - options: How packets are read.
    ///   - isScreened: Whether messages whose headers show that they change nothing are skipped.
    package init(_ judge: Judge, options: TraceOptions, isScreened: Bool = false) {
        var options = options
        options.recordsUnseen = true
        options.recordsBeginnings = true
        options.recordsAllBeginnings = judge.cases.contains { $0.testCase.demandsRest }
        engine = TraceEngine(options, screen: isScreened ? InterestScreen(judge.cases) : nil)
        self.judge = judge
    }

    /// How often `isDecided` was called while all cases were over.
    private var looks = 0

    /// Whether nothing that comes later can change an outcome.
    ///
    /// This is checked only at intervals, because examining all connections is expensive.
    ///
    /// - Parameter needsReports: Whether an app must have reported its profile connections.
    mutating func isDecided(needsReports: Bool) -> Bool {
        guard judge.isFinished, !needsReports || hasReports else { return false }
        looks += 1
        return looks % 32 == 1 && judge.isDecided { engine.mayLack(before: $0, in: $1) }
    }

    /// Whether messages wait for bytes that come before them.
    package var isHolding: Bool { engine.isHolding }

    /// Whether an app has reported its profile connections.
    var hasReports: Bool { engine.statistics.reportConnections > 0 }

    /// Takes the next packet.
    package mutating func consume(_ packet: borrowing Packet) -> [Observation] {
        packetCount += 1
        let time = Timestamp(nanoseconds: packet.timestamp)
        firstPacket = firstPacket ?? time
        lastPacket = max(lastPacket ?? time, time)
        byteCount += packet.bytes.byteCount
        engine.consume(packet, into: &fresh)
        return judgeFresh()
    }

    /// Takes an action of the harness; it comes after the packets taken so far.
    ///
    /// Bytes that the harness had sent are not a message: they are looked for in the packets that
    /// follow.
    package mutating func insert(_ event: DeviceEvent, at time: Timestamp) -> [Observation] {
        if let sent = ByteWatch(event) {
            engine.watch(for: sent)
            return []
        }
        // A message that ended with a pause before this event is earlier than the event.
        engine.endPauses(before: time, into: &fresh)
        fresh.append(engine.insert(event: event, at: time))
        return judgeFresh()
    }

    /// Starts looking for bytes.
    mutating func watch(for bytes: ByteWatch) { engine.watch(for: bytes) }

    /// Releases messages that waited too long for bytes before them.
    package mutating func release(at now: Timestamp) -> [Observation] {
        engine.advance(to: now, into: &fresh)
        return judgeFresh()
    }

    /// Takes a batch of packets of another tool's capture.
    mutating func consume(_ batch: borrowing PacketBatch) {
        guard batch.count > 0 else { return }
        packetCount += batch.count
        let first = Timestamp(nanoseconds: batch.places[0].timestamp)
        let last = Timestamp(nanoseconds: batch.places[batch.count - 1].timestamp)
        firstPacket = firstPacket ?? first
        lastPacket = max(lastPacket ?? last, last)
        engine.consume(batch, into: &fresh)
        engine.takeUnseen().forEach { judge.record($0) }
        for index in 0..<batch.count { byteCount += batch.places[index].count }
        messageCount += fresh.count
        for message in fresh { _ = judge.consume(message) }
        fresh.removeAll(keepingCapacity: true)
        _ = advance(to: lastPacket ?? last)
        engine.withScreen(InterestScreen.self) { judge.instruct(&$0) }
    }

    /// Advances time without a message; not while messages wait, because they are earlier.
    package mutating func advance(to now: Timestamp) -> [Demand] {
        engine.isHolding ? [] : judge.advance(to: now)
    }

    /// Ends the cases: nothing more will come.
    package mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int
    ) -> [Judge.Outcome] {
        engine.endPauses(before: end, into: &fresh)
        engine.flushAll(into: &fresh)
        _ = judgeFresh()
        // An unfinished message at the end of the trace is not judged; missing bytes count.
        engine.finish(at: end, into: &fresh)
        fresh.removeAll()
        engine.takeUnseen().forEach { judge.record($0) }
        var outcomes = judge.finish(at: end, cause: cause, dropped: dropped)
        for index in outcomes.indices { outcomes[index].evidence?.captureStart = firstPacket }
        return outcomes
    }

    private mutating func judgeFresh() -> [Observation] {
        engine.takeUnseen().forEach { judge.record($0) }
        defer { fresh.removeAll(keepingCapacity: true) }
        messageCount += fresh.count
        return fresh.map { Observation(message: $0, consumption: judge.consume($0)) }
    }
}

extension CaseResult {
    /// Creates the result of a case that has been judged.
    package init(
        suite: Suite, outcome: Judge.Outcome, packets: Int, dropped: Int, ended: Timestamp
    ) {
        let (testCase, judgement) = (outcome.prepared.testCase, outcome.judgement)
        self.init(
            suite: suite.id, id: testCase.id, title: testCase.title, position: testCase.position,
            verdict: judgement.verdict, reason: judgement.reason, checks: judgement.checks,
            steps: judgement.steps, ignored: judgement.ignored,
            counts: TrafficCounts(
                packets: packets, dropped: dropped, messages: outcome.messageCount,
                taken: judgement.takenCount),
            started: outcome.start, seconds: (ended - outcome.start) / .seconds(1))
        if !judgement.measurements.isEmpty { measurements = judgement.measurements }
        if !judgement.rules.isEmpty { rules = judgement.rules }
        if !judgement.violations.isEmpty { violations = judgement.violations }
        evidence = outcome.evidence
    }

    /// Creates the result of a case that was not judged, for the stated reason.
    public init(suite: Suite, testCase: TestCase, verdict: Verdict, reason: Reason) {
        self.init(
            suite: suite.id, id: testCase.id, title: testCase.title, position: testCase.position,
            verdict: verdict, reason: reason,
            checks: testCase.allChecks.map { CheckResult(requirement: $0, verdict: verdict) })
    }
}
