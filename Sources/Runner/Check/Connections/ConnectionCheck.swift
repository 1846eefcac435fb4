import Capture
import Protocols
import Suites
import Trace
import Verdicts

/// Judges the cases of a suite on every connection of a capture by itself (`--per connection`).
///
/// The capture is read once, by as many threads as there are shares, and the cases are followed by
/// the heads of messages, with every JSON body parsed. Connections on which that does not show a
/// pass are read once more and judged by the matcher, so that every verdict but the plain pass is
/// the matcher's.
public struct ConnectionCheck: Sendable {
    private let suite: Suite
    private let cases: [TestCase]
    private let skipped: [TestCase]
    private let options: TraceOptions
    private let shares: Int

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - selection: Which of its cases are wanted.
    ///   - options: How captures are read.
    ///   - shares: How many threads read.
    /// - Throws: `CheckError` if a case has not exactly one peer and one device.
    public init(
        suite: Suite, selection: RunPlan.Selection, options: TraceOptions = TraceOptions(),
        shares: Int = 1
    ) throws(CheckError) {
        let wanted = suite.cases.filter { selection.wants($0, of: suite) }
        for testCase in wanted {
            guard testCase.peers.count == 1, testCase.deviceNames == [Step.device] else {
                throw CheckError(
                    "case \(testCase.id) has not one peer and one device, so that one connection "
                        + "cannot show it; leave it out with --case")
            }
        }
        // What a capture of another tool shows of a scene cannot be known; see CaptureCheck.
        func isJudged(_ testCase: TestCase) -> Bool {
            testCase.missingParameterReason == nil
                && !(testCase.setsScene && selection.patterns.isEmpty)
        }
        self.suite = suite
        cases = wanted.filter(isJudged)
        skipped = wanted.filter { !isJudged($0) }
        self.options = options
        self.shares = shares
    }

    /// Judges the connections of one trace.
    ///
    /// - Parameter paths: Its files, which are read twice if any connection is not plainly a pass.
    /// - Throws: `CaptureError` if a file cannot be opened.
    public func run(_ paths: [String]) throws -> ConnectionReport {
        var report = ConnectionReport(
            suite: suite.id, cases: cases.map(\.id), skipped: skipped.map(\.id))
        guard let peer = cases.first?.peers.first, let kind = PeerKind.named(peer.kind) else {
            return report
        }
        let screen = ConnectionScreen(cases: cases, protocolName: kind.protocolName)
        let parts = try ShardedTrace.read(
            paths, options: options, shares: shares, screen: { screen }, rest: (),
            take: { _, _ in })
        var doubtful: Set<Int> = []
        for part in parts {
            guard let screen = part.screen as? ConnectionScreen else { continue }
            doubtful.formUnion(screen.doubtful)
            report.connectionCount += screen.judgedCount
            report.requestCount += screen.exchanges.requestCount
            report.answeredCount += screen.exchanges.answeredCount
        }
        report.statistics = parts.first?.statistics ?? TraceStatistics()
        for part in parts.dropFirst() { report.statistics.merge(share: part.statistics) }
        report.damages = parts.first?.damages ?? []
        let verdicts = try judge(doubtful, of: paths, kind)
        // A connection of which nothing was spoken is none of those that are judged.
        let judged = Set(verdicts.map(\.flow)).count
        report.add(verdicts, plainPasses: max(0, report.connectionCount - judged))
        return report
    }

    /// Judges connections by the matcher.
    private func judge(
        _ firstFrames: Set<Int>, of paths: [String], _ kind: PeerKind
    ) throws -> [ConnectionReport.Finding] {
        guard !firstFrames.isEmpty else { return [] }
        var engine = TraceEngine(options, screen: SelectedConnections(firstFrames: firstFrames))
        var messages: [TraceMessage] = []
        var trials: [Int: ConnectionTrial] = [:]
        var last = Timestamp(nanoseconds: 0)
        let series = try CaptureSeries(paths: paths)
        func take() {
            for message in messages {
                // What an ICMP message tells of a connection that is not judged here is of no concern.
                guard let flow = message.flow,
                    trials[flow] != nil || !(message.content is ICMPUnreachable)
                else { continue }
                trials[flow, default: ConnectionTrial(message, cases, kind, suite.requirements)]
                    .take(message)
            }
            messages.removeAll(keepingCapacity: true)
        }
        try series.forEach { packet in
            last = Timestamp(nanoseconds: packet.timestamp)
            engine.consume(packet, into: &messages)
            if !messages.isEmpty { take() }
        }
        engine.finish(at: nil, into: &messages)
        // What the end of the trace leaves unfinished is nobody's message; what is missing counts.
        messages.removeAll { $0.name != "tcp.gap" }
        for gap in messages {
            if let flow = gap.flow { trials[flow]?.noteLoss(gap) }
        }
        return trials.keys.sorted().flatMap { trials[$0]?.findings(at: last) ?? [] }
    }
}

/// All cases on one connection.
private struct ConnectionTrial {
    private let flow: Int
    private let frame: Int
    private let caller: Endpoint?
    private let callee: Endpoint?
    private let names: [String]
    private let protocolName: String
    private var matchers: [CaseMatcher]
    private var speaks = false

    /// Begins with the first message of the connection, by which the two ends are told apart.
    init(
        _ first: TraceMessage, _ cases: [TestCase], _ kind: PeerKind, _ requirements: [Requirement]
    ) {
        let isCalled =
            first.name != "tcp.SYN" && first.source.map { Int($0.port) == kind.defaultPort } == true
        let isAnswer = isCalled || first.name == "tcp.SYNACK"
        flow = first.flow ?? 0
        frame = first.frames.first ?? 0
        caller = isAnswer ? first.destination : first.source
        let callee = isAnswer ? first.source : first.destination
        self.callee = callee
        names = cases.map(\.id)
        protocolName = kind.protocolName
        matchers = cases.map { testCase in
            var parties = Parties(peers: [:])
            if let callee, let peer = testCase.peers.first { parties.peers[callee] = peer.name }
            return CaseMatcher(
                testCase: testCase, requirements: requirements, parties: parties,
                start: first.time,
                options: CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false))
        }
    }

    mutating func take(_ message: TraceMessage) {
        speaks = speaks || message.content.protocolName == protocolName
        for index in matchers.indices where !matchers[index].isFinished {
            _ = matchers[index].consume(message)
        }
    }

    mutating func noteLoss(_ gap: TraceMessage) {
        for index in matchers.indices { matchers[index].noteLoss(gap) }
    }

    /// What came of each case; nothing if the protocol was not spoken.
    mutating func findings(at end: Timestamp) -> [ConnectionReport.Finding] {
        guard speaks else { return [] }
        return matchers.indices.map { index in
            let judgement = matchers[index].finish(at: end, cause: .captureEnded)
            return ConnectionReport.Finding(
                testCase: names[index], flow: flow, frame: frame, caller: caller, callee: callee,
                verdict: judgement.verdict, reason: judgement.reason?.summary)
        }
    }
}
