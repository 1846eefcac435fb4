import SuiteLanguage
import Trace
import Wire

/// The steps that a person was asked to do, and when the person confirmed that they were done.
///
/// The person does them in between, at an unknown moment. The effects of such a step may therefore
/// come after the request, and its deadlines count from the confirmation, because the time of the
/// person is not the time of the device.
struct PersonTime: Sendable, Hashable {
    private struct Request: Hashable {
        let event: String
        let time: Timestamp
        var confirmed: Timestamp?
    }

    private var requests: [Request] = []
    /// How long confirmations were awaited in total.
    private(set) var waited: Duration = .zero

    /// A duration longer than any wait for a confirmation.
    private static let ever: Duration = .seconds(366 * 24 * 3600)

    /// Whether a confirmation is awaited.
    var isPending: Bool { requests.contains { $0.confirmed == nil } }

    /// Records a request.
    mutating func query(_ event: String, at time: Timestamp) {
        requests.append(Request(event: event, time: time))
    }

    /// Records the confirmation of the control with that event; returns the time of its request.
    mutating func confirm(_ event: String, at time: Timestamp) -> Timestamp? {
        let requested = requests.firstIndex { $0.event == event && $0.confirmed == nil }
        guard let requested else { return nil }
        requests[requested].confirmed = time
        waited += time - requests[requested].time
        return requests[requested].time
    }

    /// Returns the moment from which deadlines count if their origin is such a step; else `nil`.
    func deadlineOrigin(of origin: Timestamp) -> Timestamp? {
        requests.first { $0.time == origin }.map { $0.confirmed ?? origin + Self.ever }
    }
}

extension MatcherThread {
    /// Returns the moment that deadlines count from.
    ///
    /// - Parameter origin: The origin of times that do not depend on a person.
    func deadlineOrigin(of origin: Timestamp) -> Timestamp {
        personTime?.deadlineOrigin(of: origin) ?? origin
    }

    /// The alarm while a person is awaited: only deadlines that do not depend on the person.
    var alarmWhileAwaiting: (time: Timestamp, kind: Alarm)? {
        guard phase == .running, let attempt, attempt.schedule == nil,
            personTime?.deadlineOrigin(of: attempt.origin) == nil
        else { return nil }
        return isWaitingForMessage
            ? (attempt.lastChance + Limits.tick, .missing) : (attempt.due, .due)
    }

    /// Records a step that a person was asked to do.
    mutating func recordRequest(_ message: TraceMessage?, at time: Timestamp) {
        guard let event = message?.content as? DeviceEvent, event.asksPerson else { return }
        var times = personTime ?? PersonTime()
        times.query(event.name, at: time)
        personTime = times
    }

    /// Records a person's confirmation of a step; returns whether the message is a confirmation.
    ///
    /// The deadlines of the step count from the confirmation.
    mutating func recordConfirmation(_ message: PlacedMessage) -> Bool {
        guard message.message.frames.isEmpty, message.name == DeviceEvent.confirmed else {
            return false
        }
        let time = message.time
        guard let event = (message.content as? DeviceEvent)?.confirmedEvent,
            var times = personTime, let requested = times.confirm(event, at: time)
        else { return true }
        personTime = times
        if case .closing(let since) = phase { phase = .closing(since: max(since, time)) }
        if phase == .running, let line, attempt?.origin == requested {
            attempt?.count(line, from: time)
        }
        return true
    }
}
