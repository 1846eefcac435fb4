import Capture
import Results
import Trace
import Verdicts
import Wire

/// What came of the cases of a suite on every connection of a trace.
public struct ConnectionReport: Sendable {
    /// A case on a connection that is not plainly a pass.
    public struct Finding: Sendable {
        /// The case.
        public let testCase: String
        /// The connection.
        public let group: TraceGroup
        /// What came of it.
        public let verdict: Verdict
        /// Why it is not a pass.
        public let reason: String?
    }

    /// The suite.
    public let suite: String
    /// The cases that were judged.
    public let cases: [String]
    /// The cases that were not, because a capture does not tell their scene or a parameter lacks.
    public let skipped: [String]
    /// How many connections speak the protocol of the suite's peer.
    public private(set) var connectionCount = 0
    /// How many requests were met whose answers the specification defines, as far as the headers of
    /// messages tell.
    public private(set) var requestCount = 0
    /// How many of them were answered on their connection.
    public private(set) var answeredCount = 0
    /// How many connections came to which verdict, by case.
    public private(set) var counts: [String: [Verdict: Int]] = [:]
    /// Those that are no pass, by connection.
    public private(set) var findings: [Finding] = []
    /// What was read.
    public private(set) var statistics = TraceStatistics()
    /// Why files could not be read to their ends.
    public private(set) var damages: [CaptureError] = []

    /// By connection of this share, the frame that it was met by.
    private var firstFrames: [Int32] = []

    /// Whether UDP flows are judged.
    private let isOfDatagrams: Bool

    init(suite: String, cases: [String], skipped: [String], isOfDatagrams: Bool = false) {
        self.isOfDatagrams = isOfDatagrams
        self.suite = suite
        self.cases = cases
        self.skipped = skipped
    }

    /// Adds what the matcher found.
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

    /// Adds what an engine has seen, with the connections that the matcher did not need to judge.
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

    /// Puts the reports on all shares of the connections of a trace together.
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

    /// The exit code by the rules of a run.
    public var exit: ExitStatus {
        let verdicts = Set(findings.map(\.verdict))
        if verdicts.contains(.fail) { return .notConformant }
        if !verdicts.isEmpty || !damages.isEmpty { return .couldNotJudge }
        return cases.isEmpty || connectionCount == 0 ? .nothingExecuted : .conformant
    }

    /// The report, line by line: the connections that are no pass by name, then the counts.
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
        lines.append("\(requestCount) request(s), \(answeredCount) of them answered")
        lines.append(
            "\(suite): \(connectionCount) \(isOfDatagrams ? "UDP flow" : "connection")(s) of "
                + "\(isOfDatagrams ? statistics.datagramFlows : statistics.flows) judged, "
                + "\(statistics.packets) packets, \(statistics.bytes) bytes")
        return lines
    }
}

extension ConnectionReport.Finding {
    /// This one with the connection's number in the trace in place of that in its share.
    fileprivate func numbered(_ own: [Int32], _ all: [Int32]) -> Self {
        guard let flow = group.flow, own.indices.contains(flow) else { return self }
        var group = group
        group.flow = all.partitioningIndex { $0 >= own[flow] }
        return Self(testCase: testCase, group: group, verdict: verdict, reason: reason)
    }
}

extension [Int32] {
    /// The first index whose element satisfies a condition that all later ones satisfy too.
    fileprivate func partitioningIndex(where holds: (Int32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
