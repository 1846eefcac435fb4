import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Returns the judgement of a case on a list of messages.
func judged(
    _ testCase: TestCase, on messages: [TraceMessage], end: Timestamp,
    parties: Parties = Cast.parties, options: CaseMatcher.Options = CaseMatcher.Options(),
    cause: EndCause = .captureEnded, dropped: Int = 0
) -> Judgement {
    let prepared = PreparedCase(testCase, requirements: requirements, options: options)
    var judge = Judge([prepared], parties: parties, start: Cast.start)
    for message in messages { _ = judge.consume(message) }
    return judge.finish(at: end, cause: cause, dropped: dropped)[0].judgement
}

/// A case, a trace, and the expected judgement.
struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    var testCase: TestCase
    var trace: [Line]
    var end: Double = 100
    var cause: EndCause = .captureEnded
    var dropped = 0
    var options = CaseMatcher.Options()
    var verdict: Verdict
    var code: ReasonCode?
    var words: [String] = []

    init(
        _ name: String, _ testCase: TestCase, _ trace: [Line], end: Double = 100,
        cause: EndCause = .captureEnded, dropped: Int = 0,
        options: CaseMatcher.Options = CaseMatcher.Options(), _ verdict: Verdict,
        _ code: ReasonCode? = nil, _ words: [String] = []
    ) {
        self.name = name
        self.testCase = testCase
        self.trace = trace
        self.end = end
        self.cause = cause
        self.dropped = dropped
        self.options = options
        self.verdict = verdict
        self.code = code
        self.words = words
    }

    var testDescription: String { name }

    /// A fresh matcher for the case.
    var matcher: CaseMatcher {
        CaseMatcher(
            PreparedCase(testCase, requirements: requirements, options: options),
            parties: Cast.parties, start: Cast.start)
    }

    /// A judge of the case.
    var judge: Judge {
        Judge(
            [PreparedCase(testCase, requirements: requirements, options: options)],
            parties: Cast.parties, start: Cast.start)
    }

    /// The judgement of the case on the trace.
    var judgement: Judgement {
        judged(
            testCase, on: Line.messages(trace), end: Cast.time(end), options: options,
            cause: cause, dropped: dropped)
    }

    /// Expects the stated judgement.
    func verify(sourceLocation: SourceLocation = #_sourceLocation) {
        let judgement = judgement
        let summary = judgement.reason?.summary ?? ""
        #expect(judgement.verdict == verdict, "\(summary)", sourceLocation: sourceLocation)
        #expect(judgement.reason?.code == code, "\(summary)", sourceLocation: sourceLocation)
        for word in words {
            #expect(
                summary.contains(word), "\"\(word)\" is not in \"\(summary)\"",
                sourceLocation: sourceLocation)
        }
    }
}
