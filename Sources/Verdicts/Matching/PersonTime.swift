import Suites
import Trace
import Wire

/// The steps that a person was asked to do, and when the person confirmed that they were done.
///
/// The person does them in between, at a moment that is not known. So what such a step brings about
/// may come from the request on, and its deadlines count from the confirmation: the time of the
/// person is not the time of the device.
struct PersonTime: Sendable, Hashable {
    private struct Request: Hashable {
        let event: String
        let time: Timestamp
        var confirmed: Timestamp?
    }

    private var requests: [Request] = []
    /// How long confirmations were waited for altogether.
    private(set) var waited: Duration = .zero

    /// Longer than any confirmation is waited for.
    private static let ever: Duration = .seconds(366 * 24 * 3600)

    /// Whether a confirmation is waited for.
    var isPending: Bool { requests.contains { $0.confirmed == nil } }

    /// Takes note of a request.
    mutating func ask(_ event: String, at time: Timestamp) {
        requests.append(Request(event: event, time: time))
    }

    /// Takes note of the confirmation of the control with that event; returns the time of its request.
    mutating func confirm(_ event: String, at time: Timestamp) -> Timestamp? {
        let asked = requests.firstIndex { $0.event == event && $0.confirmed == nil }
        guard let asked else { return nil }
        requests[asked].confirmed = time
        waited += time - requests[asked].time
        return requests[asked].time
    }

    /// The moment from which deadlines count whose origin is such a step; `nil` for any other origin.
    func deadlineOrigin(of origin: Timestamp) -> Timestamp? {
        requests.first { $0.time == origin }.map { $0.confirmed ?? origin + Self.ever }
    }
}

extension MatcherThread {
    /// The moment that deadlines count from.
    ///
    /// - Parameter origin: The moment that times count from which are not those of a person.
    func deadlineOrigin(of origin: Timestamp) -> Timestamp {
        personTime?.deadlineOrigin(of: origin) ?? origin
    }

    /// While a person is waited for, only deadlines of other steps than the person's pass.
    var alarmWhileAwaiting: (time: Timestamp, kind: Alarm)? {
        guard phase == .running, let attempt, attempt.schedule == nil,
            personTime?.deadlineOrigin(of: attempt.origin) == nil
        else { return nil }
        return isWaitingForMessage
            ? (attempt.lastChance + Limits.tick, .missing) : (attempt.due, .due)
    }

    /// Takes note of a step that a person was asked to do.
    mutating func noteRequest(_ message: TraceMessage?, at time: Timestamp) {
        guard let event = message?.content as? DeviceEvent, event.asksPerson else { return }
        var times = personTime ?? PersonTime()
        times.ask(event.name, at: time)
        personTime = times
    }

    /// Takes note that a person has confirmed what a step asked for, whose deadlines count from then
    /// on; returns whether the message is such a confirmation.
    mutating func noteConfirmation(_ message: PlacedMessage) -> Bool {
        guard message.message.frames.isEmpty, message.name == DeviceEvent.confirmed else {
            return false
        }
        let time = message.time
        guard let event = (message.content as? DeviceEvent)?.confirmedEvent,
            var times = personTime, let asked = times.confirm(event, at: time)
        else { return true }
        personTime = times
        if case .closing(let since) = phase { phase = .closing(since: max(since, time)) }
        if phase == .running, let line, attempt?.origin == asked {
            attempt?.count(line, from: time)
        }
        return true
    }
}
