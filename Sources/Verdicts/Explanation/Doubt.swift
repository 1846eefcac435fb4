import Suites
import Trace

/// What makes any judgement of the device doubtful: lost packets, or else a late harness.
struct Doubt: Sendable {
    /// Its kind.
    let code: ReasonCode
    /// What happened, as a sentence.
    let text: String
    private let demanded: String
    private let frames: [Int]

    /// Finds the gravest doubt; `nil` if there is none.
    init?(_ record: CaseRecord, dropped: Int) {
        if dropped > 0 {
            code = .captureLoss
            text = "the capture lost \(dropped) packet(s), which may have mattered"
            demanded = "a capture without loss"
            frames = []
        } else if let gap = record.gap {
            let count = gap.content.fields["bytes"]?.integerValue
            code = .captureLoss
            text =
                "the capture lacks \(count.map { "\($0) byte(s)" } ?? "bytes") of a stream"
                + MessageText.suffix(frames: gap.frames)
            demanded = "a capture without loss"
            frames = gap.frames
        } else if let late = record.lateness.first {
            code = .lateHarness
            text =
                "the harness was late: \(late.what) came after \(TimeText.seconds(late.lag)), "
                + "\(late.bound.suiteText) are allowed\(MessageText.suffix(frames: late.frames))"
            demanded = "\(late.what) within \(late.bound.suiteText)"
            frames = late.frames
        } else {
            return nil
        }
    }

    /// A doubt because the machine did not let somebody run.
    init(_ text: String, demanding demanded: String) {
        code = .lateHarness
        self.text = text
        self.demanded = demanded
        frames = []
    }

    /// The details: those of what was found apart from the doubt, or of the doubt alone.
    func explanation(
        of testCase: TestCase, _ requirements: [Requirement], beside finding: Explanation?
    ) -> Explanation {
        var explanation =
            finding
            ?? Explanation(
                requirements: testCase.allChecks.compactMap { id in
                    requirements.first { $0.id == id }
                }, step: nil, position: testCase.position, expected: demanded, actual: text)
        explanation.frames = Set(explanation.frames + frames).sorted()
        return explanation
    }
}
