import SuiteLanguage
import Trace
import Wire

/// The state of a thread: the position in its program, and what it has learnt so far.
struct Configuration: Sendable {
    /// The awaited line; `nil` once all are done.
    var position: Int?
    /// The position in the sequence of steps.
    var state: StepSequence.State?
    /// The variables that messages have given a value.
    var bindings: [String: Value] = [:]
    /// The completed lines, in order.
    private(set) var completions = History<Completion>()
    /// The lines that were done.
    private(set) var doneLines: Set<Int> = []
    /// How many lines took a message.
    private(set) var takenCount = 0
    /// When each of the lines that others refer to was done last.
    private(set) var referenced: [Int: Reference] = [:]
    /// For each connection, the end of the bytes that `lost` steps have taken.
    var lostEnds: [StreamSide: LostEnd] = [:]
    /// The peers that were made to send bytes that need not decode.
    var malformedSenders: Set<String> = []
    /// The peers whose connections are reset within what they send.
    var cutSenders: Set<String> = []
    /// When the body began; `nil` in the preamble.
    var bodyStart: Timestamp?
    /// When each of the groups that contain the position began.
    private(set) var groupOrigins: [Int: Timestamp] = [:]

    /// One direction of a connection.
    struct StreamSide: Sendable, Hashable {
        let flow: Int?
        let source: Endpoint?
    }

    /// The end of the bytes that a `lost` step has taken.
    struct LostEnd: Sendable {
        /// The offset in the stream after their last byte.
        var offset: UInt64
        /// When the last of them was captured.
        var time: Timestamp
        /// When the other side first sent something after them.
        var answered: Timestamp?

        /// Whether the bytes of a message continue these.
        ///
        /// They do if they follow directly in the stream and in the same burst, and the other side
        /// has sent nothing in between.
        func continues(with message: TraceMessage) -> Bool {
            guard message.streamRange?.lowerBound == offset else { return false }
            let arrival = message.arrival ?? Arrival(at: message.time)
            return arrival.first - time <= Limits.burst && arrival.pause <= Limits.burst
                && answered.map { arrival.last <= $0 } ?? true
        }
    }

    /// The completion of a line.
    struct Completion: Sendable {
        /// The line.
        let line: Int
        /// When it was done.
        let time: Timestamp
        /// The moment that its window counted from.
        let origin: Timestamp
        /// The message that it took; `nil` if it took none.
        let message: TraceMessage?
    }

    /// The data of a completed line that others refer to.
    struct Reference: Sendable, Hashable {
        /// When it was done.
        let time: Timestamp
        /// The number of the message that it took.
        let message: Int?
        /// The connection of that message.
        let flow: Int?
    }

    /// Records a line that is done.
    ///
    /// - Parameters:
    ///   - completion: The line.
    ///   - isReferenced: Whether others refer to it.
    ///   - keepsAll: Whether to keep all completions, not only the last one.
    mutating func complete(_ completion: Completion, isReferenced: Bool, keepsAll: Bool) {
        if keepsAll { completions.append(completion) } else { completions.replace(by: completion) }
        if !doneLines.contains(completion.line) { doneLines.insert(completion.line) }
        if completion.message != nil { takenCount += 1 }
        guard isReferenced else { return }
        referenced[completion.line] = Reference(
            time: completion.time, message: completion.message?.number,
            flow: completion.message?.flow)
    }

    /// Records a message that a line took without being done by it.
    mutating func recordTaken() { takenCount += 1 }

    /// Returns the last completion of a line.
    func completion(of line: Int) -> Completion? { completions.last { $0.line == line } }

    /// Enters and leaves groups; returns the moment that the next line counts from.
    mutating func pass(_ waypoints: [StepSequence.Waypoint], start: Timestamp) -> Timestamp {
        let last = completions.last?.time ?? start
        var previous = last
        var entered: Set<Int> = []
        for waypoint in waypoints {
            switch waypoint {
            case .enters(let group):
                groupOrigins[group] = previous
                entered.insert(group)
            case .picks(let group): previous = groupOrigins[group] ?? previous
            case .leaves(let group):
                let origin = groupOrigins.removeValue(forKey: group)
                previous = entered.contains(group) ? origin ?? last : last
            }
        }
        return previous
    }

    /// Returns the moment that the window of a line counts from.
    func origin(of line: CaseProgram.Line, after previous: Timestamp) -> Timestamp {
        line.sinceLine.flatMap { referenced[$0]?.time } ?? previous
    }
}

/// The state of the awaited line.
struct Attempt: Sendable {
    /// When the line was reached.
    let reached: Timestamp
    /// The moment that the step's times count from.
    let origin: Timestamp
    /// When its message may come.
    private(set) var window: TimeWindow
    /// When its action is due, or its pause over.
    private(set) var due: Timestamp
    /// Whether its action has been demanded.
    var isReleased = false
    /// The signature of the message that shows its action in the trace.
    @Boxed var evidence: Signature?
    /// The message that has come closest to it.
    @Boxed var nearest: NearMiss?
    /// The last segment by which the device ended a connection since the line was reached; if the
    /// line awaits a peer's message, the connection on which it would have come.
    @Boxed var deviceClosing: TraceMessage?
    /// The first segment by which either side ended a connection since the line was reached.
    @Boxed var connectionEnd: PlacedMessage?

    /// The state of the line's schedule; `nil` if it has none.
    @Boxed var schedule: ScheduleFollower?
    /// The state of the line's collection of messages; `nil` if it collects none.
    @Boxed var collection: Gathering?

    /// Makes the deadlines of the line, and its own act or pause, count from another moment.
    mutating func count(_ line: CaseProgram.Line, from deadlineOrigin: Timestamp) {
        let other = Attempt(line, origin: deadlineOrigin, at: max(reached, deadlineOrigin))
        window = window.ending(as: other.window)
        switch line.goal {
        case .act, .pause: due = other.due
        case .expect, .schedule, .collect: break
        }
    }

    /// Starts on a line whose times count from `origin`.
    init(_ line: CaseProgram.Line, origin: Timestamp, at time: Timestamp) {
        reached = time
        self.origin = origin
        switch line.goal {
        case .expect, .schedule:
            window = TimeWindow(of: line.step, origin: origin)
            due = time
        case .collect(let signatures, let quiet):
            window = TimeWindow(of: line.step, origin: origin)
            due = time
            collection = Gathering(count: signatures.count, quiet: quiet, at: time)
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

    /// The moment after which the message is considered missing.
    var lastChance: Timestamp { max(window.latest, reached) + Limits.grace }
}
