import Capture
import Judge
import SuiteLanguage
import Trace
import Wire

/// Judges the cases of a suite on each connection of a capture, and keeps counts and non-passes.
///
/// The capture is read once, by as many threads as there are shares. Cases are first followed by
/// the headers of messages, with every JSON body parsed. A connection that may not pass is handed
/// over to the matcher, so every verdict other than a plain pass comes from the matcher.
public struct ConnectionCheck: Sendable {
    private let cases: [PreparedCase]
    private let skipped: [TestCase]
    private let suite: String
    private let protocolName: String
    private var isOfDatagrams: Bool { protocolName == "udp" }
    private var options: CaptureCheck.Options

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - selection: Which of its cases are wanted.
    ///   - options: How captures are judged.
    /// - Throws: `CheckError` if a case has not exactly one peer and one device.
    public init(
        suite: Suite, selection: CaseSelection, options: CaptureCheck.Options
    ) throws(CheckError) {
        let check = CaptureCheck(suite: suite, selection: selection, options: options)
        let wanted = check.wantedCases.filter { $0.kind != .rules }
        try Self.refuseSeveralPeers(wanted)
        // Whether a capture of another tool shows a scene cannot be known; see CaptureCheck.
        func isJudged(_ testCase: TestCase) -> Bool {
            testCase.missingParameterReason == nil && check.preconditionsAreUnknown(testCase) == nil
        }
        self.suite = suite.id
        self.options = options
        skipped = wanted.filter { !isJudged($0) }
        var judging = CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false)
        judging.isVerdictOnly = true
        cases = wanted.filter(isJudged).map {
            PreparedCase($0.judgingRules(), requirements: suite.requirements, options: judging)
        }
        let peer = cases.first?.testCase.peers.first
        protocolName = peer?.shownProtocol ?? ""
        try self.options.trace.cutStreams(of: cases.peers, as: options.roles)
        self.options.trace.decode(cases.protocols)
    }

    /// Throws an error for cases that need more than one peer or device.
    static func refuseSeveralPeers(_ cases: [TestCase]) throws(CheckError) {
        for testCase in cases {
            guard testCase.peers.count == 1, testCase.deviceNames == [Step.device] else {
                throw CheckError(
                    description:
                        "case \(testCase.id) has not one peer and one device, so that one connection "
                        + "cannot show it; leave it out with --case")
            }
        }
    }

    /// Judges the connections of one trace.
    ///
    /// - Parameter paths: Its files, which are read once.
    /// - Throws: `CaptureError` if a file cannot be opened.
    public func run(_ paths: [String]) throws(CaptureError) -> ConnectionReport {
        let report = ConnectionReport(
            suite: suite, cases: cases.map(\.testCase.id), skipped: skipped.map(\.id),
            isOfDatagrams: isOfDatagrams)
        guard !cases.isEmpty else { return report }
        SearchBudget.renew()
        let shares = try ShardedTrace.shares(
            // UDP flow numbers are valid only within one share.
            paths.contains(where: CaptureFile.isStream) || isOfDatagrams ? 1 : options.shares
        ) {
            shard throws(CaptureError) in
            try read(paths, shard, report)
        }
        return ConnectionReport(shares: shares) ?? report
    }

    /// Judges the connections of one share.
    private func read(
        _ paths: [String], _ shard: FlowShard, _ report: ConnectionReport
    ) throws(CaptureError) -> ConnectionReport {
        var trace = options.trace
        trace.shard = shard
        // The limits apply to all shares together.
        trace.flowsMax = max(1, trace.flowsMax / shard.count)
        trace.recordsUnseen = true
        trace.reportsLate = false
        // Only TCP connections can be followed by message headers. Headers give no information
        // about messages that a suite cuts, or about which connections belong to a device that the
        // user names.
        let needsAll =
            isOfDatagrams || protocolName == StreamUnit.protocolName || !cases.protocols.isEmpty
            || !options.roles.devices.isEmpty
        let screen = needsAll ? nil : ConnectionScreen(cases, protocolName: protocolName)
        var judging = Judge.Options()
        judging.grouping = .connection
        judging.roles = options.roles
        judging.limitParts(options.partsMax, shares: shard.count)
        var share = Share(
            TraceEngine(trace, screen: screen), Judge(cases, start: .distantPast, options: judging),
            report, isScreened: screen != nil)
        let series = try CaptureSeries(
            joining: paths, following: options.following, secrets: trace.secrets)
        try series.forEach(batches: { share.consume($0) }, packets: { share.consume($0) })
        return share.conclude(series, options.isEndKnown ? .endKnown : .captureEnded)
    }
}

/// One share of a trace that is being judged.
private struct Share {
    /// The largest number of batches of packets, or of messages, that may wait for the judge.
    private static let untakenMax = 64

    private var engine: TraceEngine
    private var judge: Judge
    private var report: ConnectionReport
    private let isScreened: Bool
    private var messages: [TraceMessage] = []
    private var now = Timestamp.distantPast
    private var untaken = 0

    init(_ engine: TraceEngine, _ judge: Judge, _ report: ConnectionReport, isScreened: Bool) {
        (self.engine, self.judge, self.report) = (engine, judge, report)
        self.isScreened = isScreened
    }

    mutating func consume(_ batch: PacketBatch) {
        engine.consume(batch, into: &messages)
        consume(until: batch.places[batch.count - 1].timestamp)
    }

    mutating func consume(_ packet: Packet) {
        engine.consume(packet, into: &messages)
        consume(until: packet.timestamp)
    }

    /// Lets the judge take the messages now or later: it need not be called for each batch.
    private mutating func consume(until timestamp: Int64) {
        now = max(now, Timestamp(nanoseconds: timestamp))
        untaken += 1
        if !isScreened || untaken >= Self.untakenMax || messages.count >= Self.untakenMax {
            judgeMessages()
        }
    }

    private mutating func judgeMessages() {
        untaken = 0
        let spans = engine.takeUnseen()
        guard isScreened else {
            spans.forEach { judge.record($0) }
            messages.forEach { _ = judge.consume($0) }
            messages.removeAll(keepingCapacity: true)
            return
        }
        engine.withScreen(ConnectionScreen.self) { screen in
            report.add(judge.consume(&messages, of: &screen, unseen: spans, at: now))
        }
    }

    /// Ends judging.
    mutating func conclude(_ series: CaptureSeries, _ cause: EndCause) -> ConnectionReport {
        judgeMessages()
        engine.finish(at: nil, into: &messages)
        // A message that is unfinished at the end of the trace is not judged.
        messages.removeAll()
        judgeMessages()
        judge.finish(
            at: now, cause: cause, dropped: Int(clamping: series.metadata?.droppedPackets ?? 0)
        ) { report.add([$0]) }
        report.conclude(engine, series.damages)
        return report
    }
}

extension Judge.Options {
    /// Sets how many parts of a trace are judged at the same time.
    mutating func limitParts(_ count: Int, shares: Int = 1) {
        partsMax = max(1, count / shares)
        partsExcess = CaptureLimit.judged.excess(count)
    }
}
