import SuiteLanguage
import Trace
import Wire

/// Checks whether the harness itself is in time: its actions, and its peers' answers.
struct LatenessWatch: Sendable {
    /// An action of the harness that was too late for judging the device by it.
    struct Lateness: Sendable {
        /// What was late: `hu's answer sdl.X to sdl.Y`, `step 3 (do: hu.close)`.
        let what: String
        /// When it was due.
        let since: Timestamp
        /// How long it took.
        let lag: Duration
        /// How long it may take.
        let bound: Duration
        /// The frames of the message that it reacted to, and of the action.
        let frames: [Int]
        /// Whether it had not come at all when the device continued.
        var isMissing = false
    }

    /// The first lateness.
    private(set) var first: Lateness?
    private var requests: [Exchange: Request] = [:]
    /// The frames of the device's last message in each flow.
    private var said: [Int?: [Int]] = [:]

    private struct Exchange: Hashable {
        let flow: Int?
        let response: String
    }

    private struct Request {
        let message: TraceMessage
        let bound: Duration
    }

    /// Records an action that came `lag` after the moment at which it was due.
    mutating func record(
        _ what: String, due: Timestamp, lag: Duration, bound: Duration, frames: [Int]
    ) {
        guard first == nil, lag > bound else { return }
        first = Lateness(what: what, since: due, lag: lag, bound: bound, frames: frames)
    }

    /// Records a message of the device that a peer may answer by itself.
    ///
    /// `response` is the name of its answer, if there is one. If a peer stays silent, the request
    /// stays open; the next one of its kind replaces it.
    mutating func expectAnswer(
        to message: TraceMessage, named response: String?, within bound: Duration
    ) {
        said[message.flow] = message.frames
        guard let response else { return }
        requests[Exchange(flow: message.flow, response: response)] = Request(
            message: message, bound: bound)
    }

    /// Returns an answer that was due when the device continued without it.
    ///
    /// It is `nil` if the answer had time left, or no request demanded it.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - peer: The peer that should have sent it.
    ///   - message: The message by which the device continued.
    ///   - wanted: The delay of the peer's answers that the suite demands.
    func overdue(
        _ response: String, of peer: String, before message: TraceMessage, wanted: Duration
    ) -> Lateness? {
        let exchange = Exchange(flow: message.flow, response: response)
        guard let request = requests[exchange] else { return nil }
        let (lag, bound) = (message.time - request.message.time, request.bound + wanted)
        guard lag > bound else { return nil }
        return Lateness(
            what: "peer \(peer)'s answer \(response) to \(request.message.name)",
            since: request.message.time, lag: lag, bound: bound, frames: request.message.frames,
            isMissing: true)
    }

    /// Records a message of a peer; if it answers a request of the device, its lag is measured.
    ///
    /// `peer` is `nil` if a step demanded the message: then the step sets the time, and the lag
    /// means nothing. `wanted` is the delay of the peer's answers that the suite demands.
    mutating func recordAnswer(
        _ message: TraceMessage, from peer: String?, wanted: @autoclosure () -> Duration = .zero
    ) {
        let exchange = Exchange(flow: message.flow, response: message.name)
        guard let request = requests.removeValue(forKey: exchange), let peer else { return }
        // If a packet of the device completed the exchange, the time was the device's.
        if !message.frames.isEmpty, said[message.flow] == message.frames { return }
        // The device sets how fast it reads the rest of the answer.
        let lag = (message.arrival?.first ?? message.time) - request.message.time
        guard lag > request.bound else { return }
        record(
            "peer \(peer)'s answer \(message.name) to \(request.message.name)",
            due: request.message.time, lag: lag, bound: request.bound + wanted(),
            frames: request.message.frames + message.frames)
    }
}
