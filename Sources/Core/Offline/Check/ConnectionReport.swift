import Capture
import Judge
import Results
import Trace
import Wire

/// The results of a suite's cases on every connection of a trace.
public struct ConnectionReport: Sendable {
    /// A case on a connection that is not a plain pass.
    public struct Finding: Sendable {
        /// The case.
        public let testCase: String
        /// The connection.
        public let group: TraceGroup
        /// The verdict.
        public let verdict: Verdict
        /// Why it is not a pass.
        public let reason: String?
    }

    /// The suite.
    public let suite: String
    /// The cases that were judged.
    public let cases: [String]
    /// The cases that were not: a capture does not show their scene, or a parameter is missing.
    public let skipped: [String]
    /// How many connections use the protocol of the suite's peer.
    public private(set) var connectionCount = 0
    /// How many requests were seen whose answers the specification defines.
    ///
    /// The count is based on the headers of messages.
    public private(set) var requestCount = 0
    /// How many of them were answered on their connection.
    public private(set) var answeredCount = 0
    /// How many connections got each verdict, by case.
    public private(set) var counts: [String: [Verdict: Int]] = [:]
    /// The findings that are not a pass, by connection.
    public private(set) var findings: [Finding] = []
    /// What was read.
    public private(set) var statistics = TraceStatistics()
    /// Why files could not be read to their ends.
    public private(set) var damages: [CaptureError] = []

    /// The first frame of each connection of this share.
    private var firstFrames: [Int32] = []

    /// Whether UDP flows are judged.
    private let isOfDatagrams: Bool

    init(suite: String, cases: [String], skipped: [String], isOfDatagrams: Bool = false) {
        self.isOfDatagrams = isOfDatagrams
        self.suite = suite
        self.cases = cases
        self.skipped = skipped
    }

    /// Adds the matcher's results.
    mutating func add(_ outcomes: [Judge.Outcome]) {
        for outcome in outcomes {
            guard let group = outcome.group else { continue }
            let (id, judgement) = (outcome.prepared.testCase.id, outcome.judgement)
            if id == cases.first { connectionCount += 1 }
            counts[id, default: [:]][judgement.verdict, default: 0] += 1
            guard judgement.verdict != .pass else { continue }
            findings.append(
                Finding(
                    testCase: id, group: group, verdict: judgement.verdict,
                    reason: judgement.reason?.summary))
        }
    }

    /// Adds an engine's statistics, and the connections that the matcher did not need to judge.
    mutating func conclude(_ engine: TraceEngine, _ damages: [CaptureError]) {
        if let screen = engine.screen as? ConnectionScreen {
            connectionCount += screen.passedCount
            for id in cases { counts[id, default: [:]][.pass, default: 0] += screen.passedCount }
            requestCount = screen.exchanges.requestCount
            answeredCount = screen.exchanges.answeredCount
        }
        statistics = engine.statistics
        firstFrames = engine.firstFrames
        self.damages = damages
    }

    /// Combines the reports of all shares of the connections of a trace.
    init?(shares: [ConnectionReport]) {
        guard var whole = shares.first else { return nil }
        let frames = shares.flatMap(\.firstFrames).sorted()
        whole.findings = []
        for (index, share) in shares.enumerated() {
            if index > 0 { whole.merge(share: share) }
            whole.findings += share.findings.map { $0.numbered(share.firstFrames, frames) }
        }
        whole.findings.sort { ($0.group.flow ?? 0) < ($1.group.flow ?? 0) }
        self = whole
    }

    /// Adds the counts of another share of the connections of the same trace.
    private mutating func merge(share: ConnectionReport) {
        connectionCount += share.connectionCount
        requestCount += share.requestCount
        answeredCount += share.answeredCount
        for (id, verdicts) in share.counts {
            counts[id, default: [:]].merge(verdicts, uniquingKeysWith: +)
        }
        statistics.merge(share: share.statistics)
    }

    /// The exit code, by the rules of a run.
    public var exit: ExitStatus {
        let verdicts = Set(findings.map(\.verdict))
        if verdicts.contains(.fail) { return .notConformant }
        if !verdicts.isEmpty || !damages.isEmpty { return .couldNotJudge }
        return cases.isEmpty || connectionCount == 0 ? .nothingExecuted : .conformant
    }

    /// The report, line by line: first the connections that did not pass, then the counts.
    public var lines: [String] {
        var lines = findings.map { finding in
            "\(finding.verdict.rawValue)  \(finding.testCase)  \(finding.group.text)"
                + (finding.reason.map { "  \($0)" } ?? "")
        }
        for testCase in cases {
            let parts = Verdict.allCases.compactMap { verdict in
                counts[testCase]?[verdict].flatMap { $0 > 0 ? "\($0) \(verdict.rawValue)" : nil }
            }
            lines.append("\(testCase): \(parts.isEmpty ? "-" : parts.joined(separator: ", "))")
        }
        lines += skipped.map { "\($0): skipped" }
        // Requests are counted only in protocols that are read by headers.
        if requestCount > 0 {
            lines.append("\(requestCount) request(s), \(answeredCount) of them answered")
        }
        lines.append(
            "\(suite): \(connectionCount) \(isOfDatagrams ? "UDP flow" : "connection")(s) of "
                + "\(isOfDatagrams ? statistics.datagramFlows : statistics.flows) judged, "
                + "\(statistics.packets) packets, \(statistics.bytes) bytes")
        return lines
    }
}

extension ConnectionReport.Finding {
    /// Returns this finding with the connection's number in the whole trace, not in its share.
    fileprivate func numbered(_ own: [Int32], _ all: [Int32]) -> Self {
        guard let flow = group.flow, own.indices.contains(flow) else { return self }
        var group = group
        group.flow = all.partitioningIndex { $0 >= own[flow] }
        return Self(testCase: testCase, group: group, verdict: verdict, reason: reason)
    }
}

extension [Int32] {
    /// Returns the first index whose element satisfies a condition that all later ones satisfy too.
    fileprivate func partitioningIndex(where holds: (Int32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
