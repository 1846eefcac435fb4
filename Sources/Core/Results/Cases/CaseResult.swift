import SuiteLanguage
import Wire

/// Everything that is known about one case after it has been judged; the source of all reports.
public struct CaseResult: Sendable, Codable, Hashable {
    /// The suite's id.
    public var suite: String
    /// The case's id with its matrix values.
    public var id: String
    /// What the case shows, in words for readers.
    public var title: String
    /// Where the case is defined.
    public var position: SourcePosition
    /// The verdict.
    public var verdict: Verdict
    /// The reason why it is not a pass; `nil` for a pass.
    public var reason: Reason?
    /// The requirements that the case judges, each with its own verdict.
    public var checks: [CheckResult]
    /// The steps of preamble and body, in order.
    public var steps: [StepResult]
    /// How many messages were ignored, by name.
    public var ignored: [String: Int]
    /// How many packets and messages there were, and how many packets the capture lost.
    public var counts: TrafficCounts
    /// When the first packet or event was seen; `nil` if nothing was.
    public var started: Timestamp?
    /// How long the case took, in seconds.
    public var seconds: Double
    /// The saved capture, relative to the report folder; `nil` if there is none.
    public var capture: String?
    /// The SHA-256 of the saved capture in hexadecimal; `nil` if there is none.
    public var captureDigest: String?
    /// The device's output, relative to the report folder; `nil` if there is none.
    public var log: String?
    /// The command that runs this case again.
    public var reproduce: String?
    /// Remarks about the run that a reader should know, such as a missing namespace.
    public var remarks: [String]
    /// The measurements of the case; `nil` if it measures nothing.
    public var measurements: [Measurement]?
    /// Violations of protocol specifications by messages of the case.
    ///
    /// It is `nil` if none was found, or if messages that no step needs were skipped.
    public var violations: [ProtocolViolation]?
    /// The rules that were exercised; `nil` if none was.
    public var rules: [RuleResult]?
    /// The drawn run made shorter and plainer; `nil` for other cases, and if that was not tried.
    public var shrunk: ShrunkRun?
    /// Each execution, in order; `nil` if the case was executed once.
    public var executions: [Execution]?
    /// What the trace showed, message by message, for the reports.
    ///
    /// Stored results have it in a file of its own.
    public var evidence: Evidence?
    /// The file with the evidence, relative to the report folder; `nil` if there is none.
    public var evidenceFile: String?
    /// The subject of the case, where a case is judged on more than one; `nil` for a live case.
    public var subject: CaseSubject?

    /// Creates a result.
    public init(
        suite: String, id: String, title: String, position: SourcePosition,
        verdict: Verdict = .none, reason: Reason? = nil, checks: [CheckResult] = [],
        steps: [StepResult] = [], ignored: [String: Int] = [:],
        counts: TrafficCounts = TrafficCounts(), started: Timestamp? = nil, seconds: Double = 0,
        capture: String? = nil, log: String? = nil, reproduce: String? = nil,
        remarks: [String] = []
    ) {
        self.suite = suite
        self.id = id
        self.title = title
        self.position = position
        self.verdict = verdict
        self.reason = reason
        self.checks = checks
        self.steps = steps
        self.ignored = ignored
        self.counts = counts
        self.started = started
        self.seconds = seconds
        self.capture = capture
        self.log = log
        self.reproduce = reproduce
        self.remarks = remarks
    }
}

/// The subject of a case: a capture, or a part of one.
public struct CaseSubject: Sendable, Codable, Hashable {
    /// The id that stands for a case if a capture can be judged by none.
    public static let noCase = "capture"

    /// The case's own id, without the capture that the id of a result may name.
    public var testCase: String
    /// The capture as the user named it.
    public var capture: String
    /// The part of the capture, such as `tcp.stream 12`; `nil` for all of it.
    public var connection: String?

    /// Creates a subject.
    public init(testCase: String, capture: String, connection: String? = nil) {
        self.testCase = testCase
        self.capture = capture
        self.connection = connection
    }
}

/// The reason why a case did not pass.
public struct Reason: Sendable, Codable, Hashable {
    /// The kind of reason, for programs.
    public var code: ReasonCode
    /// One sentence that names the step, what was expected, and what came.
    public var summary: String
    /// The details; `nil` if there is no packet to show (a skipped case).
    public var explanation: Explanation?

    /// Creates a reason.
    public init(_ code: ReasonCode, _ summary: String, explanation: Explanation? = nil) {
        self.code = code
        self.summary = summary
        self.explanation = explanation
    }
}

/// The evidence that a reader needs to trust a failure.
public struct Explanation: Sendable, Codable, Hashable {
    /// The requirements that are broken, with text and source.
    public var requirements: [Requirement]
    /// The step at which actual and expected differ; `nil` for the closing window.
    public var step: Int?
    /// The position in the suite of the step, or of the rule that was broken.
    public var position: SourcePosition
    /// What was demanded, in suite syntax, with its time window.
    public var expected: String
    /// What came instead, in suite syntax, with its time; or that nothing came.
    public var actual: String
    /// The message that came closest to what was demanded, if any came.
    public var nearestMiss: NearestMiss?
    /// The frames that show it.
    public var frames: [Int]
    /// Expected next to actual, from the start of the case to shortly after the first divergence.
    public var alignment: [AlignmentRow]

    /// Creates an explanation.
    public init(
        requirements: [Requirement], step: Int?, position: SourcePosition, expected: String,
        actual: String, nearestMiss: NearestMiss? = nil, frames: [Int] = [],
        alignment: [AlignmentRow] = []
    ) {
        self.requirements = requirements
        self.step = step
        self.position = position
        self.expected = expected
        self.actual = actual
        self.nearestMiss = nearestMiss
        self.frames = frames
        self.alignment = alignment
    }
}

/// The message that came closest to a step, and why it does not match.
public struct NearestMiss: Sendable, Codable, Hashable {
    /// The message in suite syntax.
    public var message: String
    /// Its frames.
    public var frames: [Int]
    /// Each thing that differs, as `field: expected X, got Y`.
    public var differences: [String]

    /// Creates a nearest miss.
    public init(message: String, frames: [Int], differences: [String]) {
        self.message = message
        self.frames = frames
        self.differences = differences
    }
}

/// One row of the table of expected and actual.
public struct AlignmentRow: Sendable, Codable, Hashable {
    /// What the row shows.
    public enum Mark: String, Sendable, Codable {
        /// Expected and actual agree.
        case match
        /// Expected, but did not come.
        case missing
        /// Came, but was not expected.
        case extra
        /// Came, and is harmless.
        case ignored
        /// Expected, but not reached.
        case notReached = "not-reached"
        /// Fits a step that was not reached: it is shown, but not judged.
        ///
        /// It came out of turn or after the verdict was settled.
        case unjudged
    }

    /// What the row shows.
    public var mark: Mark
    /// The step in suite syntax; `nil` if the row has none.
    public var expected: String?
    /// The message in suite syntax; `nil` if the row has none.
    public var actual: String?
    /// Seconds since the first message of the case; `nil` without a message.
    public var seconds: Double?
    /// The frames of the message.
    public var frames: [Int]

    /// Creates a row.
    public init(
        _ mark: Mark, expected: String? = nil, actual: String? = nil, seconds: Double? = nil,
        frames: [Int] = []
    ) {
        self.mark = mark
        self.expected = expected
        self.actual = actual
        self.seconds = seconds
        self.frames = frames
    }
}

/// The result of one requirement in a case.
public struct CheckResult: Sendable, Codable, Hashable {
    /// The requirement's id.
    public var requirement: String
    /// Its verdict in the case; `none` if the case failed and cites other requirements.
    public var verdict: Verdict

    /// Creates a result.
    public init(requirement: String, verdict: Verdict) {
        self.requirement = requirement
        self.verdict = verdict
    }
}

/// The result of one step.
public struct StepResult: Sendable, Codable, Hashable {
    /// The part of the case.
    public enum Part: String, Sendable, Codable {
        case preamble
        case body
    }

    /// The outcome of a step.
    public enum Outcome: String, Sendable, Codable {
        /// A message was taken, an action was seen, or a wait is over.
        case done
        /// The case ended at this step.
        case failed
        /// The case ended before this step.
        case notReached = "not-reached"
    }

    /// The part of the case.
    public var part: Part
    /// The step in suite syntax.
    public var text: String
    /// Its position in the suite.
    public var position: SourcePosition
    /// Its outcome.
    public var outcome: Outcome
    /// The frames of the message that it took.
    public var frames: [Int]
    /// Seconds since the moment that its window counts from; `nil` if it took nothing.
    public var seconds: Double?
    /// The waits of a `backoff` step; `nil` for other steps, and if no wait began.
    public var schedule: [ScheduledInterval]?
    /// The test of waits that must be random; `nil` if there are none.
    public var spread: ScheduledSpread?
    /// Its window and when its message came; `nil` if the step was not reached.
    public var timing: StepTiming?
    /// The party that acts in it, and the action.
    public var act: StepAct?
    /// The act of a drawn run to which it belongs, as `act 2: reset`; `nil` for other steps.
    public var drawnAct: String?

    /// Creates a result.
    public init(
        part: Part, text: String, position: SourcePosition, outcome: Outcome, frames: [Int] = [],
        seconds: Double? = nil, timing: StepTiming? = nil, act: StepAct? = nil
    ) {
        self.part = part
        self.text = text
        self.position = position
        self.outcome = outcome
        self.frames = frames
        self.seconds = seconds
        self.timing = timing
        self.act = act
    }
}

/// The amount of traffic that was seen.
public struct TrafficCounts: Sendable, Codable, Hashable {
    /// Packets that were captured.
    public var packets: Int
    /// Packets that the capture lost.
    public var dropped: Int
    /// Messages in the trace.
    public var messages: Int
    /// Messages that a step took.
    public var taken: Int

    /// Creates counts.
    public init(packets: Int = 0, dropped: Int = 0, messages: Int = 0, taken: Int = 0) {
        self.packets = packets
        self.dropped = dropped
        self.messages = messages
        self.taken = taken
    }
}
