import Results
import Suites
import Trace
import Wire

/// What makes any judgement of the device doubtful: lost packets, a late harness, a carrier's fault.
struct InconclusiveReason: Sendable {
    /// Its kind.
    let code: ReasonCode
    /// What happened, as a sentence.
    let text: String
    private let demanded: String
    private let frames: [Int]

    /// A doubt because the harness was late.
    init(_ late: LatenessWatch.Lateness) {
        code = .lateHarness
        text =
            "the harness was late: \(late.what) \(late.isMissing ? "had not come" : "came") after \(TimeText.seconds(late.lag)), "
            + "\(late.bound.suiteText) are allowed\(MessageText.suffix(frames: late.frames))"
        demanded = "\(late.what) within \(late.bound.suiteText)"
        frames = late.frames
    }

    /// What the times in it count from.
    private static let beginning = "the case began"

    /// A doubt because the capture lost packets, somewhere.
    init(dropped: Int) {
        code = .captureLoss
        text = "the capture lost \(dropped) packet(s), which may have mattered"
        demanded = "a capture without loss"
        frames = []
    }

    /// A doubt because the capture does not show something.
    ///
    /// - Parameters:
    ///   - span: What it does not show.
    ///   - sender: The party whose it may have been; `nil` if it may have been anybody's.
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
            "\(span.text)\(MessageText.suffix(frames: frames)): what came\(whose) \(since) was not seen"
        demanded = "a capture without loss"
    }

    /// A doubt because a carrier failed, which is neither the device's fault nor the suite's wish.
    init?(carrier message: TraceMessage, origin: Timestamp) {
        guard let fault = message.content.carrierFault else { return nil }
        self.init(
            .sequence, fault, at: message, origin,
            demanding: "a carrier that works, or a case that says that it fails")
    }

    /// A doubt because the decoder did not read something that matters.
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

    /// A doubt because the machine did not let somebody run.
    init(_ text: String, demanding demanded: String) {
        code = .lateHarness
        self.text = text
        self.demanded = demanded
        frames = []
    }

    /// Why the case is inconclusive, with what would have been said of it without the doubt.
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

    /// The details: those of what was found apart from the doubt, or of the doubt alone.
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
    /// Makes it inconclusive, because what was not captured may have changed it.
    mutating func doubt(_ doubt: InconclusiveReason, of prepared: PreparedCase) {
        // What does not decode of a peer may only lack what was not captured.
        guard verdict != .error || reason?.code == .malformed else { return }
        reason = doubt.reason(
            overruling: verdict, reason?.summary, reason?.explanation, of: prepared)
        verdict = .inconclusive
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: .inconclusive) }
    }
}
