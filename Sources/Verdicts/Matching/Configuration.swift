import Protocols
import Suites
import Trace

/// How far a case has come: the place in its program, and what was learnt on the way there.
struct Configuration: Sendable {
    /// The line that is waited for; the number of lines once all are done.
    var position = 0
    /// The variables that messages have given a value.
    var bindings: [String: Value] = [:]
    /// What became of each line before `position`.
    var completions: [Completion] = []

    /// When and by what a line was done.
    struct Completion: Sendable {
        /// When it was done.
        let time: Timestamp
        /// The moment that its window counted from.
        let origin: Timestamp
        /// The message that it took; `nil` if it took none.
        let message: TraceMessage?
    }

    /// The moment that the window of the line at `position` counts from.
    func origin(in program: CaseProgram, start: Timestamp) -> Timestamp {
        let previous = completions.last?.time ?? start
        guard let since = program.lines[position].step.since else { return previous }
        let line = program.lines[..<position].lastIndex { $0.step.id == since }
        return line.map { completions[$0].time } ?? previous
    }
}

/// What is known of the line that is waited for.
struct Attempt: Sendable {
    /// When the line was reached.
    let reached: Timestamp
    /// When its message may come.
    let window: TimeWindow
    /// When its action is due, or its pause over.
    let due: Timestamp
    /// Whether its action has been demanded.
    var isReleased = false
    /// What the message must be like that shows its action in the trace.
    var evidence: Signature?
    /// The message that has come closest to it.
    var nearest: NearMiss?
    /// The last segment by which the device ended a connection since the line was reached.
    var deviceClosing: TraceMessage?

    /// Starts on the line at the configuration's position.
    init(
        _ program: CaseProgram, _ configuration: Configuration, start: Timestamp, at time: Timestamp
    ) {
        let line = program.lines[configuration.position]
        let origin = configuration.origin(in: program, start: start)
        reached = time
        switch line.goal {
        case .expect:
            window = TimeWindow(of: line.step, origin: origin)
            due = time
        case .act:
            due = max(time, origin + (line.step.at ?? line.step.after ?? .zero))
            var step = line.step
            (step.at, step.after) = (nil, nil)
            window = TimeWindow(of: step, origin: due)
        case .pause(let duration):
            due = max(time, origin + duration)
            window = TimeWindow(of: line.step, origin: origin)
        }
    }

    /// The moment after which the message is held to be missing.
    var lastChance: Timestamp { max(window.latest, reached) + Limits.grace }
}
