import Suites
import Trace

extension Walk {
    /// Offers a message to the schedule that the present line follows; returns the line if it
    /// took it.
    mutating func offerToSchedule(_ message: PlacedMessage) -> Int? {
        guard let position = configuration.position, var follower = attempt?.schedule,
            case .schedule(let signature, _)? = line?.goal
        else { return nil }
        let isAttempt: Bool
        let fit = signature.fit(of: message, bindings: configuration.bindings)
        switch fit {
        case .full: isAttempt = true
        case .unbound(let name):
            find(.unbound(name), at: message.time, by: message)
            return nil
        case .fieldsDiffer, .otherParties, .otherName: isAttempt = false
        }
        // Only what concerns the client's own connections can be the end of one of them.
        guard isAttempt || message.concernsParties else { return nil }
        let outcome = follower.consume(message.message, isAttempt: isAttempt)
        attempt?.schedule = follower
        record.note(schedule: follower.intervals, line: position)
        switch outcome {
        case .passed: return nil
        case .taken:
            record.complete(line: position, by: message.message)
            configuration.noteTaken()
            return position
        case .done:
            complete(at: message.time, by: message.message)
            return position
        case .violated(let violation):
            find(.schedule(violation), at: message.time, by: message)
            return nil
        }
    }

    /// Whether the schedule of the present line looks at a message without taking it.
    func isHeeded(_ message: PlacedMessage) -> Bool {
        attempt?.schedule?.schedule.heeds(message.name) ?? false
    }

    /// The next moment at which time changes something for the schedule of the present line.
    var scheduleAlarm: (time: Timestamp, kind: Alarm)? {
        attempt?.schedule?.alarm.map { ($0.time, $0.kind == .silenceOver ? .due : .missing) }
    }

    /// The silence behind the last attempt is over.
    mutating func endSchedule(at time: Timestamp) {
        guard let follower = attempt?.schedule else { return }
        if case .violated(let violation) = follower.conclusion {
            find(.schedule(violation), at: time)
        } else {
            complete(at: time)
        }
    }

    /// The attempt that is next has not come.
    mutating func findMissingAttempt(at time: Timestamp) {
        guard let violation = missingAttempt() else { return }
        find(.schedule(violation), at: time)
    }

    /// What is to be said of the attempt that is next.
    mutating func missingAttempt() -> ScheduleViolation? {
        guard let position = configuration.position, var follower = attempt?.schedule else {
            return nil
        }
        let violation = follower.missing()
        record.note(schedule: follower.intervals, line: position)
        return violation
    }
}
