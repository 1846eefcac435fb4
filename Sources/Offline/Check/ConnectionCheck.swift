import Capture
import Suites
import Trace
import Verdicts
import Wire

/// Judges the cases of a suite on every connection of a capture by itself, and keeps only counts and
/// what is not a pass.
///
/// The capture is read once, by as many threads as there are shares. The cases are followed by the
/// heads of messages, with every JSON body parsed; a connection that may not be a pass is handed over
/// to the matcher, so that every verdict but the plain pass is the matcher's.
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
        let wanted = check.wantedCases
        try Self.refuseSeveralPeers(wanted)
        // What a capture of another tool shows of a scene cannot be known; see CaptureCheck.
        func isJudged(_ testCase: TestCase) -> Bool {
            testCase.missingParameterReason == nil && check.sceneIsUnknown(testCase) == nil
        }
        self.suite = suite.id
        self.options = options
        skipped = wanted.filter { !isJudged($0) }
        var judging = CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false)
        judging.isVerdictOnly = true
        cases = wanted.filter(isJudged).map {
            PreparedCase($0, requirements: suite.requirements, options: judging)
        }
        let peer = cases.first?.testCase.peers.first
        protocolName = peer?.shownProtocol ?? ""
        try self.options.trace.cutStreams(of: cases.peers, as: options.roles)
        self.options.trace.decode(cases.protocols)
    }

    /// Refuses cases that one connection cannot show.
    static func refuseSeveralPeers(_ cases: [TestCase]) throws(CheckError) {
        for testCase in cases {
            guard testCase.peers.count == 1, testCase.deviceNames == [Step.device] else {
                throw CheckError(
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
        let shares = try ShardedTrace.shares(
            // The numbers of UDP flows are those of one share.
            paths.contains(where: CaptureFile.isStream) || isOfDatagrams ? 1 : options.shares
        ) {
            shard throws(CaptureError) in
            try read(paths, shard, report)
        }
        return ConnectionReport(shares: shares) ?? report
    }

    /// How many batches of packets, or messages, wait for the judge at most.
    private static let untakenMax = 64

    /// Judges the connections of one share.
    private func read(
        _ paths: [String], _ shard: FlowShard, _ empty: ConnectionReport
    ) throws(CaptureError) -> ConnectionReport {
        var report = empty
        var trace = options.trace
        trace.shard = shard
        // The limits hold for all shares together.
        trace.flowsMax = max(1, trace.flowsMax / shard.count)
        trace.notesUnseen = true
        // Only TCP connections are followed by the heads of their messages; of messages that a suite
        // cuts, no head tells anything, nor which connections are of a device that the user names.
        let needsAll =
            isOfDatagrams || protocolName == StreamUnit.protocolName || !cases.protocols.isEmpty
            || !options.roles.devices.isEmpty
        let screen = needsAll ? nil : ConnectionScreen(cases, protocolName: protocolName)
        var engine = TraceEngine(trace, screen: screen)
        var judging = Judge.Options()
        judging.grouping = .connection
        judging.roles = options.roles
        judging.limitParts(options.partsMax, shares: shard.count)
        var judge = Judge(cases, start: .distantPast, options: judging)
        var messages: [TraceMessage] = []
        var now = Timestamp.distantPast
        let series = try CaptureSeries(joining: paths, following: options.following)
        var untaken = 0
        func take() {
            untaken = 0
            let spans = engine.takeUnseen()
            guard screen != nil else {
                spans.forEach { judge.note($0) }
                messages.forEach { _ = judge.consume($0) }
                messages.removeAll(keepingCapacity: true)
                return
            }
            engine.withScreen(ConnectionScreen.self) { screen in
                report.add(judge.consume(&messages, of: &screen, unseen: spans, at: now))
            }
        }
        /// What the screen has found may wait a little, so that the judge is not asked for each batch.
        func take(until timestamp: Int64) {
            now = max(now, Timestamp(nanoseconds: timestamp))
            untaken += 1
            if screen == nil || untaken >= Self.untakenMax || messages.count >= Self.untakenMax {
                take()
            }
        }
        try series.forEach(
            batches: { batch in
                engine.consume(batch, into: &messages)
                take(until: batch.places[batch.count - 1].timestamp)
            },
            packets: { packet in
                engine.consume(packet, into: &messages)
                take(until: packet.timestamp)
            })
        take()
        engine.finish(at: nil, into: &messages)
        // What the end of the trace leaves unfinished is nobody's message.
        messages.removeAll()
        take()
        judge.finish(
            at: now, cause: options.isEndKnown ? .endKnown : .captureEnded,
            dropped: Int(clamping: series.metadata?.droppedPackets ?? 0)
        ) { report.add([$0]) }
        report.conclude(engine, series.damages)
        return report
    }
}

extension Judge.Options {
    /// Takes over how many parts of a trace are judged at the same time.
    mutating func limitParts(_ count: Int, shares: Int = 1) {
        partsMax = max(1, count / shares)
        partsExcess = CaptureLimit.judged.excess(count)
    }
}
