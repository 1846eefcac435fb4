import Protocols
import Suites
import Trace

/// Judges cases on traces that are complete.
public struct OfflineJudge: Sendable {
    /// The case.
    public var testCase: TestCase
    /// The suite's requirements, for citing.
    public var requirements: [Requirement]
    /// Who is who in the trace.
    public var parties: Parties
    /// What is known of the trace's origin.
    public var options: CaseMatcher.Options

    /// Prepares to judge `testCase`.
    public init(
        testCase: TestCase, requirements: [Requirement], parties: Parties,
        options: CaseMatcher.Options = CaseMatcher.Options()
    ) {
        self.testCase = testCase
        self.requirements = requirements
        self.parties = parties
        self.options = options
    }

    /// Judges one trace; the judgement is the one that a live run on it has given.
    ///
    /// - Parameters:
    ///   - messages: The messages of the trace, in order.
    ///   - start: The moment that the first window counts from.
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    ///   - dropped: How many packets the capture lost.
    public func judge(
        _ messages: some Sequence<TraceMessage>, start: Timestamp, end: Timestamp,
        cause: EndCause = .captureEnded, dropped: Int = 0
    ) -> Judgement {
        var matcher = CaseMatcher(
            testCase: testCase, requirements: requirements, parties: parties, start: start,
            options: options)
        for message in messages {
            // That a device hangs is found when the case is over.
            if matcher.isFinished, message.name != DeviceEvent.hung { continue }
            _ = matcher.consume(message)
        }
        return matcher.finish(at: end, cause: cause, dropped: dropped)
    }
}
