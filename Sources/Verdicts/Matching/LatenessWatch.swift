import Suites
import Trace
import Wire

/// Looks at whether the harness itself keeps time: its actions, and its peers' answers.
struct LatenessWatch: Sendable {
    /// An act of the harness that came too late to judge the device by it.
    struct Lateness: Sendable {
        /// What was late: `hu's answer sdl.X to sdl.Y`, `step 3 (do: hu.close)`.
        let what: String
        /// How long it took.
        let lag: Duration
        /// How long it may take.
        let bound: Duration
        /// The frames of what it reacted to, and of the act.
        let frames: [Int]
        /// Whether it had not come at all when the device went on.
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

    /// Notes an act that came `lag` after it was due.
    mutating func note(_ what: String, lag: Duration, bound: Duration, frames: [Int]) {
        guard first == nil, lag > bound else { return }
        first = Lateness(what: what, lag: lag, bound: bound, frames: frames)
    }

    /// Notes a message of the device that a peer may answer by itself.
    ///
    /// `response` is what answers it, if anything does. A peer that is silent leaves it open for ever; the next of its kind takes its place.
    mutating func expectAnswer(
        to message: TraceMessage, named response: String?, within bound: Duration
    ) {
        said[message.flow] = message.frames
        guard let response else { return }
        requests[Exchange(flow: message.flow, response: response)] = Request(
            message: message, bound: bound)
    }

    /// An answer that was due when the device went on without it; `nil` if it had time left, or nothing
    /// asked for it.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - peer: Who was to give it.
    ///   - message: The message by which the device went on.
    ///   - wanted: How late the suite wants the peer's answers.
    func overdue(
        _ response: String, of peer: String, before message: TraceMessage, wanted: Duration
    ) -> Lateness? {
        let exchange = Exchange(flow: message.flow, response: response)
        guard let request = requests[exchange] else { return nil }
        let (lag, bound) = (message.time - request.message.time, request.bound + wanted)
        guard lag > bound else { return nil }
        return Lateness(
            what: "peer \(peer)'s answer \(response) to \(request.message.name)", lag: lag,
            bound: bound, frames: request.message.frames, isMissing: true)
    }

    /// Notes a message of a peer; if it answers one of the device's, its lag is measured.
    ///
    /// `peer` is `nil` if a step had it sent: then the step says when, and the lag means nothing.
    /// `wanted` is how late the suite wants the peer's answers.
    mutating func noteAnswer(
        _ message: TraceMessage, from peer: String?, wanted: @autoclosure () -> Duration = .zero
    ) {
        let exchange = Exchange(flow: message.flow, response: message.name)
        guard let request = requests.removeValue(forKey: exchange), let peer else { return }
        // What a packet of the device shows to be over took as long as the device did.
        if !message.frames.isEmpty, said[message.flow] == message.frames { return }
        let lag = message.time - request.message.time
        guard lag > request.bound else { return }
        note(
            "peer \(peer)'s answer \(message.name) to \(request.message.name)",
            lag: lag, bound: request.bound + wanted(),
            frames: request.message.frames + message.frames)
    }
}
