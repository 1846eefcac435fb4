import Results
import SuiteLanguage
import Trace
import Wire

/// A reason why no judgement of the device is certain.
///
/// Examples are lost packets, a late harness, and a carrier's fault.
struct InconclusiveReason: Sendable {
    /// Its kind.
    let code: ReasonCode
    /// What happened, as a sentence.
    let text: String
    private let demanded: String
    private let frames: [Int]

    /// Creates the reason that the harness was late.
    init(_ late: LatenessWatch.Lateness) {
        code = .lateHarness
        text =
            "the harness was late: \(late.what) \(late.isMissing ? "had not come" : "came") after \(TimeText.length(late.lag)), "
            + "\(late.bound.suiteText) are allowed\(MessageText.suffix(frames: late.frames))"
        demanded = "\(late.what) within \(late.bound.suiteText)"
        frames = late.frames
    }

    /// The moment that its times count from.
    private static let beginning = "the case began"

    /// Creates the reason that the capture lost packets at an unknown place.
    init(dropped: Int) {
        code = .captureLoss
        text = "the capture lost \(dropped) packet(s), which may have mattered"
        demanded = "a capture without loss"
        frames = []
    }

    /// Creates the reason that a part of the traffic was not captured.
    ///
    /// - Parameters:
    ///   - span: The part that was not captured.
    ///   - sender: The party that may have sent it; `nil` if any party may have.
    ///   - origin: When the case began.
    init(_ span: UnseenSpan, from sender: String?, origin: Timestamp) {
        code = .captureLoss
        frames = span.frame.map { [$0] } ?? []
        let whose = sender.map { " from \($0)" } ?? ""
        let since =
            span.since == .distantPast
            ? "until \(TimeText.place(span.until, from: origin, named: Self.beginning))"
            : "from \(TimeText.signed(span.since - origin)) to "
                + TimeText.place(span.until, from: origin, named: Self.beginning)
        text =
            "\(span.text)\(MessageText.suffix(frames: frames)): what came\(whose) \(since) \(span.isDoubtful ? "is doubtful" : "was not seen")"
        demanded = "a capture without loss"
    }

    /// Creates the reason that the capture has no times.
    init(untimed span: UnseenSpan) {
        code = .captureLoss
        frames = span.frame.map { [$0] } ?? []
        text =
            "\(span.text)\(MessageText.suffix(frames: frames)), and the verdict depends on times"
        demanded = "a capture with the times of all packets"
    }

    /// Creates the reason that a carrier failed, which neither the device nor the suite caused.
    init?(carrier message: TraceMessage, origin: Timestamp) {
        guard let fault = message.content.carrierFault else { return nil }
        self.init(
            .sequence, fault, at: message, origin,
            demanding: "a carrier that works, or a case that says that it fails")
    }

    /// Creates the reason that the decoder did not read something relevant.
    init?(unread message: TraceMessage, origin: Timestamp) {
        guard let unread = message.content.unread else { return nil }
        self.init(
            .captureLoss, "\(unread.reason), in \(message.name)", at: message, origin,
            demanding: "messages within the limits of the decoder")
    }

    private init(
        _ code: ReasonCode, _ what: String, at message: TraceMessage, _ origin: Timestamp,
        demanding demanded: String
    ) {
        self.code = code
        text =
            "\(what), \(TimeText.place(message.time, from: origin, named: Self.beginning))"
            + MessageText.suffix(frames: message.frames)
        self.demanded = demanded
        frames = message.frames
    }

    /// Creates the reason that the machine did not let a party run.
    init(_ text: String, demanding demanded: String) {
        code = .lateHarness
        self.text = text
        self.demanded = demanded
        frames = []
    }

    /// Returns why the case is inconclusive, with the result without this reason.
    func reason(
        overruling verdict: Verdict, _ summary: String?, _ explanation: Explanation?,
        of prepared: PreparedCase
    ) -> Reason {
        if verdict == .inconclusive, code == .lateHarness, let summary {
            // It would not have been judged anyway: that comes first.
            return Reason(
                code, "\(summary); \(text)",
                explanation: self.explanation(of: prepared, beside: explanation))
        }
        let otherwise = [verdict.rawValue, summary].compactMap(\.self).joined(separator: ", ")
        return Reason(
            code, "\(text); without that: \(otherwise)",
            explanation: self.explanation(of: prepared, beside: explanation))
    }

    /// Returns the details of the finding, or of this reason if there is no finding.
    private func explanation(
        of prepared: PreparedCase, beside finding: Explanation?
    ) -> Explanation {
        let testCase = prepared.testCase
        var explanation =
            finding
            ?? Explanation(
                requirements: testCase.allChecks.compactMap { id in
                    prepared.requirements.first { $0.id == id }
                }, step: nil, position: testCase.position, expected: demanded, actual: text)
        explanation.frames = Set(explanation.frames + frames).sorted()
        return explanation
    }
}

extension Judgement {
    /// Makes the judgement inconclusive because of something that was not captured.
    mutating func makeInconclusive(
        _ makeInconclusive: InconclusiveReason, of prepared: PreparedCase
    ) {
        // Bytes of a peer may fail to decode only because part of them was not captured.
        guard verdict != .error || reason?.code == .malformed else { return }
        reason = makeInconclusive.reason(
            overruling: verdict, reason?.summary, reason?.explanation, of: prepared)
        verdict = .inconclusive
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: .inconclusive) }
    }
}
