import Capture
import Protocols
import Trace
import Verdicts

/// What came of the cases of a suite on every connection of a trace.
public struct ConnectionReport: Sendable {
    /// A case on a connection that is not plainly a pass.
    public struct Finding: Sendable {
        /// The case.
        public let testCase: String
        /// The connection's number in the trace (`tcp.stream`).
        public let flow: Int
        /// The first of its packets that shows anything.
        public let frame: Int
        /// Who called, and who was called.
        public let caller, callee: Endpoint?
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
    public internal(set) var connectionCount = 0
    /// How many requests were met whose answers the specification defines, as far as the headers of
    /// messages tell.
    public internal(set) var requestCount = 0
    /// How many of them were answered on their connection.
    public internal(set) var answeredCount = 0
    /// How many connections came to which verdict, by case.
    public private(set) var counts: [String: [Verdict: Int]] = [:]
    /// Those that are no pass, by connection.
    public private(set) var findings: [Finding] = []
    /// What was read.
    public internal(set) var statistics = TraceStatistics()
    /// Why files could not be read to their ends.
    public internal(set) var damages: [CaptureError] = []

    init(suite: String, cases: [String], skipped: [String]) {
        self.suite = suite
        self.cases = cases
        self.skipped = skipped
    }

    /// Adds what the matcher found, and the connections that it did not need to judge.
    mutating func add(_ judged: [Finding], plainPasses: Int) {
        for testCase in cases { counts[testCase, default: [:]][.pass, default: 0] += plainPasses }
        for finding in judged {
            counts[finding.testCase, default: [:]][finding.verdict, default: 0] += 1
            if finding.verdict != .pass { findings.append(finding) }
        }
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
            let ends = [finding.caller, finding.callee].map { $0?.description ?? "?" }
            return "\(finding.verdict.rawValue)  \(finding.testCase)  tcp.stream \(finding.flow)  "
                + "\(ends.joined(separator: " > "))  #\(finding.frame)"
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
            "\(suite): \(connectionCount) connection(s) of \(statistics.flows) judged, "
                + "\(statistics.packets) packets, \(statistics.bytes) bytes")
        return lines
    }
}
