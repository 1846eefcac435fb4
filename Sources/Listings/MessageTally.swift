import Reports
import Trace
import Wire

/// Counts messages by their headers, so that none of their bodies need be decoded.
///
/// It is what `MessageStatistics` counts, but for two things: a message whose body does not decode
/// counts under the name that its headers give it, and of one that never becomes whole only the
/// bytes count that were kept.
public struct MessageTally: MessageScreen {
    private struct Count {
        var count = 0
        var bytes = 0
        var latency = LatencyDistribution()

        mutating func add(_ byteCount: Int) {
            count += 1
            bytes += byteCount
        }
    }

    /// What has been seen.
    private struct State {
        var counts: [Count]
        var open: OpenRequests
        var firstTime: Int64?
        var lastTime: Int64 = 0

        init(_ protocols: ProtocolRegistry) {
            counts = [Count](repeating: Count(), count: protocols.codeCount)
            open = OpenRequests(protocols)
        }

        mutating func count(_ headers: Span<CountedHeader>) {
            guard headers.count > 0 else { return }
            Self.count(headers, &counts, &open)
            if firstTime == nil { firstTime = headers[0].nanoseconds }
            lastTime = headers[headers.count - 1].nanoseconds
        }

        private static func count(
            _ headers: Span<CountedHeader>, _ all: inout [Count], _ open: inout OpenRequests
        ) {
            // One span for all of them: an array is found unique at every access.
            var counts = all.mutableSpan
            for index in headers.indices {
                counts[Int(headers[index].code.index)].add(headers[index].byteCount)
            }
            open.take(headers) { request, latency in
                counts[Int(request.index)].latency.add(latency)
            }
        }
    }

    /// One, in an array because a value of one word lies in an existential itself: what is larger
    /// lies in a box that must be found unique at every call.
    private var state: [State]
    private let protocols: ProtocolRegistry

    /// Starts with nothing.
    ///
    /// - Parameter protocols: Those whose messages are counted.
    public init(_ protocols: ProtocolRegistry) {
        state = [State(protocols)]
        self.protocols = protocols
    }

    /// Headers are enough.
    public var onlyCounts: Bool { true }
    /// Nothing that is counted is a frame.
    public var needsFrames: Bool { false }

    /// Wants nothing.
    public func wants(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        false
    }

    /// Counts them.
    public mutating func count(_ headers: Span<CountedHeader>) { state[0].count(headers) }

    /// Has the processor fetch what is open.
    public mutating func prefetch(_ slots: Span<Int32>) { state[0].open.prefetch(slots) }

    /// Forgets what was open.
    public mutating func release(slot: Int) { state[0].open.release(slot: slot) }

    // MARK: - Results

    /// What was counted, by name.
    var kinds: [(String, MessageStatistics.Kind)] {
        protocols.messageNames.compactMap { name in
            guard let code = protocols.code(ofMessage: name) else { return nil }
            let count = state[0].counts[Int(code.index)]
            guard count.count > 0 else { return nil }
            let kind = MessageStatistics.Kind(
                count: count.count, bytes: count.bytes, latency: count.latency,
                isRequest: state[0].open.isRequest(code))
            return (name, kind)
        }
    }

    var first: Timestamp? { state[0].firstTime.map(Timestamp.init(nanoseconds:)) }
    var last: Timestamp? { first == nil ? nil : Timestamp(nanoseconds: state[0].lastTime) }
}
