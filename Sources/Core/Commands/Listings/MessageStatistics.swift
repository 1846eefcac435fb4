import Reporting
import SuiteLanguage
import Trace
import Wire

/// Statistics of each kind of message in a trace: count, size, rate and response time.
public struct MessageStatistics: Sendable {
    /// One kind of message.
    struct Kind: Sendable {
        var count = 0
        /// The number of bytes on the wire, put together from all frames.
        var bytes = 0
        var latency = LatencyDistribution()
        /// Whether the specification has a response to it.
        var isRequest = false
    }

    /// A request that waits for its response.
    private struct Exchange: Hashable {
        let flow: Int?
        let response: String
        let correlation: [Value?]
    }

    private(set) var kinds: [String: Kind] = [:]
    private var open: [Exchange: (request: String, time: Timestamp)] = [:]
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    /// The maximum number of unanswered requests that are kept.
    ///
    /// Above it they are counted as unanswered.
    private static let openMax = 100_000

    private let known: KnownMessages

    /// Creates empty statistics.
    ///
    /// - Parameter known: The messages, and which of them answers which.
    public init(_ known: KnownMessages) {
        self.known = known
    }

    /// Adds the next message.
    public mutating func add(_ message: TraceMessage) {
        if message.content is StreamBeginning { return }
        first = first ?? message.time
        last = message.time
        let correlation = known.correlation(ofMessage: message.name)
            .map(message.content.field)
        let response = known.message(named: message.name)?.response
        kinds[message.name, default: Kind()].count += 1
        kinds[message.name, default: Kind()].bytes += message.content.bytes.count
        if let response {
            kinds[message.name]?.isRequest = true
            if open.count >= Self.openMax { open.removeAll() }
            let exchange = Exchange(
                flow: message.flow, response: response, correlation: correlation)
            open[exchange] = open[exchange] ?? (message.name, message.time)
        }
        settle(message, correlation)
    }

    /// Records the response time of the request that a message answers.
    private mutating func settle(_ message: TraceMessage, _ correlation: [Value?]) {
        let exchange = Exchange(
            flow: message.flow, response: message.name, correlation: correlation)
        guard let (request, time) = open.removeValue(forKey: exchange) else { return }
        kinds[request]?.latency.add((message.time - time).wholeNanoseconds)
    }

    /// Adds statistics of other connections or of other messages.
    public mutating func merge(_ other: MessageStatistics) {
        for (name, kind) in other.kinds { merge(kind, named: name) }
        first = [first, other.first].compactMap(\.self).min()
        last = [last, other.last].compactMap(\.self).max()
    }

    /// Adds what was counted by the headers of messages.
    public mutating func merge(_ tally: MessageTally) {
        for (name, kind) in tally.kinds { merge(kind, named: name) }
        first = [first, tally.first].compactMap(\.self).min()
        last = [last, tally.last].compactMap(\.self).max()
    }

    /// Adds the counts of another capture, as if it had begun when this one ended.
    mutating func append(_ other: MessageStatistics) {
        for (name, kind) in other.kinds { merge(kind, named: name) }
        guard let start = other.first, let end = other.last else { return }
        first = first ?? start
        last = last.map { $0 + (end - start) } ?? end
    }

    private mutating func merge(_ kind: Kind, named name: String) {
        kinds[name, default: Kind()].count += kind.count
        kinds[name, default: Kind()].bytes += kind.bytes
        kinds[name, default: Kind()].latency.add(kind.latency)
        if kind.isRequest { kinds[name, default: Kind()].isRequest = true }
    }

    // MARK: - Output

    /// The total number of messages.
    var messageCount: Int { kinds.values.reduce(0) { $0 + $1.count } }

    /// Returns a table, the most frequent kinds first.
    public func table() -> [String] {
        guard !kinds.isEmpty else { return ["no messages"] }
        let heading = [
            "message", "count", "bytes", "per second", "answered", "fastest ms", "median ms",
            "99 % ms", "slowest ms",
        ]
        let rows = [heading] + ordered.map(row)
        return Columns.table(rows)
    }

    /// Returns the same as JSON objects, with durations in seconds.
    public func objects() -> [String] {
        ordered.map { name, kind in
            var members: [Value.Member] = [
                .init("message", .string(name)), .init("count", .integer(Int64(kind.count))),
                .init("bytes", .integer(Int64(kind.bytes))),
            ]
            if let rate = rate(kind) { members.append(.init("perSecond", .double(rate))) }
            if kind.isRequest {
                members.append(.init("answered", .integer(Int64(kind.latency.count))))
                if kind.latency.count > 0 {
                    let seconds = latencies(kind).map { Value.double(Double($0) / 1e9) }
                    let names = ["fastest", "median", "p99", "slowest"]
                    members += zip(names, seconds).map { Value.Member($0, $1) }
                }
            }
            return Value.object(members).jsonText()
        }
    }

    private var ordered: [(String, Kind)] {
        kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }

    private func latencies(_ kind: Kind) -> [Int64] {
        [
            kind.latency.minimum, kind.latency.percentile(0.5), kind.latency.percentile(0.99),
            kind.latency.maximum,
        ]
    }

    /// Returns the messages of a kind a second; `nil` for a trace without a duration.
    private func rate(_ kind: Kind) -> Double? {
        guard let first, let last, last > first else { return nil }
        return Double(kind.count) / ((last - first) / .seconds(1))
    }

    private func row(_ name: String, _ kind: Kind) -> [String] {
        var cells = [
            name, String(kind.count), String(kind.bytes),
            rate(kind).map(NumberText.decimal) ?? "-",
        ]
        cells.append(kind.isRequest ? String(kind.latency.count) : "-")
        cells +=
            kind.latency.count > 0
            ? latencies(kind).map { NumberText.decimal(Double($0) / 1e6) }
            : Array(repeating: "-", count: 4)
        return cells
    }
}
