import SuiteLanguage
import Trace
import Wire

/// The requests of a trace that wait for their answers.
struct RequestTable: Sendable {
    private struct Exchange: Hashable {
        let flow: Int?
        let answer: String
        let correlation: [Value?]
    }

    private struct Request {
        let content: any DissectedMessage
        let isFromDevice: Bool
    }

    /// The requests, the oldest first; with a correlation the newest only.
    private var open: [Exchange: [Request]] = [:]
    private var count = 0
    /// For how many of them a device waits.
    private var awaited = 0
    private let known: KnownMessages
    /// The responses in whose place other messages refuse requests, by the names of these.
    private var refused: [String: String] = [:]

    /// The largest number of open requests; further ones are not remembered.
    static let countMax = 4096

    init(_ known: KnownMessages) { self.known = known }

    /// Whether a request was not remembered.
    private(set) var isOverfull = false

    /// Whether a device waits for an answer.
    var awaitsAnswer: Bool { awaited > 0 }

    /// Returns the fields of the request that a message answers; null if it answers none.
    func request(of message: TraceMessage) -> Value {
        let answer =
            open[exchange(message, answer: message.name)] == nil ? refused[message.name] : nil
        return open[exchange(message, answer: answer ?? message.name)]?.first?.content.fields
            ?? .null
    }

    /// Reads the next message of the trace.
    mutating func consume(_ message: PlacedMessage) {
        if message.content.isInterim { return }
        if !remove(exchange(message.message, answer: message.name)),
            let answer = refused[message.name]
        {
            remove(exchange(message.message, answer: answer))
        }
        guard let description = known.message(named: message.name),
            let answer = description.response
        else { return }
        guard count < Self.countMax else {
            isOverfull = true
            return
        }
        if let refusal = description.refusal { refused[refusal] = answer }
        let exchange = exchange(message.message, answer: answer)
        // Without a correlation requests are answered in their order.
        if !exchange.correlation.isEmpty { remove(exchange) }
        open[exchange, default: []].append(
            Request(content: message.content, isFromDevice: message.isFromDevice))
        count += 1
        if message.isFromDevice { awaited += 1 }
    }

    /// Removes the requests of a connection that has ended.
    mutating func end(_ flow: Int) {
        for exchange in open.keys where exchange.flow == flow {
            while remove(exchange) {}
        }
    }

    /// Removes the oldest request of an exchange; returns whether there was one.
    @discardableResult
    private mutating func remove(_ exchange: Exchange) -> Bool {
        guard let oldest = open[exchange]?.first else { return false }
        open[exchange]?.removeFirst()
        if open[exchange]?.isEmpty == true { open[exchange] = nil }
        count -= 1
        if oldest.isFromDevice { awaited -= 1 }
        return true
    }

    private func exchange(_ message: TraceMessage, answer: String) -> Exchange {
        let paths = known.correlation(ofMessage: message.name)
        return Exchange(
            flow: message.flow, answer: answer,
            correlation: paths.map { message.content.field($0) })
    }
}
