import Judge
import Results
import SuiteLanguage
import Trace
import Wire

extension CaptureCheck {
    /// Judges one case on a log: its records replace packets, its line numbers frame numbers.
    ///
    /// - Throws: `CheckError` if no record of the log is a message; `InvalidInput` if the file
    ///   cannot be read.
    func judge(
        _ testCase: TestCase, onLog path: String, of format: LogFormat
    ) throws -> CaseResult {
        let log = try format.read(path: path)
        guard let first = log.records.first, let last = log.records.last else {
            throw CheckError(
                description:
                    "\(path): none of the \(log.recordCount) record(s) is a message of the log format; "
                    + "check that its expressions match this log")
        }
        let end = Timestamp(nanoseconds: last.nanoseconds)
        var judging = CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false)
        judging.isFinished = true
        let prepared = PreparedCase(
            testCase.judgingRules(), requirements: suite.requirements, options: judging)
        var judge = Judge(
            [prepared], parties: Parties(peers: [:]),
            start: Timestamp(nanoseconds: first.nanoseconds))
        for (index, record) in log.records.enumerated() {
            _ = judge.consume(
                TraceMessage(
                    number: index + 1, time: Timestamp(nanoseconds: record.nanoseconds),
                    frames: [record.line], content: record.event))
        }
        guard let outcome = judge.finish(at: end, cause: .captureEnded).first else {
            throw CheckError(description: "\(path): nothing to judge")
        }
        var result = CaseResult(
            suite: suite, outcome: outcome, packets: log.recordCount, dropped: 0, ended: end)
        result.remarks.append(
            "read from a log: frames are lines, "
                + "\(log.records.count) of \(log.recordCount) record(s) are messages")
        result.record(log.timelessLines, "have no time that can be read, and were left out")
        result.record(
            inconclusiveFindings: log.doubts.map { InconclusiveFinding(.captureLoss, $0) })
        result.record(log.exhaustedLines, "were too much for an expression, and were left out")
        return result
    }
}

extension LogReading {
    /// Why the messages may not be those of the device, or not in their order.
    fileprivate var doubts: [String] {
        [
            exhaustedLines.first.map {
                "an expression of the log format takes too long at line \($0), so that records are "
                    + "missing"
            },
            timelessLines.first.map { "the message at line \($0) has no time that can be read" },
            backwardLine.map {
                "the times of the log run backwards at line \($0); if it was joined from several "
                    + "logs, sort it by time"
            },
        ].compactMap(\.self)
    }
}

extension CaseResult {
    /// Adds a remark about lines of a log.
    fileprivate mutating func record(_ lines: [Int], _ what: String) {
        guard !lines.isEmpty else { return }
        let shown = lines.prefix(10).map(String.init).joined(separator: ", ")
        let more = lines.count > 10 ? " and \(lines.count - 10) more" : ""
        remarks.append("records at line \(shown)\(more) \(what)")
    }
}
